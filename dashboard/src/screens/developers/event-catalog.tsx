import { Anchor, Button, Code, Modal, Stack, Text } from '@mantine/core';
import { EVENT_TYPES, isWebhookEventType, type EventType, type EventTypeOut } from '@svcforms/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { eventTypesQuery } from '../../api/event-types.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Loading } from '../../components/loading.tsx';
import { ProgramName } from '../../components/name-list.tsx';
import { developersTexts } from '../../texts/developers.ts';
import { webhooksTexts } from '../../texts/webhooks.ts';

const texts = developersTexts.events;
const DESCRIPTIONS: Record<EventType, string> = { ...webhooksTexts.events, ...texts.taskEvents };

/**
 * Every event type, where programs get it, and what webhooks send.
 * docs/reference/webhooks.md#event-catalog
 */
export function EventCatalog() {
  const [shown, setShown] = useState<EventType | null>(null);
  const columns: readonly Column<EventType>[] = [
    {
      label: texts.columns.type,
      cell: (type) => (
        <Code>
          <ProgramName name={type} />
        </Code>
      ),
    },
    { label: texts.columns.when, cell: (type) => DESCRIPTIONS[type] },
    {
      label: texts.columns.where,
      cell: (type) => (isWebhookEventType(type) ? texts.allWebhooks : texts.accountWebhooks),
    },
    {
      label: texts.columns.payload,
      cell: (type) => (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => setShown(type)}
          aria-label={texts.exampleOf(type)}
        >
          {texts.example}
        </Button>
      ),
    },
  ];
  return (
    <>
      <Text>{texts.text}</Text>
      <DataTable name={texts.title} columns={columns} rows={EVENT_TYPES} keyOf={(type) => type} />
      <Modal opened={shown !== null} onClose={() => setShown(null)} title={shown} size="lg">
        {shown && <Payload type={shown} />}
      </Modal>
    </>
  );
}

function Payload({ type }: { type: EventType }) {
  const catalog = useQuery(eventTypesQuery);
  if (catalog.isError) return <FailureAlert error={catalog.error} retry={catalog.refetch} />;
  const entry = catalog.data?.find((other) => other.type === type);
  return entry ? <PayloadText entry={entry} /> : <Loading />;
}

function PayloadText({ entry: { description, version, example, minimalExample } }: { entry: EventTypeOut }) {
  const full = JSON.stringify(example, null, 2);
  const minimal = JSON.stringify(minimalExample, null, 2);
  return (
    <Stack gap="md">
      <Text>{description}</Text>
      <CodeBlock title={texts.full} code={full} />
      {minimal !== full && <CodeBlock title={texts.minimal} code={minimal} />}
      <Text size="sm" c="dimmed">
        {texts.version(version)}{' '}
        <Anchor underline="always" href="/docs" target="_blank" rel="noreferrer">
          {texts.schema}
        </Anchor>
      </Text>
    </Stack>
  );
}
