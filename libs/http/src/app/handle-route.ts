import type { RouterContext, RouterMiddleware } from '@koa/router';
import {
  AppError,
  isId,
  newId,
  readInput,
  validationFailed,
  type AuditAction,
  type IdPrefix,
  type PathIds,
} from '@svcforms/contracts';
import type { Caller } from '@svcforms/identity';
import { z } from 'zod';
import type { AppDeps } from './app.ts';
import { AUDIT_PREFIX, auditActor, auditRowId, auditTarget, type AuditDetails } from '../audit/audit-log.ts';
import { authorize, type AuthorizeDeps } from '../auth/authorize.ts';
import { rejectedStatus } from './malformed-requests.ts';
import { asAppError } from './problems.ts';
import { parseJson, refuseInfinite, refuseUnstorable } from './parse-json.ts';
import type { RequestContext } from '../routes/request-context.ts';
import type { RequestState } from '../routes/request-state.ts';
import type { Reply, Route, RouteRequest } from '../routes/route.ts';

type Context = RouterContext<RequestState>;
type AnyRequest = RouteRequest<unknown, unknown, Caller | null>;

/** The schema of routes without a body. */
const NO_KEYS = z.strictObject({});
const WITHOUT_BODY = ['GET', 'HEAD', 'DELETE'];
const NOTHING = Buffer.alloc(0);

/**
 * The prefixes of the ids that the parameters of paths have, and what errors call the resources.
 */
const PARAMETERS = {
  formId: ['frm', 'form'],
  submissionId: ['sub', 'submission'],
  webhookId: ['whk', 'webhook'],
  deliveryId: ['del', 'delivery'],
  userId: ['usr', 'user'],
  keyId: ['key', 'key'],
  inboundId: ['inb', 'inbound endpoint'],
  taskId: ['tsk', 'task'],
  addressId: ['nad', 'address'],
  sessionId: ['ses', 'session'],
  invitationId: ['inv', 'invitation'],
  agentId: ['agt', 'agent'],
} as const satisfies Record<string, [IdPrefix, noun: string]>;

/** What the parameters of paths identify. */
export const PARAMETER_KINDS: PathIds = Object.fromEntries(
  Object.entries(PARAMETERS).map(([name, [kind]]) => [name, kind]),
);

/**
 * Handles requests to one row of the route table. It checks, in this order: credentials, rate
 * limit, scope, ids in the path, query, body. Then it runs the handler, once for each idempotency
 * key.
 */
export function handleRoute(route: Route, deps: AppDeps & AuthorizeDeps): RouterMiddleware<RequestState> {
  const { onResponse } = route;
  return onResponse ? (ctx) => observe(ctx, handle, onResponse) : handle;

  async function handle(ctx: Context): Promise<void> {
    begin(ctx, route);
    const caller = await authorize(ctx, route, deps);
    if (route.limit === 'public' || route.limit === 'counters') {
      // Before the ids are checked, because an id that doesn't exist counts too.
      const { ip, params } = ctx;
      const request = { ip, formId: wellFormedFormId(params), path: route.path };
      ctx.set(await deps.rateLimits[route.limit](request));
    }
    checkPathIds(ctx.params);
    const query = route.query ? checked(route.query, { ...ctx.query }) : undefined;
    const hasBody = !WITHOUT_BODY.includes(ctx.method);
    const respond = async (rawBody: Buffer) => {
      ctx.state.bodySize = rawBody.length;
      const body = hasBody && !route.takesRawBody ? readJson(ctx, route, rawBody) : undefined;
      const reply = await run(ctx, route, { caller, query, body, rawBody }, deps);
      if (!reply.connect) return send(ctx, route, reply);
      ctx.respond = false;
      ctx.status = route.status;
      // `connect` may write another status, which needs its own reason phrase.
      ctx.res.statusMessage = '';
      await reply.connect({ request: ctx.req, response: ctx.res });
    };
    await (hasBody ? deps.withBody(ctx.req, respond) : respond(NOTHING));
  }
}

/** The same for a route with `isHot`, which needs no credentials, no query and no parsed body. */
export function handlePlainRoute(route: Route, deps: AppDeps): (ctx: RequestContext) => Promise<void> {
  const { onResponse } = route;
  return onResponse ? (ctx) => observe(ctx, handle, onResponse) : handle;

  async function handle(ctx: RequestContext): Promise<void> {
    begin(ctx, route);
    checkPathIds(ctx.params);
    await deps.withBody(ctx.req, async (rawBody) => {
      ctx.state.bodySize = rawBody.length;
      const input = { caller: null, query: undefined, body: undefined, rawBody };
      send(ctx, route, await run(ctx, route, input, deps));
    });
  }
}

