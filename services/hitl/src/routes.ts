import {
  CancelIn,
  DecisionIn,
  DelegateIn,
  McpMessage,
  RedeemedOut,
  RedeemIn,
  StreamQuery,
  TaskHistoryOut,
  TaskIn,
  TaskOut,
  TaskQuery,
  TaskWaitQuery,
} from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http';
import { z } from 'zod';
import type { Mcp } from './mcp/mcp.ts';
import type { createInteractions } from './slack/interactions.ts';
import { createStreamHandler, type StreamHandlerDeps } from './stream/stream-handler.ts';
import { createTaskHandlers, type TaskHandlersDeps } from './tasks/task-handlers.ts';

const TASKS = '/api/mcp/tasks';
const TASK = `${TASKS}/:taskId`;

const createTasks = { scope: 'tasks:create' } as const;
const readTasks = { scope: 'tasks:read' } as const;
const decideTasks = { scope: 'tasks:decide' } as const;
const manageTasks = { scope: 'tasks:manage' } as const;
const manageOwnTasks = { scope: 'tasks:manage', orScope: 'tasks:create' } as const;
/** `manageOwnTasks` in words. */
const OWN_TASKS = 'Callers with the scope `tasks:create` may do this with tasks that they created.';

export function routes(
  deps: TaskHandlersDeps &
    StreamHandlerDeps & { mcp: Pick<Mcp, 'handler'>; interactions: ReturnType<typeof createInteractions> },
): Route[] {
  const tasks = createTaskHandlers(deps);
  const { mcp } = deps;
  // prettier-ignore
  return [
    route({ method: 'POST', path: TASKS, summary: 'Create a task', operationId: 'createTask', access: createTasks,
      body: TaskIn, status: 201, response: TaskOut, idempotent: true, errors: ['NOT_FOUND', 'DEDUPE_KEY_REUSED', 'ERASED'],
      otherReplies: [{ status: 200, description: 'An earlier request with this `dedupeKey` created the task.' }],
      replyHeaders: ['Location', 'Svc-Event-Cursor'], audit: 'task.created', handler: tasks.create }),
    route({ method: 'GET', path: TASKS, summary: 'List tasks', access: readTasks,
      query: TaskQuery, status: 200, response: TaskOut, handler: tasks.list }),
    route({ method: 'GET', path: TASK, summary: 'Get a task, or wait until it is resolved', operationId: 'getTask', access: readTasks,
      query: TaskWaitQuery, status: 200, response: TaskOut, errors: ['NOT_FOUND'], handler: tasks.get }),
    route({ method: 'DELETE', path: TASK, summary: 'Delete a task and its submission', operationId: 'deleteTask', access: manageTasks,
      status: 204, errors: ['NOT_FOUND'], audit: 'task.deleted', handler: tasks.remove }),
    route({ method: 'GET', path: `${TASK}/history`, summary: 'List the activity of a task', operationId: 'getTaskHistory', access: readTasks,
      status: 200, response: z.array(TaskHistoryOut), errors: ['NOT_FOUND'], handler: tasks.history }),
    route({ method: 'POST', path: `${TASK}/claim`, summary: 'Claim a task for 15 minutes', operationId: 'claimTask', access: decideTasks,
      status: 200, response: TaskOut, errors: ['NOT_FOUND', 'NOT_A_REVIEWER', 'TASK_CLAIMED', 'TASK_ALREADY_SETTLED', 'TASK_EXPIRED', 'CONFLICT'], audit: 'task.claimed', handler: tasks.claim }),
    route({ method: 'POST', path: `${TASK}/release`, summary: 'Release a claimed task', operationId: 'releaseTask', access: decideTasks,
      status: 200, response: TaskOut, errors: ['NOT_FOUND', 'TASK_CLAIMED', 'TASK_ALREADY_SETTLED', 'TASK_EXPIRED'], audit: 'task.released', handler: tasks.release }),
    route({ method: 'POST', path: `${TASK}/decision`, summary: 'Decide a task', operationId: 'decideTask', access: decideTasks,
      description: 'On a task with a policy, this is a vote. If more approvals are needed, the task stays `awaiting`.',
      body: DecisionIn, status: 200, response: TaskOut,
      errors: ['NOT_FOUND', 'NOT_A_REVIEWER', 'TASK_CLAIMED', 'TASK_ALREADY_SETTLED', 'TASK_EXPIRED', 'CONFLICT'], audit: 'task.decided', handler: tasks.decide }),
    route({ method: 'POST', path: `${TASK}/delegate`, summary: 'Delegate your vote on a task', operationId: 'delegateTask', access: decideTasks,
      body: DelegateIn, status: 200, response: TaskOut,
      errors: ['NOT_FOUND', 'NOT_A_REVIEWER', 'TASK_ALREADY_SETTLED', 'TASK_EXPIRED', 'CONFLICT'], audit: 'task.delegated', handler: tasks.delegate }),
    route({ method: 'POST', path: `${TASK}/cancel`, summary: 'Cancel a task', access: manageOwnTasks, description: OWN_TASKS,
      body: CancelIn, optionalBody: true, status: 200, response: TaskOut,
      errors: ['NOT_FOUND', 'TASK_ALREADY_SETTLED', 'TASK_EXPIRED'], audit: 'task.cancelled', handler: tasks.cancel }),
    route({ method: 'POST', path: `${TASK}/callback/redeliver`, summary: 'Send the callback again', operationId: 'redeliverCallback', access: manageOwnTasks,
      description: OWN_TASKS, status: 202, response: TaskOut, errors: ['NOT_FOUND', 'CONFLICT', 'ERASED'], audit: 'task.callback_redelivered', handler: tasks.redeliver }),

    route({ method: 'POST', path: '/api/mcp/receipts/redeem', summary: 'Redeem the receipt of an approved action', operationId: 'redeemReceipt', access: createTasks,
      description: 'Run the action only after a 200. Each receipt is redeemed once.', body: RedeemIn, status: 200, response: RedeemedOut, idempotent: true,
      errors: ['INVALID_RECEIPT', 'ACTION_CHANGED', 'RECEIPT_EXPIRED', 'RECEIPT_REDEEMED'], audit: 'receipt.redeemed', handler: tasks.redeem }),

    route({ method: 'GET', path: '/api/mcp/events/:eventType', summary: 'Stream events', operationId: 'streamEvents', access: { scope: 'events:read' },
      query: StreamQuery, status: 200, replyTypes: ['text/event-stream'], takesOver: true, requestHeaders: ['Last-Event-ID'],
      description: 'Server-sent events of the account. `eventType` is one event type or a comma-separated list; `hitl.task.*` selects all task events, `form.*` all that begin with `form.`, `*` all events.',
      errors: ['UNKNOWN_EVENT_TYPE', 'TOO_MANY_STREAMS'], handler: createStreamHandler(deps) }),

    // Slack calls it, in its own format.
    route({ method: 'POST', path: '/api/slack/interactions', summary: 'Receive a click in Slack', access: 'public', takesRawBody: true, isPage: true,
      status: 200, audit: null, handler: deps.interactions }),

    // Without sessions there is nothing to GET or DELETE, so these methods get 405.
    route({ method: 'POST', path: '/api/mcp', summary: 'Model Context Protocol (Streamable HTTP)', operationId: 'mcpPOST',
      access: 'authenticated', takesAgents: true, sameOrigin: true, body: McpMessage, status: 200, replyTypes: ['application/json', 'text/event-stream'],
      description: 'The protocol defines the messages. Its errors are JSON-RPC, with the status 200, 400 or 406.',
      otherReplies: [{ status: 202, description: 'The message was a notification or a response, so nothing is returned.', isEmpty: true },
        { status: 400, description: 'The body is malformed (`INVALID_BODY`), or not a message of the protocol (JSON-RPC).', types: ['application/json', 'application/problem+json'] },
        { status: 406, description: '`Accept` must list `application/json` and `text/event-stream`.', types: ['application/json'] }],
      takesOver: true, audit: null, keepsAnyText: true, handler: mcp.handler }),
  ];
}
