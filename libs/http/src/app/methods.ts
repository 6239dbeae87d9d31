import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { AppError } from '@svcforms/contracts';
import type { Context, Middleware } from 'koa';
import type { RequestState } from '../routes/request-state.ts';
import type { Route } from '../routes/route.ts';

/**
 * Gives paths without parameters precedence over routes with parameters that match them too:
 * `/api/forms/import` isn't a form. A method that such a path doesn't allow is rejected before
 * other routes are tried.
 */
export function ownMethods(routes: readonly Route[]): Middleware {
  const methodsOf = new Map<string, string[]>();
  for (const { path, method } of routes) {
    if (path.includes(':')) continue;
    const own = method === 'GET' ? ['GET', 'HEAD'] : [method];
    methodsOf.set(path, [...(methodsOf.get(path) ?? []), ...own]);
  }
  return async function ownMethods(ctx, next) {
    const methods = methodsOf.get(ctx.path);
    if (!methods || methods.includes(ctx.method)) return next();
    return sendAllowed(ctx, methods);
  };
}

/** Handles a method that the path's routes don't allow. */
export function otherMethods(router: Router<RequestState>): Middleware {
  return async function otherMethods(ctx, next) {
    const methods = router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods);
    if (methods.length === 0) return next();
    sendAllowed(ctx, methods);
  };
}

/** Serves the routes with `isFallback` to browsers that open an unknown path. */
export function fallbackPages(router: Router<RequestState>): Middleware<RequestState> {
  const serve = router.routes();
  return async function fallbackPages(ctx, next) {
    return ctx.get('Accept').includes('text/html') ? serve(ctx as RouterContext, next) : next();
  };
}

/** Responds to OPTIONS. @throws AppError `METHOD_NOT_ALLOWED` for other methods */
export function sendAllowed(ctx: Context, methods: readonly string[]): void {
  const allow = [...new Set([...methods, 'OPTIONS'])].sort().join(', ');
  if (ctx.method !== 'OPTIONS') {
    throw new AppError('METHOD_NOT_ALLOWED', `This path allows ${allow}`, { headers: { Allow: allow } });
  }
  ctx.set('Allow', allow);
  ctx.status = 204;
}