function begin(ctx: RequestContext, route: Route): void {
  ctx.state.logFields['route'] = `${route.method} ${route.path}`;
  ctx.state.route = route.path;
  if (route.cacheControl !== undefined) ctx.set('Cache-Control', route.cacheControl);
}

async function run(ctx: RequestContext, route: Route, input: Input, deps: AppDeps): Promise<Reply> {
  const progress: Progress = { auditDetails: {}, isChanged: false };
  const request = requestOf(ctx, input, progress, deps);
  if (!route.idempotent) return runHandler(route, request, progress, deps);
  return deps.runOnce(idempotencyOf(ctx, route, request), (ulid) => {
    progress.ulid = ulid;
    return runHandler(route, request, progress, deps);
  });
}

type Input = Pick<AnyRequest, 'caller' | 'query' | 'body' | 'rawBody'>;

/** What is known of a request only while its handler runs. */
interface Progress {
  /** The ULID of the id that the request creates, when it has an idempotency key. */
  ulid?: string | undefined;
  auditDetails: AuditDetails | null;
  /** Whether the handler has given details: its change has happened, even if it fails later. */
  isChanged: boolean;
}

function requestOf(
  ctx: RequestContext,
  input: Input,
  progress: Progress,
  deps: Pick<AppDeps, 'rateLimits' | 'audit'>,
): AnyRequest {
  return {
    params: ctx.params,
    ...input,
    headers: ctx.headers,
    requestId: ctx.state.requestId,
    trace: ctx.state.trace,
    ip: ctx.ip,
    newId: (prefix) => (progress.ulid === undefined ? newId(prefix) : `${prefix}_${progress.ulid}`),
    count: async (endpointId) => {
      ctx.state.countedFor = endpointId;
      ctx.set(await deps.rateLimits.inbound(endpointId));
    },
    get signal() {
      return signalOf(ctx);
    },
    note: (fields) => void Object.assign(ctx.state.logFields, fields),
    audit: (details) => {
      progress.auditDetails = details && { ...progress.auditDetails, ...details };
      progress.isChanged = details !== null;
    },
    recordAudit: (entry) => deps.audit.add({ ...entry, ip: ctx.ip }, newId(AUDIT_PREFIX)),
  };
}

/**
 * Runs the handler, then stores its audit row, so that a client that receives the response can find
 * the row. A handler that fails after its change leaves a row too. A crash in between loses the
 * row, unless the client repeats the request with its idempotency key. docs/adr/0026
 */
async function runHandler(
  { audit: action, handler }: Route,
  request: AnyRequest,
  progress: Progress,
  { audit: auditLog }: Pick<AppDeps, 'audit'>,
): Promise<Reply> {
  const addRow = async (reply: Reply): Promise<void> => {
    const { auditDetails } = progress;
    if (!action || !auditDetails) return;
    const entry = auditEntry(action, auditDetails, request, reply);
    await auditLog.add(entry, auditRowId(entry) ?? request.newId(AUDIT_PREFIX));
  };
  const reply = await handler(request).catch(async (error: unknown) => {
    // If the row can't be stored either, the audit log has logged it.
    if (progress.isChanged) await addRow({}).catch(() => {});
    throw error;
  });
  await addRow(reply);
  return reply;
}

function auditEntry(
  routeAction: AuditAction,
  details: AuditDetails,
  { caller, params, ip }: AnyRequest,
  { data }: Reply,
) {
  const { action = routeAction, changes } = details;
  const { id, name } = (data ?? {}) as { id?: unknown; name?: unknown };
  const accountId = details.accountId ?? caller?.accountId;
  const actor = details.actor ?? (caller && auditActor(caller));
  if (accountId === undefined || !actor) throw new Error(`${action} needs an actor: the route is public`);
  return {
    accountId,
    actor,
    ip,
    action,
    target: auditTarget(action, {
      id: typeof id === 'string' ? id : (Object.values(params).at(-1) ?? null),
      name: typeof name === 'string' ? name : null,
      ...details.target,
    }),
    changes,
  };
}

/** Created only for the few handlers that read it. */
function signalOf({ res, state }: RequestContext): AbortSignal {
  if (!state.signal) {
    const controller = new AbortController();
    state.signal = controller.signal;
    if (res.destroyed) controller.abort();
    else res.once('close', () => controller.abort());
  }
  return state.signal;
}

