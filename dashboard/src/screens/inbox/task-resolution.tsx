import { Text } from '@mantine/core';
import type { TaskOut } from '@svcforms/contracts';
import { useQuery } from '@tanstack/react-query';
import { taskHistoryQuery } from '../../api/tasks.ts';
import { Time } from '../../components/time.tsx';
import { inboxTexts as texts } from '../../texts/inbox.ts';

/** What happens at expiry while the task is pending, and then who or what resolved it. */
export function TaskResolution({ task, nameOf }: { task: TaskOut; nameOf: (id: string) => string }) {
  const { status, decidedBy, resolvedBy } = task;
  // Only the history contains who cancelled the task.
  const history = useQuery({ ...taskHistoryQuery(task.id), enabled: status === 'cancelled' });
  if (status === 'awaiting') {
    return (
      <Text>
        {texts.withoutDecision} {texts.onExpiry[task.onExpiry]} <Time at={task.expiresAt} />
      </Text>
    );
  }
  const canceller = history.data?.find(({ event }) => event === 'cancelled')?.by;
  const by = decidedBy ?? canceller;
  const isByExpiry = resolvedBy === 'expiry' || status === 'expired';
  if (!isByExpiry && by === undefined) return null;
  return (
    <Text>
      {texts.resolvedBy} {isByExpiry ? texts.expiry : by && nameOf(by)}
      {task.settledAt && (
        <>
          , <Time at={task.settledAt} />
        </>
      )}
    </Text>
  );
}
