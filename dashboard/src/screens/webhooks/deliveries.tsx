import { Box, Button, Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import type { DeliveryOut, DeliveryStatus, EventType } from '@svcforms/contracts';
import { IconSend } from '@tabler/icons-react';
import { useLiveList } from '../../api/live-list.ts';
import { deliveryList, type AnyWebhook, type DeliveryFilters } from '../../api/webhooks.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Loading } from '../../components/loading.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { Time } from '../../components/time.tsx';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { DeliveryBadge, outcomeOf } from './delivery-badge.tsx';
import { eventTypesFor } from './event-types.ts';
import { useRedeliver } from './use-redeliver.ts';
import { DeliveryLink } from './webhook-links.tsx';

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
  const redeliver = useRedeliver(webhook);
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
        {list.isPending && <Loading />}
        {list.isError && <FailureAlert error={list.error} retry={list.refetch} />}
        {list.isSuccess && rows.length === 0 && (
          <EmptyState icon={IconSend} text={isFiltered ? texts.nothingFound : empty} />
        )}
        {rows.length > 0 && (
          <DataTable
            name={texts.title}
            columns={columnsOf(webhook, redeliver.mutate)}
            rows={rows}
            keyOf={({ id }) => id}
          />
        )}
        <MoreButton query={list} />
      </Stack>
    </Box>
  );
}

const optionsOf = (table: Readonly<Record<string, string>>) =>
  Object.entries(table).map(([value, label]) => ({ value, label }));

function columnsOf(webhook: AnyWebhook, redeliver: (delivery: DeliveryOut) => void): Column<DeliveryOut>[] {
  return [
    {
      label: texts.columns.event,
      cell: ({ id, eventType }) => (
        <DeliveryLink webhook={webhook} deliveryId={id}>
          {eventType}
        </DeliveryLink>
      ),
    },
    { label: texts.columns.status, cell: ({ status }) => <DeliveryBadge status={status} /> },
    { label: texts.columns.attempts, cell: ({ attempts }) => attempts.length, isNumber: true },
    {
      label: texts.columns.response,
      cell: ({ attempts }) => {
        const last = attempts.at(-1);
        return last && outcomeOf(last);
      },
    },
    { label: texts.columns.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      label: texts.columns.next,
      cell: ({ nextAttemptAt }) => nextAttemptAt && <Time at={nextAttemptAt} />,
    },
    ...(webhook.isEnabled
      ? [
          {
            label: texts.columns.actions,
            cell: (delivery: DeliveryOut) =>
              delivery.status !== 'delivering' && (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={texts.redeliverOf(delivery.id)}
                  onClick={() => redeliver(delivery)}
                >
                  {texts.redeliver}
                </Button>
              ),
          },
        ]
      : []),
  ];
}
