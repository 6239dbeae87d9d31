import { Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import type { WebhookOut } from '@svcforms/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { recover, recoverableQuery, webhookChanged, type Webhook } from '../../api/webhooks.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { toastDone } from '../../components/toast.tsx';
import { webhooksTexts } from '../../texts/webhooks.ts';

const texts = webhooksTexts.recover;
const DAY_MS = 86_400_000;
/** So long deliveries are kept. contract: api.md §5 */
const KEPT_DAYS = 30;

/** ISO 8601: from when on what did not get through is to be sent, when nobody says otherwise: all that is still there. */
export function sinceOf({ createdAt }: Pick<WebhookOut, 'createdAt'>): string {
  // A whole day, so that it is the same each time one asks.
  const oldest = new Date((Math.floor(Date.now() / DAY_MS) - KEPT_DAYS) * DAY_MS).toISOString();
  return createdAt > oldest ? createdAt : oldest;
}

/** Sends again what was given up or held; how much that is, is known before. */
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
  const isTime = !Number.isNaN(Date.parse(local));
  // What was given is more exact than what an input of minutes can hold.
  const since = local === toLocal(first) ? first : isTime ? new Date(local).toISOString() : first;
  const count = useQuery({ ...recoverableQuery(webhook, since), enabled: isTime, gcTime: 0, staleTime: 0 });
  const send = useMutation({
    mutationFn: () => recover(webhook, { since, dryRun: false }),
    meta: { showsError: true },
    async onSuccess(recovered) {
      toastDone(texts.started(recovered.count));
      onClose();
      await webhookChanged(queryClient, webhook);
    },
  });
  return (
    <Modal opened onClose={onClose} title={texts.title}>
      <Stack>
        <Text>{texts.text}</Text>
        <FailureAlert error={send.error ?? count.error} />
        <TextInput
          type="datetime-local"
          data-autofocus
          label={texts.since}
          value={local}
          onChange={({ currentTarget }) => setLocal(currentTarget.value)}
        />
        <Text fw={600} role="status">
          {count.data === undefined
            ? texts.counting
            : count.data === 0
              ? texts.none
              : texts.count(count.data)}
        </Text>
        <Button disabled={!count.data} loading={send.isPending} onClick={() => send.mutate()}>
          {texts.confirm}
        </Button>
      </Stack>
    </Modal>
  );
}

/** As `datetime-local` takes it: YYYY-MM-DDThh:mm, where the reader is. */
function toLocal(at: string): string {
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
