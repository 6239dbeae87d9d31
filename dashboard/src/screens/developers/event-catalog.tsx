import { Code, Text } from '@mantine/core';
import { EVENT_TYPES, isWebhookEventType, type EventType } from '@svcforms/contracts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { developersTexts } from '../../texts/developers.ts';
import { webhooksTexts } from '../../texts/webhooks.ts';

const texts = developersTexts.events;
const DESCRIPTIONS: Record<EventType, string> = { ...webhooksTexts.events, ...texts.taskEvents };

const COLUMNS: readonly Column<EventType>[] = [
  { label: texts.columns.type, cell: (type) => <Code>{type}</Code> },
  { label: texts.columns.when, cell: (type) => DESCRIPTIONS[type] },
  {
    label: texts.columns.where,
    cell: (type) => (isWebhookEventType(type) ? texts.webhooksAndStream : texts.streamOnly),
  },
];

/** Every event type, and where programs get it. docs/reference/events.md#event-types */
export function EventCatalog() {
  return (
    <>
      <Text>{texts.text}</Text>
      <DataTable name={texts.title} columns={COLUMNS} rows={EVENT_TYPES} keyOf={(type) => type} />
    </>
  );
}
