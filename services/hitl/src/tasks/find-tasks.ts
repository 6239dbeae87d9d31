import { maySeeForm, TASK_PRIORITIES, type TaskQuery } from '@svcforms/contracts';
import type { Collection, Filter } from '@svcforms/document-store';
import { findPage, type EnterSearch, type PageOrder } from '@svcforms/http';
import { charactersOf } from '@svcforms/primitives';
import type { FormRecord, TaskRecord } from '@svcforms/records';
import type { Actor } from './actor.ts';

const ORDERS = {
  createdAt: ['-createdAt', '-_id'],
  priority: ['-rank', '-createdAt', '-_id'],
  expiresAt: ['expiresAt', '_id'],
} as const satisfies Record<TaskQuery['sort'], PageOrder['keys']>;

interface FindTasksDeps {
  tasks: Pick<Collection<TaskRecord>, 'find'>;
  forms: Pick<Collection<FormRecord>, 'find'>;
  enterSearch: EnterSearch;
}

/**
 * Finds a page of the tasks that the actor may see.
 * @param signal ends a search whose client has left
 * @throws AppError `VALIDATION_FAILED` for the cursor of another list, `RATE_LIMITED` while other
 * searches of the actor run.
 */
export type FindTasks = (
  actor: Actor,
  query: TaskQuery,
  signal: AbortSignal,
) => ReturnType<typeof findPage<TaskRecord>>;

export function createFindTasks({ tasks, forms, enterSearch }: FindTasksDeps): FindTasks {
  return async function findTasks(actor, query, signal) {
    const { accountId } = actor;
    const { status, priority, templateId, assignee, limit, cursor, sort } = query;
    const filter: Filter<TaskRecord> = {
      accountId,
      ...(status && { status }),
      ...(priority && { rank: TASK_PRIORITIES.indexOf(priority) }),
      ...(templateId !== undefined && { formId: status === 'awaiting' ? among(templateId) : templateId }),
      ...(assignee !== undefined && { assignee }),
    };
    const wanted = query.q?.toLowerCase() ?? '';
    const hiddenForms = await findHiddenForms(forms, actor);
    const matches = ({ formId, title = '', description = '' }: TaskRecord) =>
      !hiddenForms.has(formId) &&
      (title.toLowerCase().includes(wanted) || description.toLowerCase().includes(wanted));

    const release = wanted ? await enterSearch(actor.by, signal) : () => {};
    try {
      return await findPage(tasks, filter, {
        prefix: 'tsk',
        limit,
        cursor,
        order: { name: sort, keys: ORDERS[sort] },
        matches: wanted || hiddenForms.size > 0 ? matches : undefined,
        // Values are stored as text.
        sizeOf: charactersOf,
        signal,
      });
    } finally {
      release();
    }
  };
}

/**
 * Equal, but as a range, so that SQLite searches the pending tasks and not the index by form: most
 * tasks of a form are resolved.
 */
const among = (formId: string) => ({ $gte: formId, $lte: formId });

/** The ids of forms that the actor may not see. docs/reference/forms.md#reviewers */
async function findHiddenForms(
  forms: Pick<Collection<FormRecord>, 'find'>,
  actor: Pick<Actor, 'accountId' | 'memberOf'>,
): Promise<ReadonlySet<string>> {
  if (actor.memberOf === undefined) return new Set();
  const limited = await forms.find({ accountId: actor.accountId, 'settings.reviewers': { $exists: true } });
  return new Set(limited.filter((form) => !maySeeForm(actor, form)).map(({ _id }) => _id));
}
