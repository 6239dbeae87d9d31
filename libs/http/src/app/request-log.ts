import { randomUUID } from 'node:crypto';
import type { Logger } from '@svcforms/primitives';
import { loggedAddress, type LoggedAddress } from './logged-address.ts';
import type { RequestContext, Step } from '../routes/request-context.ts';
import { isOurs } from './problems.ts';

const WELL_FORMED = /^[A-Za-z0-9._~:/+=@-]{1,128}$/;

/** Secrets of the product by their prefixes, which a client may put into a path by mistake. */
const SECRETS = /((?:svc_[a-z]+|whsec)_)[^/]+/g;
const MAX_PATH_LENGTH = 200;

/**
 * Gives each request an id (the client's `X-Request-Id` if well-formed), returns it, and logs one
 * line when the request ends, with its route, or with its path if no route handled it. Successful
 * probes are logged at debug level, because they would otherwise be most of the log.
 */
export function requestLog(log: Logger, clientIp: LoggedAddress = 'full'): Step {
  return async function requestLog(ctx, next) {
    const given = ctx.get('X-Request-Id');
    const requestId = WELL_FORMED.test(given) ? given : randomUUID();
    ctx.state.requestId = requestId;
    ctx.state.logFields = {};
    ctx.set('X-Request-Id', requestId);
    const startedAt = performance.now();
    await next();
    const durationMs = Math.round((performance.now() - startedAt) * 100) / 100;
    const { route } = ctx.state.logFields;
    log[levelOf(ctx)](
      {
        event: 'http.request',
        requestId,
        method: ctx.method,
        ip: loggedAddress(ctx.ip, clientIp),
        status: ctx.status,
        durationMs,
        ...(route === undefined && { path: loggedPath(ctx.path) }),
        ...ctx.state.logFields,
      },
      'request',
    );
  };
}

function levelOf(ctx: RequestContext): 'debug' | 'info' | 'error' {
  if (ctx.state.isProbe && ctx.status < 300) return 'debug';
  // A store or bus that is unavailable for a moment needs nobody's attention yet.
  return isOurs(ctx) && ctx.status !== 503 ? 'error' : 'info';
}

/** A path without secrets, and short. */
export function loggedPath(path: string): string {
  return path.replaceAll(SECRETS, '$1…').slice(0, MAX_PATH_LENGTH);
}
