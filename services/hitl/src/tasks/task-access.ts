import { AppError, maySeeForm } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { isoTime, type Clock } from '@svcforms/primitives';
import type { FormRecord, TaskRecord } from '@svcforms/records';
import type { Actor } from './actor.ts';
import type { Expiry } from './expiry.ts';
import { isOverdue, resolvedError } from './task-errors.ts';

/** Others may claim and release a task at the same time. */
const CHANGE_TRIES = 20;

interface TaskAccessDeps {
  tasks: Pick<Collection<TaskRecord>, 'findOne'>;
  /** From the cache. */
  findForm: (formId: string) => Promise<FormRecord | null>;
  expiry: Pick<Expiry, 'expire'>;
  now: Clock;
}

export type TaskAccess = ReturnType<typeof createTaskAccess>;

/**
 * The functions that find a task for an actor. @throws AppError `NOT_FOUND` from each, even for a
 * task of another account
 */
export function createTaskAccess({ tasks, findForm, expiry, now }: TaskAccessDeps) {
  async function maySee(actor: Actor, { formId }: TaskRecord): Promise<boolean> {
    return actor.memberOf === undefined || maySeeForm(actor, await findForm(formId));
  }

  async function find(actor: Actor, taskId: string): Promise<TaskRecord> {
    const task = await tasks.findOne({ _id: taskId, accountId: actor.accountId });
    if (!task || !(await maySee(actor, task))) throw new AppError('NOT_FOUND', 'There is no such task');
    return task;
  }

  async function findManaged(actor: Actor, taskId: string): Promise<TaskRecord> {
    if (actor.mayManage) return find(actor, taskId);
    const own = await tasks.findOne({ _id: taskId, accountId: actor.accountId, createdBy: actor.by });
    if (own && (await maySee(actor, own))) return own;
    // The same error for a task that doesn't exist, because the actor may not be allowed to read
    // tasks.
    throw new AppError(
      'INSUFFICIENT_SCOPE',
      'This call requires the scope tasks:manage, except for tasks that the caller created',
      { members: { requiredScope: 'tasks:manage' } },
    );
  }

  /** Finds a task that awaits a decision. An overdue task is expired first. */
  async function findAwaiting(actor: Actor, taskId: string): Promise<TaskRecord> {
    return checkAwaiting(actor, await find(actor, taskId));
  }

  async function checkAwaiting(actor: Actor, found: TaskRecord): Promise<TaskRecord> {
    let task = found;
    if (isOverdue(task, isoTime(now()))) {
      await expiry.expire(task);
      task = await find(actor, task._id);
    }
    if (task.status !== 'awaiting') throw resolvedError(task);
    return task;
  }

  /**
   * Changes a task that awaits a decision with a conditional update, which returns `null` if others
   * changed the task meanwhile, and is repeated with what they left then. It throws if the task no
   * longer allows the change.
   * @throws AppError `CONFLICT`, and those of `findAwaiting`
   */
  async function changeAwaiting<T>(
    actor: Actor,
    found: TaskRecord,
    update: (task: TaskRecord) => Promise<T | null>,
  ): Promise<T> {
    let task = found;
    for (let tries = 0; tries < CHANGE_TRIES; tries++) {
      const changed = await update(task);
      if (changed) return changed;
      task = await findAwaiting(actor, task._id);
    }
    throw new AppError('CONFLICT', 'Too many others are changing this task. Try again.');
  }

  return { find, findManaged, findAwaiting, checkAwaiting, changeAwaiting };
}
