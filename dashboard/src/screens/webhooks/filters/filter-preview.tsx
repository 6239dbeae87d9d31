import { Box, Stack, Text, Title } from '@mantine/core';
import {
  valueAtPointer,
  type FilterCondition,
  type FilterPreviewOut,
  type WebhookFilter,
} from '@svcforms/contracts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { filterPreviewQuery } from '../../../api/webhook-filters.ts';
import { DataTable, type Column } from '../../../components/data-table.tsx';
import { FailureAlert } from '../../../components/failure-alert.tsx';
import { Loading } from '../../../components/loading.tsx';
import { Outdated } from '../../../components/outdated.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { Time } from '../../../components/time.tsx';
import { filterTexts } from '../../../texts/webhook-filters.ts';
import type { PathChoices } from './condition-input.tsx';
import type { FilteredWebhook } from './filter-input.tsx';
import { labelOfPath } from './filter-words.ts';

const texts = filterTexts.preview;
const LIMIT = 10;
type PreviewedEvent = FilterPreviewOut['events'][number];

/** Recent events, and whether the filter lets them pass. The server decides, as for real events. */
export function FilterPreview({
  filter,
  webhook: { formId, events, forms },
  choices,
}: {
  filter: WebhookFilter;
  webhook: FilteredWebhook;
  choices: PathChoices;
}) {
  const request = { filter, events, limit: LIMIT, ...(formId === undefined && { forms }) };
  const preview = useQuery({
    ...filterPreviewQuery(formId, request),
    placeholderData: keepPreviousData,
  });
  const { data } = preview;
  return (
    <Box component="section" aria-label={texts.title}>
      <Stack gap="xs">
        <Title order={3} size="h5">
          {texts.title}
        </Title>
        <Text size="sm">{texts.text}</Text>
        {preview.isPending && <Loading />}
        {!data && <FailureAlert error={preview.error} retry={preview.refetch} />}
        {data && (
          <Outdated when={preview.isPlaceholderData}>
            <Text size="sm" fw={600} role="status">
              {texts.count(data.passing, data.events.length)}
            </Text>
            <DataTable
              name={texts.title}
              columns={columnsOf(filter, choices)}
              rows={data.events}
              keyOf={({ eventType, submissionId, taskId, timestamp }) =>
                [eventType, submissionId, taskId, timestamp].join()
              }
            />
          </Outdated>
        )}
      </Stack>
    </Box>
  );
}

function columnsOf(filter: WebhookFilter, choices: PathChoices): Column<PreviewedEvent>[] {
  return [
    {
      label: texts.columns.event,
      cell: ({ eventType, timestamp, sample }) => (
        <>
          <Text size="sm">{eventType}</Text>
          <Text size="sm" c="dimmed">
            {sample ? texts.sample : <Time at={timestamp} />}
          </Text>
        </>
      ),
    },
    {
      label: texts.columns.result,
      cell: ({ passes }) => (
        <StatusBadge tone={passes ? 'good' : 'neutral'}>
          {passes ? texts.matches : texts.doesNotMatch}
        </StatusBadge>
      ),
    },
    {
      label: texts.columns.reason,
      cell: ({ decidedBy, found }) => (
        <Text size="sm" style={{ wordBreak: 'break-word' }}>
          {reasonOf(filter, { decidedBy, found }, choices)}
        </Text>
      ),
    },
  ];
}

function reasonOf(
  filter: WebhookFilter,
  { decidedBy, found }: Pick<PreviewedEvent, 'decidedBy' | 'found'>,
  { fields, event }: PathChoices,
): string {
  // The list may still be that of the filter before.
  const condition = decidedBy === null ? undefined : valueAtPointer(filter, decidedBy)?.value;
  if (typeof condition !== 'object' || condition === null || !('path' in condition)) return texts.several;
  const label = labelOfPath((condition as FilterCondition).path, [...fields, ...event]);
  return texts.value(label, found ?? texts.missing);
}
