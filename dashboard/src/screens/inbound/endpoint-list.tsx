import { Text } from '@mantine/core';
import type { InboundOut } from '@svcforms/contracts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { TextLink } from '../../components/links.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import { inboundTexts } from '../../texts/inbound.ts';

const texts = inboundTexts.list;

const COLUMNS: readonly Column<InboundOut>[] = [
  {
    label: texts.columns.name,
    cell: ({ id, formId, name }) => (
      <TextLink to="/forms/$formId/integrations/$inboundId" params={{ formId, inboundId: id }}>
        {name}
      </TextLink>
    ),
  },
  { label: texts.columns.token, cell: ({ tokenLast4 }) => tokenLast4 },
  {
    label: texts.columns.signing,
    cell: ({ hasSecret, requireTimestamp }) =>
      requireTimestamp ? texts.timestamped : hasSecret ? texts.signed : texts.unsigned,
  },
  {
    label: texts.columns.state,
    cell: ({ isEnabled }) => (
      <StatusBadge tone={isEnabled ? 'good' : 'neutral'}>
        {isEnabled ? texts.enabled : texts.disabled}
      </StatusBadge>
    ),
  },
  { label: texts.columns.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** The inbound endpoints of a form, with links to their screens. */
export function EndpointList({ endpoints }: { endpoints: readonly InboundOut[] }) {
  return (
    <>
      <Text>{texts.text}</Text>
      <DataTable name={texts.title} columns={COLUMNS} rows={endpoints} keyOf={({ id }) => id} />
    </>
  );
}
