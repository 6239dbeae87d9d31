import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
  type CallToolResult,
  type McpRequestContext,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isAppError, validationFailed, type AppError } from '@svcforms/contracts';
import type { TaskRecord } from '@svcforms/records';
import { z } from 'zod';
import { resolvedError } from '../tasks/task-errors.ts';
import type { ViewTask } from '../tasks/task-out.ts';
import type { TaskService } from '../tasks/task-service.ts';
import { MAX_WAIT, requestApproval } from './task-tools.ts';
import { toolResult, type ToolCall } from './tool.ts';

type Era = McpRequestContext['era'];

/** The tool whose calls can be tasks of the protocol. */
export const TASK_TOOL = 'request_approval';
const EXTENSION = 'io.modelcontextprotocol/tasks';

/** What servers declare: the experimental tasks of 2025-11-25, and the extension of 2026-07-28. */
export const TASK_CAPABILITIES = {
  legacy: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
  modern: { extensions: { [EXTENSION]: {} } },
} satisfies Record<Era, object>;

/** How often clients should ask, in milliseconds. People need longer than programs. */
const POLL_INTERVAL_MS = 2_000;
const WAITING = 'Waiting for a person to decide.';

const byId = { params: z.looseObject({ taskId: z.string() }) };
const page = { params: z.looseObject({ cursor: z.string().optional() }) };
const LIST_LIMIT = 50;

interface McpTasksDeps {
  taskService: Pick<TaskService, 'create' | 'get' | 'list' | 'cancel'>;
  viewTask: ViewTask;
}

interface TaskHandlers {
  era: Era;
  callOf: (ctx: ServerContext) => ToolCall;
  /** A failure as an error of the protocol. */
  errorFor: (error: unknown) => ProtocolError;
}

/**
 * Tasks of the Model Context Protocol: handles of calls that take long. The handle of a call is the
 * id of the task that it created, and everything about it is read from that task. So a handle is
 * valid on every replica and after every restart, and nothing else can decide its result. ADR 0088
 */
export function createMcpTasks(deps: McpTasksDeps) {
  const { taskService, viewTask } = deps;

  /** The result of the call, as the tool would return it now. */
  async function resultOf(task: TaskRecord): Promise<CallToolResult> {
    return toolResult({ ...(await viewTask(task)), pending: false });
  }

  /** @throws AppError `NOT_FOUND`, including for a task of another account */
  const find = ({ actor, signal }: ToolCall, taskId: string, waitSeconds = 0) =>
    taskService.get(actor, taskId, waitSeconds, signal);

  function registerShared(server: McpServer, { era, callOf, errorFor }: TaskHandlers): void {
    server.server.setRequestHandler('tasks/get', byId, ({ taskId }, ctx) =>
      withProtocolErrors(errorFor, async () => {
        requireExtension(era, ctx);
        const task = await find(callOf(ctx), taskId);
        if (era === 'legacy') return handleOf(era, task);
        const isCompleted = statusOf(task) === 'completed';
        return { ...handleOf(era, task), ...(isCompleted && { result: await resultOf(task) }) };
      }),
    );
    server.server.setRequestHandler('tasks/cancel', byId, ({ taskId }, ctx) =>
      withProtocolErrors(errorFor, async () => {
        requireExtension(era, ctx);
        const call = callOf(ctx);
        const before = await find(call, taskId);
        // The extension acknowledges a cancellation that comes too late; the earlier revision
        // refuses it.
        if (statusOf(before) !== 'working' && era === 'modern') return {};
        if (statusOf(before) === 'cancelled') throw resolvedError(before);
        const done = await taskService.cancel(call.actor, taskId, {}).catch((error: unknown) => {
          if (era === 'modern' && isEnded(error)) return undefined;
          throw error;
        });
        if (!done) return {};
        if (done.changed) await call.audit('task.cancelled', { id: taskId });
        return era === 'modern' ? {} : handleOf(era, done.task);
      }),
    );
  }

  /** Only of the extension. No task asks the client for input, so an update changes nothing. */
  function registerModern(server: McpServer, { era, callOf, errorFor }: TaskHandlers): void {
    server.server.setRequestHandler('tasks/update', byId, ({ taskId }, ctx) =>
      withProtocolErrors(errorFor, async () => {
        requireExtension(era, ctx);
        await find(callOf(ctx), taskId);
        return {};
      }),
    );
  }

  /** Only of 2025-11-25. */
  function registerLegacy(server: McpServer, { era, callOf, errorFor }: TaskHandlers): void {
    server.server.setRequestHandler('tasks/result', byId, ({ taskId }, ctx) =>
      withProtocolErrors(errorFor, async () => {
        const task = await find(callOf(ctx), taskId, MAX_WAIT);
        if (statusOf(task) === 'working') throw stillWorking();
        return { ...(await resultOf(task)), _meta: { [RELATED_TASK_META_KEY]: { taskId } } };
      }),
    );
    server.server.setRequestHandler('tasks/list', page, ({ cursor }, ctx) =>
      withProtocolErrors(errorFor, async () => {
        const query = { cursor, limit: LIST_LIMIT, sort: 'createdAt' } as const;
        const { actor, signal } = callOf(ctx);
        const { items, pagination } = await taskService.list(actor, query, signal).catch((error: unknown) => {
          throw inParams(error);
        });
        const { nextCursor } = pagination;
        return { tasks: items.map((task) => handleOf(era, task)), ...(nextCursor && { nextCursor }) };
      }),
    );
  }

  return {
    /** Whether the call asks for a task, or its client can take one. */
    isRequested(era: Era, params: object, ctx: ServerContext): boolean {
      return era === 'legacy' ? 'task' in params && params.task !== undefined : hasExtension(ctx);
    },

    /**
     * Creates the task, or finds the one with the same dedupeKey, and returns its handle at once.
     */
    async create(era: Era, args: unknown, call: ToolCall): Promise<object> {
      const { waitSeconds: _, ...input } = args as Record<string, unknown>;
      const task = await requestApproval(taskService, call, input);
      const handle = handleOf(era, task);
      return {
        content: [{ type: 'text', text: `${handle.statusMessage} Task ${task._id}` }],
        ...(era === 'legacy' ? { task: handle } : { resultType: 'task', ...handle }),
      };
    },

    register(server: McpServer, handlers: TaskHandlers): void {
      registerShared(server, handlers);
      (handlers.era === 'modern' ? registerModern : registerLegacy)(server, handlers);
    },
  };
}

