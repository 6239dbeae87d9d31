import type { AuditAction, IdPrefix, Operation, Scope } from '@svcforms/contracts';
import type { Caller } from '@svcforms/identity';
import type { TraceContext } from '@svcforms/primitives';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { AuditDetails, AuditEntry } from '../audit/audit-log.ts';
import type { PathParams } from './path-params.ts';

/**
 * Who may call a route: keys and users with a scope, or with `orScope`, for which the handler
 * checks the rest (with `allForms`, only those from whom no form can be hidden); users with a
 * session and any role; any valid credentials (the handler checks scopes); or everyone (the handler
 * may still check a token of its own).
 */
export type Access =
  { scope: Scope; orScope?: Scope; allForms?: true } | 'session' | 'authenticated' | 'public';

/** A user who has logged in. */
export type SessionCaller = Caller & Required<Pick<Caller, 'session'>>;

type CallerOf<A extends Access> = A extends 'public' ? null : A extends 'session' ? SessionCaller : Caller;

type AnyParams = Readonly<Record<string, string>>;

/**
 * What a handler receives. It has nothing of Koa: a handler is a function from a request to a
 * reply.
 */
export interface RouteRequest<Q = unknown, B = unknown, C extends Caller | null = Caller, P = AnyParams> {
  params: P;
  query: Q;
  body: B;
  /** The bytes of the body; empty without one. */
  rawBody: Buffer;
  headers: IncomingHttpHeaders;
  /** `null` on public routes. */
  caller: C;
  requestId: string;
  /** The trace that what the request causes continues; absent where tracing is off. */
  trace?: TraceContext | undefined;
  /** The client's address, behind the configured number of trusted proxies. */
  ip: string;
  /**
   * Returns the id for the one resource of that kind that this request creates. When the client
   * sent an `Idempotency-Key`, a request that is repeated after a crash gets the same id.
   */
  newId: (prefix: IdPrefix) => string;
  /**
   * On routes with `limit: 'inbound'`: counts this request against the limit of `endpointId`. Only
   * the handler knows that the caller may use the endpoint, and others must not be able to exhaust
   * its limit.
   * @throws AppError `RATE_LIMITED`
   */
  count: (endpointId: string) => Promise<void>;
  /** Aborts when the client disconnects or has received the whole response. */
  readonly signal: AbortSignal;
  /** Adds fields to the log line of this request. */
  note: (fields: Record<string, unknown>) => void;
  /**
   * On routes with an `audit` action: adds details to the row that a success stores. Call it right
   * after the change: from then on, a failure stores the row too. `null` stores no row, because the
   * request changed nothing (it repeats an earlier one).
   */
  audit: (details: AuditDetails | null) => void;
  /** Stores an audit row immediately: for failures, and when one request makes several changes. */
  recordAudit: (entry: Omit<AuditEntry, 'ip'>) => Promise<void>;
}

/**
 * A request of a caller to a path with these parameters: `PathRequest<'formId'>` has
 * `params.formId`.
 */
export type PathRequest<
  Names extends string,
  Q = unknown,
  B = unknown,
  C extends Caller | null = Caller,
> = RouteRequest<Q, B, C, Readonly<Record<Names, string>>>;

export interface Reply {
  /** Replaces the status of the route. */
  status?: number;
  message?: string;
  data?: unknown;
  /**
   * Sent unchanged, instead of JSON with `data`; the route's `replyTypes` lists its type. A stream
   * is destroyed when the client disconnects.
   */
  content?: { type: string; body: Buffer | Readable | string };
  /**
   * On lists: where the next page begins (`null` on the last page), and the maximum number of items
   * in a page.
   */
  pagination?: { nextCursor: string | null; limit: number };
  headers?: Readonly<Record<string, string>>;
  /**
   * On routes with `takesOver`: replaces everything else and responds on the connection itself.
   * Must not throw.
   */
  connect?: (connection: Connection) => void | Promise<void>;
}

/** Both sides of a request whose handler writes the response itself. */
interface Connection {
  /** Its body has been read, except on GET and DELETE. */
  request: IncomingMessage;
  /** No part of it has been sent yet. The headers that every response has are set. */
  response: ServerResponse;
}

/**
 * A row of a service's route table: the public description of an operation, and its handler. Path
 * parameters are named after what they identify (`:formId`, `:webhookId`); a value that can't be
 * such an id gets a 404 before the handler runs.
 */
export interface Route extends Operation {
  access: Access;
  /**
   * The handler reads `rawBody` itself and ignores its content type; `body` only documents what
   * clients send.
   */
  takesRawBody?: boolean;
  /** The handler replies with `connect`; failures are sent as on every route. */
  takesOver?: boolean;
  /**
   * The body is stored as JSON text, which can hold NUL and lone surrogates. Other routes reject
   * them with 422.
   */
  keepsAnyText?: boolean;
  /**
   * Serves browsers that open a path which no other route has. Programs get a 404 problem there.
   */
  isFallback?: boolean;
  /**
   * Plain requests are handled without Koa. Only for public routes with `takesRawBody`, without a
   * query, `crossOrigin` and `sameOrigin`, whose replies are JSON. docs/adr/0082
   */
  isHot?: boolean;
  /** Connected agents may call it, with an access token. Every other route refuses them. */
  takesAgents?: boolean;
  /** Browsers may call it from other sites. */
  crossOrigin?: boolean;
  /** Browsers may call it only from our own pages, even without credentials. */
  sameOrigin?: boolean;
  /** The `Cache-Control` of responses that set none, failures included. Default: `no-store`. */
  cacheControl?: string;
  /**
   * The action of the audit row that a success stores before the response is sent. Every POST, PUT,
   * PATCH and DELETE sets it; `null` is for those that manage nothing (visitors' submissions and
   * counters) or store rows themselves (MCP).
   */
  audit?: AuditAction | null;
  handler: (request: RouteRequest<unknown, unknown, Caller | null>) => Promise<Reply>;
  /**
   * Receives the outcome of every request to this route, including those that were rejected before
   * the handler.
   */
  onResponse?: (outcome: Outcome) => void;
}

/** How a request ended. */
interface Outcome<P = AnyParams> {
  params: P;
  ip: string;
  status: number;
  /** The error code of a failure. */
  code: string | null;
  /** The JSON pointer to the first refused value, if there is one. */
  pointer: string | undefined;
  /**
   * The size of the body in bytes, as read or else as declared; `null` when the client declared
   * none.
   */
  size: number | null;
  /** The endpoint that the handler passed to `count`. */
  countedFor: string | null;
}

interface TypedRoute<
  Path extends string,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends Access,
> extends Omit<Route, 'path' | 'query' | 'body' | 'access' | 'handler' | 'onResponse'> {
  path: Path;
  access: A;
  query?: Q;
  body?: B;
  handler: (request: RouteRequest<z.output<Q>, z.output<B>, CallerOf<A>, PathParams<Path>>) => Promise<Reply>;
  onResponse?: (outcome: Outcome<PathParams<Path>>) => void;
}

/**
 * A row of the route table, with its handler typed by the path and the schemas.
 *
 * @example route({ method: 'GET', path: '/api/forms/:formId', summary: 'Get a form', access: {
 * scope: 'forms:read' }, status: 200, response: FormOut, handler: async ({ params, caller }) => ({
 * data: await readForm(caller, params.formId) }) })
 */
export function route<
  const Path extends string,
  Q extends z.ZodType,
  B extends z.ZodType,
  const A extends Access,
>(definition: TypedRoute<Path, Q, B, A>): Route {
  return definition as unknown as Route;
}
