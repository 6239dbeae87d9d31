import { Box, Text, Title } from '@mantine/core';
import type { FieldMapping, FormField, InboundOut, InboundRequestsOut } from '@svcforms/contracts';
import { useQuery } from '@tanstack/react-query';
import { inboundRequestsQuery } from '../../api/inbound.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Loading } from '../../components/loading.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import { inboundTexts } from '../../texts/inbound.ts';
import { fieldNameAt } from './field-mapping.ts';

const texts = inboundTexts.requests;
type InboundRequest = InboundRequestsOut[number];

const columnsFor = (
  fields: readonly FormField[],
  mapping: FieldMapping,
): readonly Column<InboundRequest>[] => [
  { label: texts.columns.time, cell: ({ time }) => <Time at={time} /> },
  {
    label: texts.columns.response,
    cell: ({ status, code }) => (
      <StatusBadge tone={code === null ? 'good' : 'bad'}>
        {code === null ? texts.accepted : texts.rejected(status)}
      </StatusBadge>
    ),
  },
  {
    label: texts.columns.reason,
    cell: ({ code, pointer }) =>
      code !== null && (
        <>
          {`${texts.reasons[code] ?? ''} (${code})`.trimStart()}
          {pointer !== null && <Text size="sm">{texts.field(fieldNameAt(fields, mapping, pointer))}</Text>}
        </>
      ),
  },
  { label: texts.columns.ip, cell: ({ ip }) => ip },
  { label: texts.columns.size, cell: ({ size }) => size?.toLocaleString('en'), isNumber: true },
];

/** The request log of an inbound endpoint, which refreshes automatically. */
export function InboundRequests({
  fields,
  endpoint,
}: {
  fields: readonly FormField[];
  endpoint: InboundOut;
}) {
  const requests = useQuery(inboundRequestsQuery(endpoint));
  const rows = (requests.data ?? []).map((request, index, all) => ({
    ...request,
    // Requests have no ids. Counting from the oldest keeps the keys stable when new requests
    // arrive.
    key: `${request.time} ${all.slice(index).filter(({ time }) => time === request.time).length}`,
  }));
  return (
    <Box component="section" aria-label={texts.title}>
      <Title order={3} size="h4">
        {texts.title}
      </Title>
      <Text c="dimmed" mb="xs">
        {texts.text}
      </Text>
      {requests.isPending && <Loading shape="rows" />}
      {requests.isError && !requests.data && <FailureAlert error={requests.error} retry={requests.refetch} />}
      {requests.data && rows.length === 0 && <Text>{texts.empty}</Text>}
      {rows.length > 0 && (
        <DataTable
          name={texts.title}
          columns={columnsFor(fields, endpoint.fieldMapping)}
          rows={rows}
          keyOf={({ key }) => key}
        />
      )}
    </Box>
  );
}
