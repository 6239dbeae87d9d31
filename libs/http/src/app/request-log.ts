import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { Logger } from '@svcforms/primitives';
import { loggedAddress, type LoggedAddress } from './logged-address.ts';
import { isOurs } from './problems.ts';

/** What a request carries from middleware to middleware. */
export interface RequestState {
  requestId: string;
  /** Fields of its one log line. */
  logFields: Record<string, unknown>;
  /** Path of the row of the route table that answers it. */
  route?: string;
  /** Bytes of the body, once it has been read. */
  bodySize?: number;
  /** Aborted when its connection is closed, once somebody has asked for it. */
  signal?: AbortSignal;
  /** The inbound endpoint whose requests it counts among. */
  countedFor?: string;
}

const WELL_FORMED = /^[A-Za-z0-9._~:/+=@-]{1,128}$/;

/** Gives each request an id (the client's `X-Request-Id` where well-formed), echoes it, and writes one log line when it ends. */
export function requestLog(log: Logger, clientIp: LoggedAddress = 'full'): Middleware<RequestState> {
  return async function requestLog(ctx, next) {
    const given = ctx.get('X-Request-Id');
    const requestId = WELL_FORMED.test(given) ? given : randomUUID();
    ctx.state.requestId = requestId;
    ctx.state.logFields = {};
    ctx.set('X-Request-Id', requestId);
    const startedAt = performance.now();
    await next();
    const durationMs = Math.round((performance.now() - startedAt) * 100) / 100;
    const level = isOurs(ctx) && ctx.status !== 503 ? 'error' : 'info';
    log[level](
      {
        event: 'http.request',
        requestId,
        method: ctx.method,
        ip: loggedAddress(ctx.ip, clientIp),
        status: ctx.status,
        durationMs,
        ...ctx.state.logFields,
      },
      'request',
    );
  };
}
