import cors from '@koa/cors';
import Router from '@koa/router';
import type { Middleware } from 'koa';
import type { Route } from '../routes/route.ts';

/**
 * The headers that pages of other sites may send and read, in addition to those that browsers
 * always allow.
 */
const ALLOWED = ['Content-Type', 'Idempotency-Key', 'X-Request-Id', 'traceparent', 'tracestate'];
const EXPOSED = [
  'X-Request-Id',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Idempotency-Replayed',
];
const PREFLIGHT_MAX_AGE_S = 86_400;

/**
 * Allows pages of any site to call the routes with `crossOrigin`, without credentials. Other routes
 * send no permission, even on the same path, so browsers restrict them to pages of their own
 * origin. docs/reference/api.md#cross-origin-requests
 */
export function crossOrigin(routes: readonly Route[]): Middleware {
  const methodsOf = new Map<string, string[]>();
  for (const { path, method, crossOrigin } of routes) {
    if (crossOrigin) methodsOf.set(path, [...(methodsOf.get(path) ?? []), method]);
  }
  const router = new Router();
  for (const [path, methods] of methodsOf) {
    const allowAnyOrigin = cors({
      origin: '*',
      allowMethods: methods,
      allowHeaders: ALLOWED,
      exposeHeaders: EXPOSED,
      maxAge: PREFLIGHT_MAX_AGE_S,
    });
    router.all(path, async function allowPublicMethods(ctx, next) {
      const method = ctx.method === 'OPTIONS' ? ctx.get('Access-Control-Request-Method') : ctx.method;
      const isPublic = methods.includes(method === 'HEAD' ? 'GET' : method);
      return isPublic ? allowAnyOrigin(ctx, next) : next();
    });
  }
  return router.routes() as unknown as Middleware;
}