/** Handles a request and reports its outcome. */
async function observe<C extends RequestContext>(
  ctx: C,
  handle: (ctx: C) => Promise<void>,
  onResponse: NonNullable<Route['onResponse']>,
): Promise<void> {
  const report = (status: number, code: string | null, pointer?: string) => {
    const { bodySize = declaredSize(ctx), countedFor = null } = ctx.state;
    onResponse({ params: ctx.params, ip: ctx.ip, status, code, pointer, size: bodySize, countedFor });
  };
  try {
    await handle(ctx);
  } catch (error) {
    const { status, code, details } = asAppError(error);
    report(rejectedStatus(ctx.res) ?? status, code, details.issues?.[0]?.pointer);
    throw error;
  }
  report(ctx.status, null);
}

function declaredSize(ctx: RequestContext): number | null {
  const size = Number(ctx.get('Content-Length') || Number.NaN);
  return Number.isSafeInteger(size) && size >= 0 ? size : null;
}

/**
 * The form id in a path; empty when it isn't well-formed, so that invented ids share one bucket.
 */
function wellFormedFormId({ formId = '' }: Readonly<Record<string, string>>): string {
  return isId('frm', formId) ? formId : '';
}

/** @throws AppError `NOT_FOUND` for a parameter that can't be an id of its kind */
function checkPathIds(params: Readonly<Record<string, string>>): void {
  for (const [name, [kind, noun]] of Object.entries(PARAMETERS)) {
    const value = params[name];
    if (value !== undefined && !isId(kind, value))
      throw new AppError('NOT_FOUND', `There is no such ${noun}`);
  }
}

/** @throws AppError `UNSUPPORTED_MEDIA_TYPE`, `INVALID_BODY`, `VALIDATION_FAILED` */
function readJson(ctx: Context, route: Route, rawBody: Buffer): unknown {
  const { body: schema = NO_KEYS, takesText, optionalBody = !route.body, keepsAnyText } = route;
  if (optionalBody && rawBody.length === 0) return checked(schema, {});
  if (rawBody.length > 0 && !ctx.is(takesText ? ['json', 'text/plain'] : ['json'])) {
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the body as JSON with "Content-Type: application/json"',
    );
  }
  const body = parseJson(rawBody);
  if (Array.isArray(body)) {
    throw new AppError(
      'INVALID_BODY',
      'The body must be one JSON object, not a list: batches are not supported, so send each entry in a request of its own',
    );
  }
  if (typeof body !== 'object' || body === null) {
    throw new AppError('INVALID_BODY', 'The body must be a JSON object');
  }
  if (keepsAnyText) refuseInfinite(body);
  else refuseUnstorable(body);
  return checked(schema, body);
}

function checked(schema: z.ZodType, value: unknown): unknown {
  const reading = readInput(schema, value);
  if (!reading.ok) throw validationFailed(reading.issues);
  return reading.value;
}

function idempotencyOf(ctx: RequestContext, route: Route, request: AnyRequest) {
  return {
    caller: request.caller?.id ?? 'public',
    accountId: request.caller?.accountId,
    formId: request.params['formId'],
    // The URL may have a slash at its end, or other letters in upper case.
    path: route.path.replace(/:(\w+)/g, (_, name: string) => request.params[name] ?? ''),
    query: request.query as object | undefined,
    key: ctx.headers['idempotency-key']?.toString(),
    rawBody: request.rawBody,
  };
}

function send(ctx: RequestContext, route: Route, reply: Reply): void {
  ctx.status = reply.status ?? route.status;
  ctx.set(reply.headers ?? {});
  if (ctx.status === 204 || ctx.status === 304) return;
  const { message, data, content, pagination } = reply;
  if (content) {
    ctx.type = content.type;
    ctx.body = content.body;
    return;
  }
  if (pagination?.nextCursor) {
    const given = Object.entries(ctx.query).flatMap(([name, values]) =>
      [values ?? []].flat().map((value): [string, string] => [name, value]),
    );
    const next = new URLSearchParams(given);
    next.set('cursor', pagination.nextCursor);
    ctx.set('Link', `<${ctx.path}?${next.toString()}>; rel="next"`);
  }
  ctx.body = {
    success: true,
    ...(message === undefined ? {} : { message }),
    data,
    ...(pagination ? { pagination } : {}),
  };
}
