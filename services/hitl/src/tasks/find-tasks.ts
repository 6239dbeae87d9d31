import { TASK_PRIORITIES, type TaskQuery } from '@svcforms/contracts';
import type { Collection, Filter } from '@svcforms/document-store';
import { findPage, type PageOrder } from '@svcforms/http';
import type { TaskRecord } from '@svcforms/records';

const ORDERS = {
  createdAt: ['-createdAt', '-_id'],
  priority: ['-rank', '-createdAt', '-_id'],
  expiresAt: ['expiresAt', '_id'],
} as const satisfies Record<TaskQuery['sort'], PageOrder['keys']>;

/**
 * Finds a page of an account's tasks.
 * @throws AppError `VALIDATION_FAILED` for the cursor of another list.
 */
export function findTasks(
  tasks: Pick<Collection<TaskRecord>, 'find'>,
  accountId: string,
  query: TaskQuery,
): ReturnType<typeof findPage<TaskRecord>> {
  const { status, priority, templateId, assignee, limit, cursor, sort } = query;
  const filter: Filter<TaskRecord> = {
    accountId,
    ...(status && { status }),
    ...(priority && { rank: TASK_PRIORITIES.indexOf(priority) }),
    ...(templateId !== undefined && { formId: templateId }),
    ...(assignee !== undefined && { assignee }),
  };
  const wanted = query.q?.toLowerCase() ?? '';
  const matches = ({ title = '', description = '' }: TaskRecord) =>
    title.toLowerCase().includes(wanted) || description.toLowerCase().includes(wanted);

  return findPage(tasks, filter, {
    prefix: 'tsk',
    limit,
    cursor,
    order: { name: sort, keys: ORDERS[sort] },
    matches: wanted ? matches : undefined,
  });
}
