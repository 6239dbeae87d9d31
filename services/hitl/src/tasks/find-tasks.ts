import { TASK_PRIORITIES, validationFailed, type TaskQuery } from '@svcforms/contracts';
import type { Collection, Filter } from '@svcforms/document-store';
import type { TaskRecord } from '@svcforms/records';

/** What a list may be sorted by, and by what else to tell equals apart. */
const ORDERS = {
  createdAt: ['-createdAt', '-_id'],
  priority: ['-rank', '-createdAt', '-_id'],
  expiresAt: ['expiresAt', '_id'],
} as const satisfies Record<TaskQuery['sort'], readonly string[]>;

type Keys = (string | number)[];

/** One page of an account's tasks. @throws AppError `VALIDATION_FAILED` for a cursor of another list. */
export async function findTasks(
  tasks: Pick<Collection<TaskRecord>, 'find'>,
  accountId: string,
  query: TaskQuery,
): Promise<{ items: TaskRecord[]; pagination: { nextCursor: string | null; limit: number } }> {
  const { status, priority, templateId, assignee, limit, sort } = query;
  const filter: Filter = {
    accountId,
    ...(status && { status }),
    ...(priority && { rank: TASK_PRIORITIES.indexOf(priority) }),
    ...(templateId !== undefined && { formId: templateId }),
    ...(assignee !== undefined && { assignee }),
  };
  const wanted = query.q?.toLowerCase() ?? '';
  const matches = ({ title = '', description = '' }: TaskRecord) =>
    title.toLowerCase().includes(wanted) || description.toLowerCase().includes(wanted);

  const order = ORDERS[sort];
  const size = limit + 1;
  const items: TaskRecord[] = [];
  let after = query.cursor === undefined ? undefined : readCursor(sort, query.cursor);
  for (;;) {
    const found = await tasks.find(filter, { sort: order, limit: size, ...(after && { after }) });
    items.push(...(wanted ? found.filter(matches) : found));
    const last = found.at(-1);
    if (items.length >= size || found.length < size || !last) break;
    after = keysOf(last, sort);
  }
  const last = items[limit - 1];
  const nextCursor = items.length > limit && last ? writeCursor(sort, keysOf(last, sort)) : null;
  return { items: items.slice(0, limit), pagination: { nextCursor, limit } };
}

function keysOf(task: TaskRecord, sort: TaskQuery['sort']): Keys {
  const { _id, createdAt, rank, expiresAt } = task;
  if (sort === 'expiresAt') return [expiresAt, _id];
  return sort === 'priority' ? [rank, createdAt, _id] : [createdAt, _id];
}

const writeCursor = (sort: string, keys: Keys) =>
  Buffer.from(JSON.stringify([sort, ...keys])).toString('base64url');

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ID = /^tsk_[0-9A-Z]{26}$/;

function readCursor(sort: TaskQuery['sort'], cursor: string): Keys {
  const keys = parse(Buffer.from(cursor, 'base64url').toString());
  if (keys[0] === sort && keys.length === ORDERS[sort].length + 1) {
    const [, ...values] = keys;
    const [id, time, rank = 0] = values.toReversed();
    const isWhole =
      typeof id === 'string' &&
      ID.test(id) &&
      typeof time === 'string' &&
      TIME.test(time) &&
      typeof rank === 'number';
    if (isWhole) return values as Keys;
  }
  throw validationFailed([
    {
      pointer: '/cursor',
      message: `is not a cursor of this list sorted by ${sort}; take nextCursor from the page before`,
    },
  ]);
}

function parse(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
