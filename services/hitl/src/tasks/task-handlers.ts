import type {
  CancelIn,
  DecisionIn,
  DelegateIn,
  RedeemIn,
  TaskIn,
  TaskQuery,
  TaskWaitQuery,
} from '@svcforms/contracts';
import type { PathRequest, Reply, RouteRequest } from '@svcforms/http';
import type { TaskRecord } from '@svcforms/records';
import { actorOf } from './actor.ts';
import type { Receipts } from './receipts.ts';
import type { ViewTask } from './task-out.ts';
import type { TaskService } from './task-service.ts';

export interface TaskHandlersDeps {
  taskService: TaskService;
  receipts: Pick<Receipts, 'redeem'>;
  redeliverCallback: (task: TaskRecord) => Promise<TaskRecord>;
  /** See `currentPosition`. */
  position: () => Promise<string>;
  viewTask: ViewTask;
}

/** The HTTP handlers of tasks. docs/reference/tasks.md#task-object */
export function createTaskHandlers({
  taskService,
  receipts,
  redeliverCallback,
  position,
  viewTask,
}: TaskHandlersDeps) {
  const replyWith = async (task: TaskRecord): Promise<Reply> => ({ data: await viewTask(task) });
  const actorIn = (request: Pick<RouteRequest, 'caller' | 'requestId' | 'trace'>) =>
    actorOf(request.caller, request);

  return {
    create: async (request: RouteRequest<unknown, TaskIn>): Promise<Reply> => {
      const { body, newId, note, audit } = request;
      // The position before the task, so that a stream from there has all its events. Tasks don't
      // need the bus, though.
      const cursor = await position().catch(() => undefined);
      const given = { id: newId('tsk'), cursor };
      const { task, isNew } = await taskService.create(actorIn(request), body, given);
      audit(isNew ? { target: { id: task._id } } : null);
      note({ event: isNew ? 'task.created' : 'task.repeated', taskId: task._id, formId: task.formId });
      return {
        ...(await replyWith(task)),
        ...(isNew ? {} : { status: 200 }),
        headers: {
          Location: `/api/mcp/tasks/${task._id}`,
          // Not `cursor`: an earlier request may have stored the task.
          ...(task.cursor === undefined ? {} : { 'Svc-Event-Cursor': task.cursor }),
        },
      };
    },

    list: async (request: RouteRequest<TaskQuery>): Promise<Reply> => {
      const { query, signal } = request;
      const { items, pagination } = await taskService.list(actorIn(request), query, signal);
      return { data: await Promise.all(items.map(viewTask)), pagination };
    },

    get: async (request: PathRequest<'taskId', TaskWaitQuery>): Promise<Reply> => {
      const { params, query, signal } = request;
      return replyWith(await taskService.get(actorIn(request), params.taskId, query.wait, signal));
    },

    claim: async (request: PathRequest<'taskId'>): Promise<Reply> => {
      const task = await taskService.claim(actorIn(request), request.params.taskId);
      request.audit({});
      request.note({ event: 'task.claimed', taskId: task._id });
      return replyWith(task);
    },

    release: async (request: PathRequest<'taskId'>): Promise<Reply> => {
      const { taskId } = request.params;
      const { task, changed } = await taskService.release(actorIn(request), taskId);
      request.audit(changed ? {} : null);
      request.note({ event: changed ? 'task.released' : 'task.repeated', taskId });
      return replyWith(task);
    },

    decide: async (request: PathRequest<'taskId', unknown, DecisionIn>): Promise<Reply> => {
      const { taskId } = request.params;
      const { task, changed } = await taskService.decide(actorIn(request), taskId, request.body);
      const { outcome } = request.body;
      if (!changed) {
        request.note({ event: 'task.repeated', taskId, outcome });
        request.audit(null);
      } else if (task.status === 'awaiting') {
        request.note({ event: 'task.voted', taskId, outcome });
        request.audit({ action: 'task.voted', changes: { vote: { to: outcome } } });
      } else {
        request.note({ event: 'task.decided', taskId, outcome: task.outcome });
        request.audit({ changes: { status: { from: 'awaiting', to: task.status } } });
      }
      return replyWith(task);
    },

    delegate: async (request: PathRequest<'taskId', unknown, DelegateIn>): Promise<Reply> => {
      const { task, to } = await taskService.delegate(actorIn(request), request.params.taskId, request.body);
      request.note({ event: 'task.delegated', taskId: task._id, userId: to });
      request.audit({ changes: { to: { to } } });
      return replyWith(task);
    },

    cancel: async (request: PathRequest<'taskId', unknown, CancelIn>): Promise<Reply> => {
      const { taskId } = request.params;
      const { task, changed } = await taskService.cancel(actorIn(request), taskId, request.body);
      request.audit(changed ? {} : null);
      request.note({ event: changed ? 'task.cancelled' : 'task.repeated', taskId });
      return replyWith(task);
    },

    remove: async (request: PathRequest<'taskId'>): Promise<Reply> => {
      const { _id: taskId, formId } = await taskService.remove(actorIn(request), request.params.taskId, () =>
        request.audit({}),
      );
      request.note({ event: 'task.deleted', taskId, formId });
      return {};
    },

    redeliver: async (request: PathRequest<'taskId'>): Promise<Reply> => {
      const found = await taskService.getManaged(actorIn(request), request.params.taskId);
      const task = await redeliverCallback(found);
      request.note({ event: 'callback.redelivered', taskId: task._id });
      return replyWith(task);
    },

    redeem: async (request: RouteRequest<unknown, RedeemIn>): Promise<Reply> => {
      // Stable for an idempotency key: a repeated request may find that it has redeemed the
      // receipt.
      const redemptionId = request.newId('evt');
      const redeemed = await receipts.redeem(actorIn(request), request.body, redemptionId);
      request.note({ event: 'receipt.redeemed', taskId: redeemed.taskId });
      request.audit({ target: { type: 'task', id: redeemed.taskId } });
      return { data: redeemed };
    },

    history: async (request: PathRequest<'taskId'>): Promise<Reply> => {
      return { data: await taskService.history(actorIn(request), request.params.taskId) };
    },
  };
}
