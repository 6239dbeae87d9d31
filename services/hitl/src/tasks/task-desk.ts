import {
  AppError,
  type CancelIn,
  type DecisionIn,
  type TaskHistoryOut,
  type TaskIn,
  type TaskQuery,
} from '@svcforms/contracts';
import type { Eraser, TaskRecord } from '@svcforms/records';
import type { Actor } from './actor.ts';
import { createTaskCreation, type CreatedTask, type CreateTaskDeps } from './create-task.ts';
import type { Expiry } from './expiry.ts';
import { findTasks } from './find-tasks.ts';
import { judgeDecision } from './judge-decision.ts';
import { claimedError, isHeldByOther, isOverdue, settledError } from './refusals.ts';
import { endTask, historyEntry, settleTask } from './settle-task.ts';
import type { Waiting } from './waiting.ts';

const CLAIM_MS = 15 * 60_000;

export interface TaskDeskDeps extends CreateTaskDeps {
  expiry: Pick<Expiry, 'expire'>;
  waiting: Pick<Waiting, 'until' | 'tell'>;
  eraser: Pick<Eraser, 'tasks'>;
  /** Call when a task has ended; resolves when its submission is there. */
  onEnd: (task: TaskRecord) => Promise<void>;
}

export interface TaskDesk {
  create(actor: Actor, input: TaskIn, id?: string): Promise<CreatedTask>;
  list(actor: Actor, query: TaskQuery): ReturnType<typeof findTasks>;
  /** The task; waits so many seconds for it to be settled. */
  get(actor: Actor, taskId: string, waitSeconds?: number, gone?: AbortSignal): Promise<TaskRecord>;
  claim(actor: Actor, taskId: string): Promise<TaskRecord>;
  release(actor: Actor, taskId: string): Promise<TaskRecord>;
  decide(actor: Actor, taskId: string, decision: DecisionIn): Promise<TaskRecord>;
  cancel(actor: Actor, taskId: string, input: CancelIn): Promise<TaskRecord>;
  /** Erases the task, with its submission. Whoever waits for it is told that there is no such task. */
  remove(actor: Actor, taskId: string): Promise<TaskRecord>;
  history(actor: Actor, taskId: string): Promise<TaskHistoryOut[]>;
}

/**
 * What can be done with tasks, whoever asks and over whatever door.
 * @throws AppError `NOT_FOUND` from all that name a task; `TASK_ALREADY_SETTLED`, `TASK_EXPIRED`, `TASK_CLAIMED` from those
 * that change one.
 */
export function createTaskDesk(deps: TaskDeskDeps): TaskDesk {
  const { tasks, forms, expiry, waiting, eraser, onEnd, now } = deps;
  const at = (milliseconds = 0) => new Date(now() + milliseconds).toISOString();

  async function find({ accountId }: Actor, taskId: string): Promise<TaskRecord> {
    const task = await tasks.findOne({ _id: taskId, accountId });
    if (!task) throw new AppError('NOT_FOUND', 'There is no such task');
    return task;
  }

  /** The task, if it is awaited: one whose time is over is ended first. */
  async function findAwaited(actor: Actor, taskId: string): Promise<TaskRecord> {
    let task = await find(actor, taskId);
    if (isOverdue(task, at())) {
      await expiry.expire(task);
      task = await find(actor, taskId);
    }
    if (task.status !== 'awaiting') throw settledError(task);
    return task;
  }

  /** Somebody was quicker. */
  async function refusal(actor: Actor, taskId: string): Promise<AppError> {
    const task = await findAwaited(actor, taskId);
    return claimedError(task);
  }

  return {
    create: createTaskCreation(deps),

    list: (actor, query) => findTasks(tasks, actor.accountId, query),

    async get(actor, taskId, waitSeconds = 0, gone) {
      const task = await waiting.until(await find(actor, taskId), waitSeconds * 1000, gone);
      // It may have been deleted meanwhile.
      return task.accountId === actor.accountId ? task : find(actor, taskId);
    },

    async claim(actor, taskId) {
      const task = await findAwaited(actor, taskId);
      const claimedUntil = at(CLAIM_MS);
      const claimed = await tasks.findOneAndUpdate(
        {
          _id: task._id,
          status: 'awaiting',
          expiresAt: { $gt: at() },
          $or: [{ claimedUntil: { $exists: false } }, { claimedUntil: { $lte: at() } }],
        },
        {
          $set: { claimedBy: actor.by, claimedUntil },
          $push: { history: historyEntry({ at: at(), event: 'claimed', by: actor.by }) },
        },
      );
      if (!claimed) throw await refusal(actor, taskId);
      return claimed;
    },

    async release(actor, taskId) {
      const task = await findAwaited(actor, taskId);
      if (isHeldByOther(task, actor.by, at())) throw claimedError(task);
      const released = await tasks.findOneAndUpdate(
        { _id: task._id, status: 'awaiting', claimedBy: actor.by },
        {
          $unset: { claimedBy: true, claimedUntil: true },
          $push: { history: historyEntry({ at: at(), event: 'released', by: actor.by }) },
        },
      );
      // Nobody held it, which is what was asked for.
      return released ?? find(actor, taskId);
    },

    async decide(actor, taskId, decision) {
      const task = await findAwaited(actor, taskId);
      if (isHeldByOther(task, actor.by, at())) throw claimedError(task);
      const form = await forms.findOne({ _id: task.formId, deletedAt: null });
      const values = judgeDecision(task, form, decision);
      const settled = await settleTask(deps, task, {
        outcome: decision.outcome,
        formData: JSON.stringify(values),
        by: actor.by,
        comment: decision.comment,
        rejectOption: decision.rejectOption,
        emitsSubmission: form?.settings.tasks?.emitSubmissionEvents ?? false,
        requestId: actor.requestId,
      });
      if (!settled) throw await refusal(actor, taskId);
      await onEnd(settled);
      return settled;
    },

    async cancel(actor, taskId, { reason }) {
      const task = await find(actor, taskId);
      if (task.status === 'cancelled') return task;
      await findAwaited(actor, taskId);
      const cancelled = await endTask(deps, task, {
        status: 'cancelled',
        by: actor.by,
        reason,
        requestId: actor.requestId,
      });
      if (cancelled) {
        await onEnd(cancelled);
        return cancelled;
      }
      const other = await find(actor, taskId);
      if (other.status === 'cancelled') return other;
      throw await refusal(actor, taskId);
    },

    async remove(actor, taskId) {
      const task = await find(actor, taskId);
      await eraser.tasks([task]);
      waiting.tell({ ...task, accountId: '' });
      return task;
    },

    async history(actor, taskId) {
      return (await find(actor, taskId)).history;
    },
  };
}
