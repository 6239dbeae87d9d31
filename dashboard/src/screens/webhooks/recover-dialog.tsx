import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  invalidateWebhook,
  pendingRetriesQuery,
  recover,
  recoverableQuery,
  type AnyWebhook,
  type Webhook,
} from '../../api/webhooks.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { toastSuccess } from '../../components/toast.tsx';
import { OpenedModal } from '../../components/opened-modal.tsx';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { useRetryNow } from './use-retry-now.ts';

const texts = webhooksTexts.recover;
const DAY_MS = 86_400_000;
/** The retention of deliveries. docs/reference/webhooks.md#delivery-retention */
const KEPT_DAYS = 30;

/** The default start (ISO 8601), which includes all deliveries that still exist. */
export function sinceOf({ createdAt }: Pick<AnyWebhook, 'createdAt'>): string {
  // Start of the day, so that the query key stays the same.
  const oldest = new Date((Math.floor(Date.now() / DAY_MS) - KEPT_DAYS) * DAY_MS).toISOString();
  return createdAt > oldest ? createdAt : oldest;
}

/**
 * Sends failed and held deliveries again, and shows their number before. Deliveries that wait for
 * their next attempt aren't recovered, so the dialog offers to retry those now.
 */
export function RecoverDialog({
  webhook,
  since: first,
  onClose,
}: {
  webhook: Webhook;
  since: string;
  onClose: () => void;
}) {
  const queryClient = useQueryClient();
  const [local, setLocal] = useState(() => toLocal(first));
  const [end, setEnd] = useState('');
  const isTime = !Number.isNaN(Date.parse(local));
  // The given time is more precise than the input, which holds minutes.
  const since = local === toLocal(first) ? first : isTime ? new Date(local).toISOString() : first;
  const until = Number.isNaN(Date.parse(end)) ? undefined : new Date(end).toISOString();
  const isPeriod = isTime && (until === undefined || until > since);
  const period = { since, until };
  const count = useQuery({
    ...recoverableQuery(webhook, period),
    enabled: isPeriod,
    gcTime: 0,
    staleTime: 0,
  });
  const send = useMutation({
    mutationFn: () => recover(webhook, { ...period, dryRun: false }),
    meta: { showsError: true },
    async onSuccess(recovered) {
      toastSuccess(texts.started(recovered.count));
      onClose();
      await invalidateWebhook(queryClient, webhook);
    },
  });
  return (
    <OpenedModal onClose={onClose} title={texts.title}>
      <Stack>
        <Text>{texts.text}</Text>
        <FailureAlert error={send.error ?? count.error} retry={send.error ? undefined : count.refetch} />
        <TextInput
          type="datetime-local"
          data-autofocus
          label={texts.since}
          value={local}
          onChange={({ currentTarget }) => setLocal(currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          label={texts.until}
          description={texts.untilHint}
          error={isPeriod || !isTime ? undefined : texts.order}
          value={end}
          onChange={({ currentTarget }) => setEnd(currentTarget.value)}
        />
        <Text fw={600} role="status">
          {count.fetchStatus !== 'idle' && count.data === undefined && texts.counting}
          {count.data === 0 && texts.none}
          {count.data !== undefined && count.data > 0 && texts.count(count.data)}
        </Text>
        <Button disabled={!count.data || !isPeriod} loading={send.isPending} onClick={() => send.mutate()}>
          {texts.confirm}
        </Button>
        <PendingRetries webhook={webhook} />
      </Stack>
    </OpenedModal>
  );
}

function PendingRetries({ webhook }: { webhook: Webhook }) {
  const pending = useQuery({ ...pendingRetriesQuery(webhook), gcTime: 0, staleTime: 0 });
  const retry = useRetryNow(webhook);
  const { data } = pending;
  return (
    <>
      <FailureAlert error={retry.error ?? pending.error} />
      {data?.failing.length === 0 && !data.areAll && <Text>{texts.noneAmongNewest}</Text>}
      {data && data.failing.length > 0 && (
        <>
          <Text fw={600}>{texts[data.areAll ? 'pending' : 'pendingAtLeast'](data.failing.length)}</Text>
          <Button variant="default" loading={retry.isPending} onClick={() => retry.mutate(data.failing)}>
            {texts.retryNow(data.failing.length)}
          </Button>
        </>
      )}
    </>
  );
}

/** The format of `datetime-local`: YYYY-MM-DDThh:mm in the reader's time zone. */
function toLocal(at: string): string {
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
