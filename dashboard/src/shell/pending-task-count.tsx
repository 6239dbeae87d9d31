import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { pendingTaskCountQuery } from '../api/tasks.ts';
import { shellTexts } from '../texts/shell.ts';

/** The number of pending tasks, beside the inbox in the navigation. */
export function PendingTaskCount() {
  const { data: count = '' } = useQuery(pendingTaskCountQuery);
  if (count === '') return null;
  return (
    <Badge variant="default" size="sm" tt="none">
      {count} <span className="visually-hidden">{shellTexts.pendingTasks}</span>
    </Badge>
  );
}
