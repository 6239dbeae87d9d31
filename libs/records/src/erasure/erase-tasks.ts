import {
  isDuplicateKey,
  type AnyDocument,
  type Collection,
  type Filter,
  type Update,
} from '@svcforms/document-store';
import type { TaskRecord } from '../collections/task.ts';
import type { ErasureCollections } from './erasure-collections.ts';
import type { ErasureRecord } from './erasure-record.ts';
import { erasedEventsOfMade, erasedEventsOfTask } from './events-of.ts';
import { findById } from './find-by-id.ts';
import { callbackReceivedAt, type ReceivedBy } from './received-by.ts';
import { taskTombstone, taskWithoutValues } from './tombstone.ts';

/**
 * Replaces the tasks of an erasure with tombstones, and removes the values from the tasks that
 * stay.
 *
 * A task may be resolved between being read and being erased, and its submission is stored after
 * that. So a task is erased only if it hasn't changed, and only after the stored record names its
 * submission. Changed tasks are read again.
 *
 * @returns the extended record, and the endpoints that received callbacks.
 */
export async function eraseTasks(
  collections: Pick<ErasureCollections, 'tasks' | 'erasures'>,
  given: ErasureRecord,
): Promise<{ record: ErasureRecord; receivedBy: ReceivedBy[] }> {
  const { tasks } = collections;
  const { at, taskIds, emptiedTaskIds } = given;
  const sent = new Map<string, ReceivedBy>();
  let record = given;
  for (;;) {
    const found = [...(await findById(tasks, [...taskIds, ...emptiedTaskIds])).values()];
    record = await withSubmissionsOf(collections, found, record);
    for (const task of found) {
      const receivedBy = callbackReceiver(task, at);
      if (receivedBy) sent.set(task._id, receivedBy);
    }
    const operations = found.flatMap((task) => {
      if (taskIds.includes(task._id)) return [{ filter: taskAsRead(task), update: taskTombstone(task, at) }];
      // The whole task was erased meanwhile.
      if (task.accountId === '') return [];
      return [{ filter: taskAsRead(task), update: taskWithoutValues(task, at) }];
    });
    if (operations.length === 0 || (await updateErased(tasks, operations)) === operations.length)
      return { record, receivedBy: [...sent.values()] };
  }
}

interface TaskUpdate {
  filter: Filter<TaskRecord>;
  update: Update<TaskRecord>;
}

/**
 * Applies the updates that erase tasks. During an upgrade, a process of an older version may create
 * another task with the dedupe key of an erased one. That task loses its key, which the erased one
 * reserves already.
 * @returns the number of tasks that matched. Some may not match because this call has changed them
 * before.
 */
export async function updateErased(
  tasks: Pick<Collection<TaskRecord, AnyDocument>, 'bulkUpdate' | 'updateOne'>,
  operations: readonly TaskUpdate[],
): Promise<number> {
  try {
    return await tasks.bulkUpdate(operations);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  let matched = 0;
  for (const { filter, update } of operations) {
    const isMatched = await tasks.updateOne(filter, update).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
      return tasks.updateOne(filter, withoutDedupe(update));
    });
    if (isMatched) matched += 1;
  }
  return matched;
}

function withoutDedupe({ $set = {}, $unset = {}, ...update }: Update<TaskRecord>): Update<TaskRecord> {
  const { dedupe: _dedupe, ...others } = $set;
  return { ...update, $set: others, $unset: { ...$unset, dedupe: true } };
}

/**
 * Matches a task unless it was voted on or resolved, its callback changed, or its message in Slack
 * was posted, since it was read.
 */
export function taskAsRead({
  _id,
  status,
  revision,
  submissionId,
  callback,
  slack,
}: TaskRecord): Filter<TaskRecord> {
  return {
    _id,
    status,
    revision: revision ?? null,
    submissionId: submissionId ?? null,
    'callback.state': callback?.state ?? null,
    'slack.ts': slack?.ts ?? null,
  };
}

/** Adds the submissions of these tasks to the stored record, unless it names them. */
async function withSubmissionsOf(
  { erasures }: Pick<ErasureCollections, 'erasures'>,
  found: readonly TaskRecord[],
  record: ErasureRecord,
): Promise<ErasureRecord> {
  const added = found.filter(
    ({ submissionId }) => submissionId !== undefined && !record.submissionIds.includes(submissionId),
  );
  if (added.length === 0) return record;
  const submissionIds = added.flatMap(({ submissionId }) => submissionId ?? []);
  const events = added.flatMap((task) => [...erasedEventsOfTask(task), ...erasedEventsOfMade(task)]);
  await erasures.updateOne(
    { _id: record._id },
    { $push: { submissionIds: { $each: submissionIds }, events: { $each: events } } },
  );
  return {
    ...record,
    submissionIds: [...record.submissionIds, ...submissionIds],
    events: [...record.events, ...events],
  };
}

function callbackReceiver({ _id: id, formId, callback }: TaskRecord, at: string): ReceivedBy | undefined {
  const receivedAt = callback && callbackReceivedAt(callback, at);
  if (!callback || receivedAt === undefined) return undefined;
  return { kind: 'callback', id, formId, url: callback.url, receivedAt };
}
