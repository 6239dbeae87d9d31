import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  McpServer,
  ProtocolError,
  ResourceNotFoundError,
  ResourceTemplate,
  type CallToolResult,
  type McpRequestContext,
  type ServerContext,
} from '@modelcontextprotocol/server';
import {
  AppError,
  problemOf,
  readInput,
  validationFailed,
  type ErrorCode,
  type Scope,
} from '@svcforms/contracts';
import {
  asAppError,
  auditActor,
  auditTarget,
  refuseUnstorable,
  type Reply,
  type RouteRequest,
} from '@svcforms/http';
import { hasScope } from '@svcforms/identity';
import { traceFields, type Logger } from '@svcforms/primitives';
import { buildInfo } from '@svcforms/runtime';
import { STREAM_CACHE_CONTROL } from '../stream/stream-handler.ts';
import { actorOf } from '../tasks/actor.ts';
import { findInvalidParams } from './invalid-params.ts';
import { createMcpTasks, protocolCodeOf, TASK_CAPABILITIES, TASK_TOOL } from './mcp-tasks.ts';
import { toolResult, type Tool, type ToolCall } from './tool.ts';
import { inputSchemaOf, outputSchemaOf } from './tool-schema.ts';
import { tools, type ToolDeps } from './tools.ts';

interface McpDeps extends ToolDeps {
  baseUrl: string;
  log: Pick<Logger, 'error' | 'debug'>;
}

const SERVER = { name: 'svcforms', title: 'SvcForms: ask a human', version: buildInfo.version };
const INSTRUCTIONS =
  'Ask humans for decisions and wait for them. list_forms and get_form_schema return the available forms; request_approval ' +
  'or create_task creates a task; wait_for_task waits for its resolution. Decisions can take hours: a result with ' +
  '`pending: true` is not a failure, so keep the task id and wait again. Only people can decide tasks, agents cannot. ' +
  'create_draft and update_draft prepare forms, which a person publishes.';
/** The tools depend only on the key, so no open connection ever sees them change. */
const CAPABILITIES = { tools: { listChanged: false }, resources: { listChanged: false } };

/** What an agent should do after an error. */
const NEXT_STEP: Partial<Record<ErrorCode, string>> = {
  UNAUTHORIZED:
    'Ask the user to connect you again, or the owner of the account for another key. Tasks stay open: then call wait_for_task, or repeat the call with the same dedupeKey.',
  NOT_FOUND:
    'Check the id: list_forms, list_drafts, list_tasks and list_submissions return the existing ones.',
  INSUFFICIENT_SCOPE:
    'Ask the owner of the account for a key with the scope requiredScope; if the user connected you without a key, ask them to connect you again with this scope.',
  VALIDATION_FAILED:
    'Correct the values that errors points at and call the tool again; get_form_schema returns what a form accepts, get_form_format what a draft accepts.',
  DEDUPE_KEY_REUSED: 'Use a dedupeKey that identifies the action and all its arguments.',
  ERASED: 'The task of this dedupeKey was deleted; use another key to ask again.',
  TASK_ALREADY_SETTLED: 'Read the outcome with get_task; create a new task to ask again.',
  CONFLICT: 'Read the form again with get_draft, and apply your changes to what it returns.',
  TASK_EXPIRED: 'Create a new task to ask again.',
  RATE_LIMITED: 'Repeat the call in a few seconds.',
  UNAVAILABLE: 'Repeat the call in a few seconds.',
  INTERNAL: 'Repeat the call; if it fails again, report the requestId.',
};

/** Each resource is a URI template and the tool that returns the same object. */
const RESOURCES = [
  {
    name: 'form-schema',
    title: 'Schema of a form',
    template: 'svc://forms/{id}/schema',
    tool: 'get_form_schema',
    argument: 'formId',
  },
  { name: 'task', title: 'Task', template: 'svc://tasks/{id}', tool: 'get_task', argument: 'taskId' },
  {
    name: 'submission',
    title: 'Submission',
    template: 'svc://submissions/{id}',
    tool: 'get_submission',
    argument: 'submissionId',
  },
] as const;

type Identity = Pick<RouteRequest, 'caller' | 'requestId' | 'trace' | 'recordAudit'>;

