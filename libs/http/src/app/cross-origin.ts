import cors from '@koa/cors';
import Router from '@koa/router';
import type { Middleware } from 'koa';
import type { Route } from '../routes/route.ts';

/** What pages of other sites may send, and what their scripts may read, beside what every browser lets them. */
const ALLOWED = ['Content-Type', 'Idempotency-Key', 'X-Request-Id'];
const EXPOSED = [
  'X-Request-Id',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Idempotency-Replayed',
];
const PREFLIGHT_IS_GOOD_FOR_S = 86_400;

/**
 * Lets pages of any site use the routes that say `crossOrigin`, without credentials. All others answer without permission, also
 * those that share a path with such a route: browsers keep them to pages of their own origin. contract: api.md §1, CORS
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
      maxAge: PREFLIGHT_IS_GOOD_FOR_S,
    });
    router.all(path, async function allowWhatIsPublic(ctx, next) {
      const method = ctx.method === 'OPTIONS' ? ctx.get('Access-Control-Request-Method') : ctx.method;
      const isPublic = methods.includes(method === 'HEAD' ? 'GET' : method);
      return isPublic ? allowAnyOrigin(ctx, next) : next();
    });
  }
  return router.routes() as unknown as Middleware;
}
