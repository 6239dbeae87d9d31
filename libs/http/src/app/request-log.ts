import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { Logger } from '@svcforms/primitives';
import { loggedAddress, type LoggedAddress } from './logged-address.ts';
import type { RequestState } from '../routes/request-state.ts';
import { isOurs } from './problems.ts';

const WELL_FORMED = /^[A-Za-z0-9._~:/+=@-]{1,128}$/;

/** Gives each request an id (the client's `X-Request-Id` if well-formed), returns it, and logs one line when the request ends. */
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