/** Runs tools and describes their failures to agents. */
function createToolRunner({ baseUrl, log }: Pick<McpDeps, 'baseUrl' | 'log'>) {
  /** Returns the problem for the agent and logs internal errors. */
  function problemFor(error: unknown, { requestId, trace }: Identity) {
    const failure = asAppError(error);
    if (failure.status >= 500)
      log.error(
        { event: 'mcp.failed', requestId, ...traceFields(trace), err: error },
        'an MCP request failed',
      );
    return { ...problemOf(failure, { id: requestId, baseUrl }), next: NEXT_STEP[failure.code] };
  }

  async function resultOf(
    tool: Tool,
    args: unknown,
    { identity, ctx }: { identity: Identity; ctx: ServerContext },
  ): Promise<CallToolResult> {
    try {
      refuseUnstorable(args);
      return toolResult(await tool.run(argumentsOf(tool, args), callOf(identity, ctx)));
    } catch (error) {
      const problem = problemFor(error, identity);
      return { isError: true, content: [{ type: 'text', text: JSON.stringify(problem) }] };
    }
  }

  /** A failure as an error of the protocol: the same problem, in `data`. */
  function protocolErrorFor(error: unknown, identity: Identity): ProtocolError {
    const problem = problemFor(error, identity);
    return new ProtocolError(protocolCodeOf(asAppError(error)), problem.message, problem);
  }

  return { resultOf, protocolErrorFor };
}

type ToolRunner = ReturnType<typeof createToolRunner>;

/** Returns a function that creates the server of one request, with what its key allows. */
function createServers(
  deps: McpDeps,
  { resultOf, protocolErrorFor }: ToolRunner,
): (context: McpRequestContext) => McpServer {
  const all = tools(deps).map((tool) => ({
    ...tool,
    inputSchema: inputSchemaOf(tool.input),
    outputSchema: outputSchemaOf(tool.output),
  }));

  const tasks = createMcpTasks(deps);

  function serverFor({ authInfo, era }: McpRequestContext): McpServer {
    const identity = authInfo?.extra?.['identity'] as Identity;
    const has = (scope: Scope) => hasScope(identity.caller, scope);
    const allowed = all.filter(
      ({ scopes, orScope }) => scopes.every(has) || (orScope !== undefined && has(orScope)),
    );
    const offersTasks = allowed.some(({ name }) => name === TASK_TOOL);
    const capabilities = { ...CAPABILITIES, ...(offersTasks && TASK_CAPABILITIES[era]) };
    const server = new McpServer(SERVER, { instructions: INSTRUCTIONS, capabilities });
    for (const tool of allowed) register(server, tool, identity);
    if (offersTasks) {
      const errorFor = (error: unknown) => protocolErrorFor(error, identity);
      tasks.register(server, { era, callOf: (ctx) => callOf(identity, ctx), errorFor });
    }
    registerCalls(server, { allowed, era, identity });
    for (const resource of RESOURCES) {
      const tool = allowed.find(({ name }) => name === resource.tool);
      if (tool) registerResource(server, { ...resource, read: tool }, identity);
    }
    return server;
  }

  /**
   * Replaces the SDK's handler of calls, which knows no tasks and no problems: a call that asks for
   * a task gets one, and every other call the result of its tool.
   */
  function registerCalls(
    server: McpServer,
    { allowed, era, identity }: { allowed: typeof all; era: McpRequestContext['era']; identity: Identity },
  ): void {
    server.server.setRequestHandler('tools/call', async ({ params }, ctx) => {
      const tool = allowed.find(({ name }) => name === params.name);
      if (!tool) throw protocolErrorFor(noTool(params.name, identity, allowed), identity);
      const args = params.arguments ?? {};
      if (tool.name !== TASK_TOOL || !tasks.isRequested(era, params, ctx)) {
        return server.server.projectCallToolResult(await resultOf(tool, args, { identity, ctx }), undefined);
      }
      try {
        refuseUnstorable(args);
        return (await tasks.create(era, argumentsOf(tool, args), callOf(identity, ctx))) as CallToolResult;
      } catch (error) {
        throw protocolErrorFor(error, identity);
      }
    });
  }

  /** Why a call reaches no tool: there is none of that name, or it needs other scopes. */
  function noTool(name: string, { caller }: Identity, allowed: readonly Tool[]): AppError {
    const tool = all.find((other) => other.name === name);
    if (tool) {
      const needed = [tool.scopes.join(' and '), ...(tool.orScope ? [tool.orScope] : [])].join(' or ');
      const [requiredScope = ''] = tool.scopes.filter((scope) => !hasScope(caller, scope));
      return new AppError('INSUFFICIENT_SCOPE', `The tool ${name} requires the scope ${needed}`, {
        members: { requiredScope },
      });
    }
    const names = allowed.map((other) => other.name).join(', ') || 'none with the scopes of this key';
    return validationFailed([{ pointer: '/params/name', message: `must be one of the tools: ${names}` }]);
  }

  function register(server: McpServer, tool: (typeof all)[number], identity: Identity): void {
    const registered = server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: tool.inputSchema,
        outputSchema: tool.outputSchema,
        annotations: {
          readOnlyHint: tool.readOnly,
          idempotentHint: tool.idempotent,
          destructiveHint: tool.destructive ?? false,
          openWorldHint: false,
        },
      },
      (args: unknown, ctx: ServerContext) => resultOf(tool, args, { identity, ctx }),
    );
    if (tool.name === TASK_TOOL) registered.execution = { taskSupport: 'optional' };
  }

  function registerResource(
    server: McpServer,
    { name, title, template, argument, read }: (typeof RESOURCES)[number] & { read: Tool },
    identity: Identity,
  ): void {
    server.registerResource(
      name,
      new ResourceTemplate(template, { list: undefined }),
      { title, mimeType: 'application/json' },
      async (uri, { id }, ctx) => {
        try {
          const value = await read.run({ [argument]: String(id) }, callOf(identity, ctx));
          return { contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify(value) }] };
        } catch (error) {
          const failure = protocolErrorFor(error, identity);
          const isMissing = asAppError(error).code === 'NOT_FOUND';
          throw isMissing ? new ResourceNotFoundError(uri.href, failure.message) : failure;
        }
      },
    );
  }

  return serverFor;
}

