import type { AuditAction, IdPrefix, Operation, Scope } from '@svcforms/contracts';
import type { Caller } from '@svcforms/identity';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { AuditDetails, AuditEntry } from '../audit/audit-log.ts';

/**
 * Who may call: holders of a scope, be it a key or a user who has logged in; users who have logged in, whatever their role; whoever
 * has valid credentials (the handler asks for scopes); or everybody (the handler itself may still ask for a token of its own).
 */
export type Access = { scope: Scope } | 'session' | 'authenticated' | 'public';

/** A user who has logged in. */
export type SessionCaller = Caller & Required<Pick<Caller, 'session'>>;

type CallerOf<A extends Access> = A extends 'public' ? null : A extends 'session' ? SessionCaller : Caller;

/** What a handler is given. Nothing of Koa: a handler is a function from this to a reply. */
export interface RouteRequest<Q = unknown, B = unknown, C extends Caller | null = Caller> {
  params: Readonly<Record<string, string>>;
  query: Q;
  body: B;
  /** The bytes as they came; empty when there was no body. */
  rawBody: Buffer;
  headers: IncomingHttpHeaders;
  /** `null` on public calls. */
  caller: C;
  requestId: string;
  /** The client's address, behind as many trusted proxies as are set. */
  ip: string;
  /**
   * The id for the one thing of that kind that this request creates. Where the client sent an `Idempotency-Key`, a
   * request that is taken over after a crash gets the same id again.
   */
  newId: (prefix: IdPrefix) => string;
  /**
   * On calls with `limit: 'inbound'`: counts this request as one of `endpointId`'s. Only the handler knows that the caller may
   * use it, and nobody else shall be able to use it up.
   * @throws AppError `RATE_LIMITED`
   */
  count: (endpointId: string) => Promise<void>;
  /** Aborted when the client has gone, or has its whole answer: nobody waits for this request any more. */
  signal: AbortSignal;
  /** Adds fields to the one log line of this request. */
  note: (fields: Record<string, unknown>) => void;
  /**
   * On routes with an `audit` action: what the row that follows a success says beyond that. `null`: the request changed
   * nothing (it repeats an earlier one), so there is no row.
   */
  audit: (details: AuditDetails | null) => void;
  /** Adds a row to the audit log at once: for failures, and where one request makes several changes. */
  recordAudit: (entry: Omit<AuditEntry, 'ip'>) => Promise<void>;
}

export interface Reply {
  /** Instead of the route's own. */
  status?: number;
  message?: string;
  data?: unknown;
  /**
   * Sent as it is, instead of JSON with `data`; the route's `replyTypes` names its type. A stream is destroyed when the client
   * goes away.
   */
  content?: { type: string; body: Buffer | Readable | string };
  /** On lists: where the next page begins (`null` on the last), and the most that a page holds. */
  pagination?: { nextCursor: string | null; limit: number };
  headers?: Readonly<Record<string, string>>;
  /** Of a route that takes over: instead of all the rest, answers on the connection itself. Must not throw. */
  connect?: (connection: Connection) => void | Promise<void>;
}

/** The two sides of a request whose answer isn't made at once, or not by us. */
export interface Connection {
  /** Its body has been read, except on GET and DELETE. */
  request: IncomingMessage;
  /** Nothing has been sent; the headers that every answer has are set. */
  response: ServerResponse;
}

/**
 * One row of a service's route table: all that clients may know of a call, and the function that answers it.
 * Path parameters are named after what they identify (`:formId`, `:webhookId`); one that doesn't have the form of such an id
 * is answered 404 before the handler runs.
 */
export interface Route extends Operation {
  access: Access;
  /** The handler reads `rawBody` itself, whatever its content type; `body` only tells clients what to send. */
  takesRawBody?: boolean;
  /** The handler replies with `connect`, or fails as every other. */
  takesOver?: boolean;
  /** What it takes is kept as JSON, which holds NUL and halves of surrogate pairs too; elsewhere they are refused with 422. */
  keepsAnyText?: boolean;
  /** Browsers on other sites may call it. */
  crossOrigin?: boolean;
  /** Browsers may call it only from our own pages, also where it needs no credentials. */
  sameOrigin?: boolean;
  /**
   * What a success adds to the audit log: one row, stored before the answer is sent. Every POST, PUT, PATCH and DELETE says
   * it; `null` is for those that manage nothing (visitors' submissions and counters) or add rows themselves (MCP).
   */
  audit?: AuditAction | null;
  handler: (request: RouteRequest<unknown, unknown, Caller | null>) => Promise<Reply>;
  /** Told of every request that came to this row, also of those that the handler never saw. */
  settled?: (outcome: Outcome) => void;
}

/** What became of a request. */
export interface Outcome {
  params: Readonly<Record<string, string>>;
  ip: string;
  status: number;
  /** Of the failure. */
  code: string | null;
  /** Bytes of the body: read, or else as the client declared them; `null` where it didn't. */
  size: number | null;
  /** What its handler gave `count`: the endpoint that it was allowed to use. */
  countedFor: string | null;
}

interface TypedRoute<Q extends z.ZodType, B extends z.ZodType, A extends Access> extends Omit<
  Route,
  'query' | 'body' | 'access' | 'handler'
> {
  access: A;
  query?: Q;
  body?: B;
  handler: (request: RouteRequest<z.output<Q>, z.output<B>, CallerOf<A>>) => Promise<Reply>;
}

/**
 * A row of the route table, its handler typed by its schemas.
 *
 * @example
 * route({ method: 'GET', path: '/api/forms/:formId', summary: 'One form', access: { scope: 'forms:read' }, status: 200,
 *   response: FormOut, handler: async ({ params, caller }) => ({ data: await readForm(caller, params.formId) }) })
 */
export function route<Q extends z.ZodType, B extends z.ZodType, const A extends Access>(
  definition: TypedRoute<Q, B, A>,
): Route {
  return definition as unknown as Route;
}
