import { Group, Text } from '@mantine/core';
import type { TaskOut } from '@svcforms/contracts';
import { Link } from '@tanstack/react-router';
import { capitalized } from '../../api/api-error.ts';
import { useMe } from '../../api/session.ts';
import { Time } from '../../components/time.tsx';
import { inboxTexts as texts } from '../../texts/inbox.ts';
import { hasVoted } from './may-vote.ts';
import { requesterOf } from './requester.ts';
import { PriorityBadge, TaskStatusBadge } from './task-badges.tsx';

export function TaskLink({ task }: { task: TaskOut }) {
  const me = useMe();
  const requester = requesterOf(task, me.id);
  return (
    <Link
      to="/tasks/$taskId"
      params={{ taskId: task.id }}
      search={(search) => search}
      activeOptions={{ includeSearch: false }}
      className="inbox-task"
    >
      <Text fw={600} lineClamp={2}>
        {task.title ?? texts.untitled}
      </Text>
      {requester && (
        <Text size="xs" c="dimmed">
          {texts.createdBy} {requester}
        </Text>
      )}
      {task.progress && (
        <Text size="xs" c="dimmed">
          {texts.votes.progress(task.progress.approved, task.progress.required)}
          {hasVoted(task, me.id) && `. ${texts.votes.voted}`}
          {task.progress.remaining === 0 && `. ${texts.votes.needsAgain}`}
        </Text>
      )}
      <Group gap="xs" mt={4}>
        {task.status !== 'awaiting' && <TaskStatusBadge status={task.status} />}
        {task.priority !== 'normal' && <PriorityBadge priority={task.priority} />}
        <Text size="xs" c="dimmed">
          {task.status === 'awaiting' ? `${capitalized(texts.onExpiry[task.onExpiry])} ` : null}
          <Time at={task.status === 'awaiting' ? task.expiresAt : (task.settledAt ?? task.createdAt)} />
        </Text>
      </Group>
    </Link>
  );
}