/**
 * The MCP server. It has no sessions: each request carries its key, so any replica can serve it.
 * docs/reference/mcp.md#transport
 */
export function createMcp(deps: McpDeps) {
  const { log } = deps;
  const onerror = (error: Error) =>
    log.debug({ event: 'mcp.refused', err: error }, 'an MCP request was rejected');
  const runner = createToolRunner(deps);
  const serve = createMcpHandler(createServers(deps, runner), { onerror });
  const respond = toNodeHandler(
    {
      async fetch(...request) {
        const response = await serve.fetch(...request);
        // The transport's own header lets caches store the response and revalidate it.
        if (response.headers.has('Cache-Control'))
          response.headers.set('Cache-Control', STREAM_CACHE_CONTROL);
        return response;
      },
    },
    { onerror },
  );
  let isClosed = false;

  return {
    /**
     * `body` is the JSON-RPC message of a POST, read under the same rules as every other request
     * body.
     */
    handler: async ({ caller, requestId, trace, recordAudit, body }: RouteRequest): Promise<Reply> => {
      if (isClosed) throw new AppError('UNAVAILABLE', 'This process is shutting down; try again');
      const identity: Identity = { caller, requestId, trace, recordAudit };
      const invalid = findInvalidParams(body);
      if (invalid) {
        const { code, message, data } = runner.protocolErrorFor(validationFailed(invalid.issues), identity);
        const error = { jsonrpc: '2.0', id: invalid.id, error: { code, message, data } };
        return { content: { type: 'application/json', body: JSON.stringify(error) } };
      }
      const auth = {
        token: '',
        clientId: caller.id,
        scopes: [...caller.scopes],
        extra: { identity },
      };
      return {
        connect: ({ request, response }) => respond(Object.assign(request, { auth }), response, body),
      };
    },
    /** Ends open requests and rejects new ones. */
    async close() {
      isClosed = true;
      await serve.close();
    },
  };
}

export type Mcp = ReturnType<typeof createMcp>;

/** Reads the arguments of a call. @throws AppError `VALIDATION_FAILED` */
function argumentsOf({ input }: Tool, args: unknown): unknown {
  const reading = readInput(input, args);
  if (!reading.ok) throw validationFailed(reading.issues);
  return reading.value;
}

function callOf({ caller, requestId, trace, recordAudit }: Identity, { mcpReq }: ServerContext): ToolCall {
  const progressToken = mcpReq._meta?.progressToken;
  return {
    actor: actorOf(caller, { requestId, trace }),
    signal: mcpReq.signal,
    audit: (action, target) =>
      recordAudit({
        accountId: caller.accountId,
        actor: auditActor(caller),
        action,
        target: auditTarget(action, target),
      }),
    async progress(done, total) {
      if (progressToken === undefined) return;
      const params = { progressToken, progress: done, total, message: 'Waiting for a decision' };
      await mcpReq.notify({ method: 'notifications/progress', params });
    },
  };
}
