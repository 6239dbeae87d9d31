import type { CancelIn, DecisionIn, TaskIn, TaskQuery, TaskWaitQuery } from '@svcforms/contracts';
import type { Reply, RouteRequest } from '@svcforms/http';
import type { TaskRecord } from '@svcforms/records';
import type { Callbacks } from '../callback/callbacks.ts';
import { actorOf } from './actor.ts';
import type { TaskDesk } from './task-desk.ts';
import { taskOut } from './task-out.ts';

export interface TaskHandlersDeps {
  desk: TaskDesk;
  callbacks: Pick<Callbacks, 'redeliver'>;
  /** Where the log of events is now; rejects when the bus is away. */
  position: () => Promise<string>;
  now: () => number;
}

/** The calls on tasks. contract: tasks.md, Task */
export function createTaskHandlers({ desk, callbacks, position, now }: TaskHandlersDeps) {
  const replyOf = (task: TaskRecord): Reply => ({ data: taskOut(task, now()) });
  const idOf = (params: Readonly<Record<string, string>>) => params['taskId'] ?? '';
  const who = ({ caller, requestId }: Pick<RouteRequest, 'caller' | 'requestId'>) =>
    actorOf(caller, requestId);

  /** Does something to one task. */
  const on =
    (event: string, work: (actor: ReturnType<typeof who>, taskId: string) => Promise<TaskRecord>) =>
    async (request: RouteRequest): Promise<Reply> => {
      const task = await work(who(request), idOf(request.params));
      request.note({ event, taskId: task._id });
      return replyOf(task);
    };

  return {
    create: async (request: RouteRequest<unknown, TaskIn>): Promise<Reply> => {
      const { body, newId, note, audit } = request;
      // From before the task, so that a stream that begins there has all of it. Without a bus there are tasks all the same.
      const cursor = await position().catch(() => undefined);
      const { task, isNew } = await desk.create(who(request), body, newId('tsk'));
      if (!isNew) audit(null);
      note({ event: isNew ? 'task.created' : 'task.repeated', taskId: task._id, formId: task.formId });
      return {
        ...replyOf(task),
        ...(isNew ? {} : { status: 200 }),
        headers: {
          Location: `/api/mcp/tasks/${task._id}`,
          ...(cursor === undefined ? {} : { 'Svc-Event-Cursor': cursor }),
        },
      };
    },

    list: async (request: RouteRequest<TaskQuery>): Promise<Reply> => {
      const { items, pagination } = await desk.list(who(request), request.query);
      return { data: items.map((task) => taskOut(task, now())), pagination };
    },

    get: async (request: RouteRequest<TaskWaitQuery>): Promise<Reply> =>
      replyOf(await desk.get(who(request), idOf(request.params), request.query.wait)),

    claim: on('task.claimed', (actor, taskId) => desk.claim(actor, taskId)),
    release: on('task.released', (actor, taskId) => desk.release(actor, taskId)),

    decide: async (request: RouteRequest<unknown, DecisionIn>): Promise<Reply> => {
      const task = await desk.decide(who(request), idOf(request.params), request.body);
      request.note({ event: 'task.decided', taskId: task._id, outcome: task.outcome });
      request.audit({ changes: { status: { from: 'awaiting', to: task.status } } });
      return replyOf(task);
    },

    cancel: async (request: RouteRequest<unknown, CancelIn>): Promise<Reply> => {
      const task = await desk.cancel(who(request), idOf(request.params), request.body);
      request.note({ event: 'task.cancelled', taskId: task._id });
      return replyOf(task);
    },

    remove: async (request: RouteRequest): Promise<Reply> => {
      const { _id: taskId, formId } = await desk.remove(who(request), idOf(request.params));
      request.note({ event: 'task.deleted', taskId, formId });
      return {};
    },

    redeliver: async (request: RouteRequest): Promise<Reply> => {
      const task = await desk.get(who(request), idOf(request.params));
      const again = await callbacks.redeliver(task);
      request.note({ event: 'callback.redelivered', taskId: again._id });
      return replyOf(again);
    },

    history: async (request: RouteRequest): Promise<Reply> => ({
      data: await desk.history(who(request), idOf(request.params)),
    }),
  };
}
