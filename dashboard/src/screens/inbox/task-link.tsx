import { Group, Text } from '@mantine/core';
import type { TaskOut } from '@svcforms/contracts';
import { Link } from '@tanstack/react-router';
import { Time } from '../../components/time.tsx';
import { inboxTexts as texts } from '../../texts/inbox.ts';
import { PriorityBadge, TaskStatusBadge } from './task-badges.tsx';

export function TaskLink({ task }: { task: TaskOut }) {
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
      <Group gap="xs" mt={4}>
        {task.status !== 'awaiting' && <TaskStatusBadge status={task.status} />}
        {task.priority !== 'normal' && <PriorityBadge priority={task.priority} />}
        <Text size="xs" c="dimmed">
          {task.status === 'awaiting' ? `${texts.onExpiry[task.onExpiry]} ` : null}
          <Time at={task.status === 'awaiting' ? task.expiresAt : (task.settledAt ?? task.createdAt)} />
        </Text>
      </Group>
    </Link>
  );
}
