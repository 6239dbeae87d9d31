import { maySeeForm, TASK_PRIORITIES, type TaskQuery } from '@svcforms/contracts';
import type { Collection, Filter } from '@svcforms/document-store';
import { findPage, type PageOrder } from '@svcforms/http';
import type { FormRecord, TaskRecord } from '@svcforms/records';
import type { Actor } from './actor.ts';

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
  /** Ids of forms whose tasks are left out. */
  hiddenForms: ReadonlySet<string>,
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
  const matches = ({ formId, title = '', description = '' }: TaskRecord) =>
    !hiddenForms.has(formId) &&
    (title.toLowerCase().includes(wanted) || description.toLowerCase().includes(wanted));

  return findPage(tasks, filter, {
    prefix: 'tsk',
    limit,
    cursor,
    order: { name: sort, keys: ORDERS[sort] },
    matches: wanted || hiddenForms.size > 0 ? matches : undefined,
  });
}

/** The ids of forms that the actor may not see. docs/reference/forms.md#reviewers */
export async function findHiddenForms(
  forms: Pick<Collection<FormRecord>, 'find'>,
  actor: Pick<Actor, 'accountId' | 'memberOf'>,
): Promise<ReadonlySet<string>> {
  if (actor.memberOf === undefined) return new Set();
  const limited = await forms.find({ accountId: actor.accountId, 'settings.reviewers': { $exists: true } });
  return new Set(limited.filter((form) => !maySeeForm(actor, form)).map(({ _id }) => _id));
}
