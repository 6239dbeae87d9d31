import type Router from '@koa/router';
import { AppError } from '@svcforms/contracts';
import type { Context, Middleware } from 'koa';
import type { RequestState } from '../routes/request-state.ts';
import type { Route } from '../routes/route.ts';

/**
 * A path without parameters is a thing of its own, also where a row with a parameter would fit it: `/api/forms/import` is no
 * form. What it doesn't take is told before other rows are asked.
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
    return tellMethods(ctx, methods);
  };
}

/** What no row has answered: a method that the path's rows don't take, or nothing at all. */
export function otherMethods(router: Router<RequestState>): Middleware {
  return async function otherMethods(ctx) {
    const methods = router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods);
    if (methods.length > 0) tellMethods(ctx, methods);
  };
}

/** @throws AppError `METHOD_NOT_ALLOWED`, unless it was asked for the options. */
function tellMethods(ctx: Context, methods: readonly string[]): void {
  const allow = [...new Set([...methods, 'OPTIONS'])].sort().join(', ');
  if (ctx.method !== 'OPTIONS') {
    throw new AppError('METHOD_NOT_ALLOWED', `This path takes ${allow}`, { headers: { Allow: allow } });
  }
  ctx.set('Allow', allow);
  ctx.status = 204;
}
