import type { RouterContext, RouterMiddleware } from '@koa/router';
import {
  AppError,
  isId,
  newId,
  readInput,
  validationFailed,
  type AuditAction,
  type PathIds,
} from '@svcforms/contracts';
import type { Caller } from '@svcforms/identity';
import { z } from 'zod';
import type { AppDeps } from './app.ts';
import { AUDIT_PREFIX, auditActor, auditTarget, type AuditDetails } from '../audit/audit-log.ts';
import { authorize, type AuthorizeDeps } from '../auth/authorize.ts';
import { asAppError } from './problems.ts';
import { parseJson, refuseUnstorable } from './parse-json.ts';
import { readBody } from './read-body.ts';
import type { RequestState } from './request-log.ts';
import type { Reply, Route, RouteRequest } from './route.ts';

type Context = RouterContext<RequestState>;

/** Of a row that takes none. */
const NO_KEYS = z.strictObject({});
const WITHOUT_BODY = ['GET', 'HEAD', 'DELETE'];
const NOTHING = Buffer.alloc(0);

/** What the parameters of paths identify. */
export const PARAMETER_KINDS: PathIds = {
  formId: 'frm',
  submissionId: 'sub',
  webhookId: 'whk',
  deliveryId: 'del',
  userId: 'usr',
  keyId: 'key',
  inboundId: 'inb',
  taskId: 'tsk',
  addressId: 'nad',
  sessionId: 'ses',
};

/**
 * Answers one row of the route table. The rules in their order: credentials, rate limit, scope, ids in the path, query, body,
 * then the handler (once, where the request has an idempotency key).
 */
export function answer(route: Route, deps: AppDeps & AuthorizeDeps): RouterMiddleware<RequestState> {
  const { settled } = route;
  return settled ? (ctx) => settle(ctx, answer, settled) : answer;

  async function answer(ctx: Context): Promise<void> {
    ctx.state.logFields['route'] = `${route.method} ${route.path}`;
    ctx.state.route = route.path;
    const caller = await authorize(ctx, route, deps);
    if (route.limit === 'public' || route.limit === 'counters') {
      // Before the ids are checked: an id that doesn't exist costs a request, too.
      ctx.set(await deps.rateLimits[route.limit]({ ip: ctx.ip, formId: wellFormedFormId(ctx.params) }));
    }
    checkPathIds(ctx.params);
    const query = route.query ? checked(route.query, { ...ctx.query }) : undefined;
    const hasBody = !WITHOUT_BODY.includes(ctx.method);
    const rawBody = hasBody ? await readBody(ctx.req) : NOTHING;
    ctx.state.bodySize = rawBody.length;
    const request: RouteRequest<unknown, unknown, Caller | null> = {
      params: ctx.params,
      query,
      body: hasBody && !route.takesRawBody ? readJson(ctx, route, rawBody) : undefined,
      rawBody,
      headers: ctx.headers,
      caller,
      requestId: ctx.state.requestId,
      ip: ctx.ip,
      newId,
      count: async (endpointId) => {
        ctx.state.countedFor = endpointId;
        ctx.set(await deps.rateLimits.inbound(endpointId));
      },
      get signal() {
        return signalOf(ctx);
      },
      note: (fields) => void Object.assign(ctx.state.logFields, fields),
      audit: () => {},
      recordAudit: (entry) => deps.audit.add({ ...entry, ip: ctx.ip }, newId(AUDIT_PREFIX)),
    };
    const reply = route.idempotent
      ? await deps.runOnce(idempotencyOf(ctx, request), (ulid) =>
          handle(route, ulid ? { ...request, newId: (prefix) => `${prefix}_${ulid}` } : request, deps),
        )
      : await handle(route, request, deps);
    if (!reply.connect) return send(ctx, route, reply);
    ctx.respond = false;
    ctx.status = route.status;
    await reply.connect({ request: ctx.req, response: ctx.res });
  }
}

/**
 * Runs the handler, then adds its row to the audit log: who got an answer finds the row. A crash in between loses it, unless
 * the client repeats the request with its idempotency key. adr: 0026
 */
async function handle(
  { audit: action, handler }: Route,
  request: RouteRequest<unknown, unknown, Caller | null>,
  { audit: auditLog }: Pick<AppDeps, 'audit'>,
): Promise<Reply> {
  if (!action) return handler(request);
  let details: AuditDetails | null = {};
  const reply = await handler({
    ...request,
    audit: (given) => (details = given && { ...details, ...given }),
  });
  if (details) await auditLog.add(auditEntry(action, details, request, reply), request.newId(AUDIT_PREFIX));
  return reply;
}

function auditEntry(
  routeAction: AuditAction,
  details: AuditDetails,
  { caller, params, ip }: RouteRequest<unknown, unknown, Caller | null>,
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

/** Made only for the few handlers that ask for it. */
function signalOf({ res, state }: Context): AbortSignal {
  if (!state.signal) {
    const leaving = new AbortController();
    state.signal = leaving.signal;
    if (res.destroyed) leaving.abort();
    else res.once('close', () => leaving.abort());
  }
  return state.signal;
}

/** Answers, and tells what became of it. */
async function settle(
  ctx: Context,
  answer: (ctx: Context) => Promise<void>,
  settled: NonNullable<Route['settled']>,
): Promise<void> {
  const tell = (status: number, code: string | null) => {
    const { bodySize = declaredSize(ctx), countedFor = null } = ctx.state;
    settled({ params: ctx.params, ip: ctx.ip, status, code, size: bodySize, countedFor });
  };
  try {
    await answer(ctx);
  } catch (error) {
    const { status, code } = asAppError(error);
    tell(status, code);
    throw error;
  }
  tell(ctx.status, null);
}

function declaredSize(ctx: Context): number | null {
  const size = Number(ctx.get('Content-Length') || Number.NaN);
  return Number.isSafeInteger(size) && size >= 0 ? size : null;
}

/** The form that a path names; empty where it names none, so that made-up ids share one bucket. */
function wellFormedFormId({ formId = '' }: Readonly<Record<string, string>>): string {
  return isId('frm', formId) ? formId : '';
}

/** What can't be an id identifies nothing. @throws AppError `NOT_FOUND` */
function checkPathIds(params: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(params)) {
    const kind = PARAMETER_KINDS[name];
    if (kind && !isId(kind, value)) throw new AppError('NOT_FOUND', `There is no such ${name.slice(0, -2)}`);
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
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('INVALID_BODY', 'The body must be a JSON object');
  }
  if (!keepsAnyText) refuseUnstorable(body);
  return checked(schema, body);
}

function checked(schema: z.ZodType, value: unknown): unknown {
  const reading = readInput(schema, value);
  if (!reading.ok) throw validationFailed(reading.issues);
  return reading.value;
}

function idempotencyOf(ctx: Context, request: RouteRequest<unknown, unknown, Caller | null>) {
  return {
    caller: request.caller?.id ?? 'public',
    accountId: request.caller?.accountId,
    formId: request.params['formId'],
    path: ctx.path,
    key: ctx.headers['idempotency-key']?.toString(),
    rawBody: request.rawBody,
  };
}

function send(ctx: Context, route: Route, reply: Reply): void {
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
    const next = new URLSearchParams({
      ...(ctx.query as Record<string, string>),
      cursor: pagination.nextCursor,
    });
    ctx.set('Link', `<${ctx.path}?${next.toString()}>; rel="next"`);
  }
  ctx.body = {
    success: true,
    ...(message === undefined ? {} : { message }),
    data,
    ...(pagination ? { pagination } : {}),
  };
}