function statusOf({ status }: TaskRecord): 'working' | 'completed' | 'cancelled' {
  if (status === 'awaiting') return 'working';
  return status === 'cancelled' ? 'cancelled' : 'completed';
}

/**
 * A task as the revision of the protocol describes it. It is kept until it is erased, so it has no
 * TTL.
 */
function handleOf(era: Era, task: TaskRecord) {
  const status = statusOf(task);
  const shared = {
    taskId: task._id,
    status,
    statusMessage: status === 'working' ? WAITING : `The task is ${task.status}.`,
    createdAt: task.createdAt,
    lastUpdatedAt: task.history.at(-1)?.at ?? task.createdAt,
  };
  return era === 'legacy'
    ? { ...shared, ttl: null, pollInterval: POLL_INTERVAL_MS }
    : { ...shared, ttlMs: null, pollIntervalMs: POLL_INTERVAL_MS };
}

function hasExtension({ mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as Record<string, { extensions?: Record<string, unknown> }> | undefined;
  return envelope?.[CLIENT_CAPABILITIES_META_KEY]?.extensions?.[EXTENSION] !== undefined;
}

function requireExtension(era: Era, ctx: ServerContext): void {
  if (era === 'legacy' || hasExtension(ctx)) return;
  throw new MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [EXTENSION]: {} } },
  });
}

/** Whether a cancellation came too late. */
const isEnded = (error: unknown) =>
  isAppError(error) && ['TASK_ALREADY_SETTLED', 'TASK_EXPIRED'].includes(error.code);

/** The service points into its query, but the client sent `params`. */
function inParams(error: unknown): unknown {
  const issues = isAppError(error) ? error.details.issues : undefined;
  if (!issues) return error;
  return validationFailed(issues.map((issue) => ({ ...issue, pointer: `/params${issue.pointer}` })));
}

/** Clients may repeat what failed for reasons of the server. */
export const protocolCodeOf = ({ status }: AppError) =>
  status >= 500 ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;

/** The end of a wait, which is no failure: people need longer. */
const stillWorking = () =>
  new ProtocolError(ProtocolErrorCode.InternalError, `${WAITING} Poll tasks/get.`, { code: 'UNAVAILABLE' });

/** Runs a handler and turns its failures into errors of the protocol. */
async function withProtocolErrors<T>(errorFor: TaskHandlers['errorFor'], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ProtocolError ? error : errorFor(error);
  }
}
