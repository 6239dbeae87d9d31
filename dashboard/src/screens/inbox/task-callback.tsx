import { Button, Code, Group, Stack, Text } from '@mantine/core';
import type { CallbackState, TaskOut } from '@svcforms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useHasScope } from '../../api/session.ts';
import { redeliverCallback, TASKS_KEY } from '../../api/tasks.ts';
import { StatusBadge, type Tone } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import { toastSuccess } from '../../components/toast.tsx';
import { inboxTexts as texts } from '../../texts/inbox.ts';
import { outcomeOf } from '../../components/delivery-badge.tsx';

const TONES: Readonly<Record<CallbackState, Tone>> = {
  pending: 'open',
  sending: 'open',
  delivered: 'good',
  failed: 'bad',
  unknown: 'attention',
};

/** The callback of a task and its attempts. */
export function TaskCallback({
  task,
  callback,
}: {
  task: TaskOut;
  callback: NonNullable<TaskOut['callback']>;
}) {
  const manages = useHasScope('tasks:manage');
  const queryClient = useQueryClient();
  const again = useMutation({
    mutationFn: () => redeliverCallback(task.id),
    onSuccess: () => toastSuccess(texts.redelivered),
    onSettled: () => queryClient.invalidateQueries({ queryKey: TASKS_KEY }),
  });
  const hasEnded = ['delivered', 'failed', 'unknown'].includes(callback.state);
  const canRepeat = manages && (hasEnded || callback.nextAttemptAt !== undefined);
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Text fw={600}>{texts.callback}</Text>
        <StatusBadge tone={TONES[callback.state]}>{texts.callbackStates[callback.state]}</StatusBadge>
      </Group>
      <Code>{callback.url}</Code>
      {callback.attempts.map(({ at, status, error }) => (
        <Text key={at}>
          <Time at={at} />: {outcomeOf({ status, error })}
        </Text>
      ))}
      {callback.nextAttemptAt !== undefined && (
        <Text>
          {texts.nextAttempt}: <Time at={callback.nextAttemptAt} isPlanned />
        </Text>
      )}
      {canRepeat && (
        <Button
          variant="default"
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          loading={again.isPending}
          onClick={() => again.mutate()}
        >
          {texts.redeliver}
        </Button>
      )}
    </Stack>
  );
}
