import { Box, Button, Checkbox, Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import type { DeliveryOut, DeliveryStatus, EventType } from '@svcforms/contracts';
import { IconSend } from '@tabler/icons-react';
import { useState, type Dispatch, type SetStateAction } from 'react';
import { useLiveList } from '../../api/live-list.ts';
import { deliveryList, type AnyWebhook, type DeliveryFilters } from '../../api/webhooks.ts';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Loading } from '../../components/loading.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { Outdated } from '../../components/outdated.tsx';
import { toggled } from '../../components/toggled.ts';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { deliveryColumns, isRetryable } from './delivery-columns.tsx';
import { eventTypesFor } from './event-types.ts';
import { useRedeliver } from './use-redeliver.ts';
import { useRetryNow } from './use-retry-now.ts';

const texts = webhooksTexts.deliveries;

/** The deliveries of a webhook, which refresh automatically. */
export function Deliveries({
  webhook,
  filters,
  onFilter,
}: {
  webhook: AnyWebhook;
  filters: DeliveryFilters;
  /** Receives the new filters for the URL. */
  onFilter: (filters: DeliveryFilters) => void;
}) {
  const { list, rows } = useLiveList(deliveryList(webhook, filters));
  const isEmpty = rows.length === 0;
  const redeliver = useRedeliver(webhook);
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const { status, eventType } = filters;
  const isFiltered = status !== undefined || eventType !== undefined;
  const empty = webhook.formId === undefined ? webhooksTexts.account.noDeliveries : texts.empty;
  return (
    <Box component="section" aria-label={texts.title}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-end">
          <Box>
            <Title order={3} size="h4">
              {texts.title}
            </Title>
            <Text c="dimmed">{texts.kept}</Text>
          </Box>
          <Group align="flex-end">
            <NativeSelect
              label={texts.statusLabel}
              value={status ?? ''}
              data={[{ value: '', label: texts.anyStatus }, ...optionsOf(texts.statuses)]}
              onChange={({ currentTarget: { value } }) =>
                onFilter({ status: (value || undefined) as DeliveryStatus | undefined, eventType })
              }
            />
            <NativeSelect
              label={texts.eventLabel}
              value={eventType ?? ''}
              data={[
                { value: '', label: texts.anyEvent },
                ...eventTypesFor(webhook).map((type) => ({ value: type, label: type })),
              ]}
              onChange={({ currentTarget: { value } }) =>
                onFilter({ status, eventType: (value || undefined) as EventType | undefined })
              }
            />
          </Group>
        </Group>
        {(list.isPending || (isEmpty && list.isPlaceholderData)) && <Loading shape="rows" />}
        {list.isError && <FailureAlert error={list.error} retry={list.refetch} />}
        {list.isSuccess && isEmpty && !list.isPlaceholderData && (
          <EmptyState icon={IconSend} text={isFiltered ? texts.nothingFound : empty} />
        )}
        {!isEmpty && (
          <Outdated when={list.isPlaceholderData}>
            {webhook.isEnabled && (
              <SelectionBar webhook={webhook} rows={rows} ids={selectedIds} onSelect={setSelectedIds} />
            )}
            <DataTable
              name={texts.title}
              columns={deliveryColumns(
                webhook,
                {
                  has: ({ id }) => selectedIds.has(id),
                  toggle: ({ id }) => setSelectedIds(toggled(selectedIds, id)),
                },
                redeliver.mutate,
              )}
              rows={rows}
              keyOf={({ id }) => id}
            />
          </Outdated>
        )}
        <MoreButton query={list} />
      </Stack>
    </Box>
  );
}

const optionsOf = (table: Readonly<Record<string, string>>) =>
  Object.entries(table).map(([value, label]) => ({ value, label }));

/** Selects all loaded deliveries, and sends the selected ones again. */
function SelectionBar({
  webhook,
  rows,
  ids,
  onSelect,
}: {
  webhook: AnyWebhook;
  rows: readonly DeliveryOut[];
  ids: ReadonlySet<string>;
  onSelect: Dispatch<SetStateAction<ReadonlySet<string>>>;
}) {
  // Retried deliveries leave the selection, so another try sends only the rest.
  const retry = useRetryNow(webhook, (id) =>
    onSelect((current) => new Set([...current].filter((other) => other !== id))),
  );
  const retryable = rows.filter((delivery) => isRetryable(webhook, delivery));
  const selected = retryable.filter(({ id }) => ids.has(id));
  const hasAll = selected.length > 0 && selected.length === retryable.length;
  return (
    <>
      <FailureAlert error={retry.error} />
      {/* The height stays, so that the table doesn't move. */}
      <Group mih={36}>
        <Checkbox
          label={texts.selectAll}
          checked={hasAll}
          indeterminate={selected.length > 0 && !hasAll}
          disabled={retryable.length === 0}
          onChange={() => onSelect(new Set(hasAll ? [] : retryable.map(({ id }) => id)))}
        />
        {selected.length > 0 && (
          <>
            <Text role="status">{texts.selected(selected.length)}</Text>
            <Button size="xs" loading={retry.isPending} onClick={() => retry.mutate(selected)}>
              {texts.retrySelected}
            </Button>
          </>
        )}
      </Group>
    </>
  );
}
