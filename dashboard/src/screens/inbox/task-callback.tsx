import { Button, Code, Group, Stack, Text } from '@mantine/core';
import type { TaskOut } from '@svcforms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMay } from '../../api/session.ts';
import { redeliverCallback, TASKS_KEY } from '../../api/tasks.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import { toastDone } from '../../components/toast.tsx';
import { inboxTexts as texts } from '../../texts/inbox.ts';

/** What became of telling whoever asked. */
export function TaskCallback({
  task,
  callback,
}: {
  task: TaskOut;
  callback: NonNullable<TaskOut['callback']>;
}) {
  const manages = useMay('tasks:manage');
  const queryClient = useQueryClient();
  const again = useMutation({
    mutationFn: () => redeliverCallback(task.id),
    onSuccess: () => toastDone(texts.redelivered),
    onSettled: () => queryClient.invalidateQueries({ queryKey: TASKS_KEY }),
  });
  const canRepeat = manages && ['delivered', 'failed', 'unknown'].includes(callback.state);
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Text fw={600}>{texts.callback}</Text>
        <StatusBadge colour={callback.state === 'delivered' ? 'teal' : 'gray'}>
          {texts.callbackStates[callback.state]}
        </StatusBadge>
      </Group>
      <Code>{callback.url}</Code>
      {callback.attempts.map(({ at, status, error }) => (
        <Text key={at}>
          <Time at={at} />: {[status, error].filter(Boolean).join(', ')}
        </Text>
      ))}
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
