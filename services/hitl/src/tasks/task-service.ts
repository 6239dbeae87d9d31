import { type CancelIn, type DecisionIn, type DelegateIn, type TaskHistoryOut } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { isoTime, type Clock } from '@svcforms/primitives';
import type { Eraser, TaskRecord } from '@svcforms/records';
import type { Actor } from './actor.ts';
import type { CreateTask } from './create-task.ts';
import type { Decisions } from './decisions.ts';
import type { FindTasks } from './find-tasks.ts';
import { repeatableEntry } from './history.ts';
import { resolveWithoutOutcome } from './resolve-task.ts';
import type { ReaderNow } from './reader-now.ts';
import type { TaskAccess } from './task-access.ts';
import { claimedError, isClaimed, isClaimedByOther, resolvedError } from './task-errors.ts';
import type { CheckTask } from './votes.ts';
import type { Waiters } from './waiters.ts';

const CLAIM_MS = 15 * 60_000;

interface TaskServiceDeps {
  tasks: Collection<TaskRecord>;
  findTasks: FindTasks;
  access: TaskAccess;
  decisions: Decisions;
  createTask: CreateTask;
  waiters: Pick<Waiters, 'waitFor' | 'notify'>;
  /** See `createReaderNow`. */
  readerNow: ReaderNow;
  eraser: Pick<Eraser, 'tasks'>;
  /** See `createCompletion`. */
  complete: (task: TaskRecord) => Promise<void>;
  now: Clock;
}

export interface TaskService {
  create: CreateTask;
  /** @throws AppError `RATE_LIMITED` while other searches of the actor run */
  list: FindTasks;
  /** Returns the task, after it is resolved or after `waitSeconds`. */
  get(actor: Actor, taskId: string, waitSeconds?: number, signal?: AbortSignal): Promise<TaskRecord>;
  /**
   * Returns a task that the actor may cancel and whose callback it may send again: any task with
   * `tasks:manage`, otherwise those it created. @throws AppError `INSUFFICIENT_SCOPE`
   */
  getManaged(actor: Actor, taskId: string): Promise<TaskRecord>;
  claim(actor: Actor, taskId: string): Promise<TaskRecord>;
  /** `changed`: false if nobody had claimed the task, which is a success too. */
  release(actor: Actor, taskId: string): Promise<{ task: TaskRecord; changed: boolean }>;
  /**
   * Decides the task, or votes on it: the returned task is awaiting if its policy needs more votes.
   * `changed`: false if the vote repeats an earlier one, which is a success too.
   */
  decide(
    actor: Actor,
    taskId: string,
    decision: DecisionIn,
    check?: CheckTask,
  ): Promise<{ task: TaskRecord; changed: boolean }>;
  /** Hands the vote of the actor to another person. `to`: their id. */
  delegate(actor: Actor, taskId: string, input: DelegateIn): Promise<{ task: TaskRecord; to: string }>;
  /** `changed`: false if the task was cancelled before, which is a success too. */
  cancel(actor: Actor, taskId: string, input: CancelIn): Promise<{ task: TaskRecord; changed: boolean }>;
  /** Erases the task and its submission. Requests that wait for the task get `NOT_FOUND`. */
  remove(actor: Actor, taskId: string, onRecord?: () => void): Promise<TaskRecord>;
  history(actor: Actor, taskId: string): Promise<TaskHistoryOut[]>;
}

/**
 * The operations on tasks, for the HTTP API and the MCP server alike.
 * @throws AppError `NOT_FOUND` from all that name a task; `TASK_ALREADY_SETTLED`, `TASK_EXPIRED`,
 * `TASK_CLAIMED` from those that change one; `NOT_A_REVIEWER` from those that its policy governs.
 */
export function createTaskService(deps: TaskServiceDeps): TaskService {
  const { tasks, findTasks, access, decisions, createTask, waiters, readerNow, eraser, complete, now } = deps;
  const { find, findManaged, findAwaiting, checkAwaiting, changeAwaiting } = access;
  const { decide, delegate, checkVoter } = decisions;
  const at = (offsetMs = 0) => isoTime(now() + offsetMs);

  return {
    create: createTask,

    list: findTasks,

    async get(actor, taskId, waitSeconds = 0, signal) {
      const found = await find(actor, taskId);
      if (found.status !== 'awaiting' || waitSeconds === 0) return found;
      await waiters.waitFor(found, waitSeconds * 1000, signal);
      // The task may have been deleted or voted on during the wait, and the actor may have lost its
      // access.
      return find(await readerNow(actor), taskId);
    },

    getManaged: findManaged,

    async claim(actor, taskId) {
      const found = await findAwaiting(actor, taskId);
      await checkVoter(actor, found);
      return changeAwaiting(actor, found, async (task) => {
        if (isClaimed(task, at())) throw claimedError(task);
        return tasks.findOneAndUpdate(
          {
            _id: task._id,
            status: 'awaiting',
            expiresAt: { $gt: at() },
            $or: [{ claimedUntil: { $exists: false } }, { claimedUntil: { $lte: at() } }],
          },
          {
            $set: { claimedBy: actor.by, claimedUntil: at(CLAIM_MS) },
            $push: { history: repeatableEntry(task, { at: at(), event: 'claimed', by: actor.by }) },
          },
        );
      });
    },

    async release(actor, taskId) {
      const task = await findAwaiting(actor, taskId);
      if (isClaimedByOther(task, actor.by, at())) throw claimedError(task);
      const released = await tasks.findOneAndUpdate(
        { _id: task._id, status: 'awaiting', claimedBy: actor.by },
        {
          $unset: { claimedBy: true, claimedUntil: true },
          $push: { history: repeatableEntry(task, { at: at(), event: 'released', by: actor.by }) },
        },
      );
      return released
        ? { task: released, changed: true }
        : { task: await find(actor, taskId), changed: false };
    },

    decide,

    delegate,

    async cancel(actor, taskId, { reason }) {
      const task = await findManaged(actor, taskId);
      if (task.status === 'cancelled') return { task, changed: false };
      // Not read again: a concurrent cancellation in between must count as success.
      await checkAwaiting(actor, task);
      const { by, requestId, trace } = actor;
      const end = { status: 'cancelled', by, reason, requestId, trace } as const;
      const cancelled = await resolveWithoutOutcome(deps, task, end);
      if (cancelled) {
        await complete(cancelled);
        return { task: cancelled, changed: true };
      }
      const other = await find(actor, taskId);
      if (other.status === 'cancelled') return { task: other, changed: false };
      throw resolvedError(await checkAwaiting(actor, other));
    },

    async remove(actor, taskId, onRecord) {
      const task = await find(actor, taskId);
      await eraser.tasks([task], onRecord);
      waiters.notify({ ...task, accountId: '' });
      return task;
    },

    async history(actor, taskId) {
      return (await find(actor, taskId)).history;
    },
  };
}
