import type { RouterContext } from '@koa/router';
import type { RequestState } from './request-state.ts';

/**
 * What every request has, handled by Koa or on the fast path: a part of Koa's context. Middleware
 * that uses nothing else serves both.
 */
export type RequestContext = Pick<
  RouterContext<RequestState>,
  | 'state'
  | 'method'
  | 'path'
  | 'params'
  | 'query'
  | 'headers'
  | 'get'
  | 'ip'
  | 'protocol'
  | 'req'
  | 'res'
  | 'set'
  | 'status'
  | 'type'
  | 'body'
  | 'respond'
>;

/** Handles a request, or passes it on to `next`. */
export type Step = (ctx: RequestContext, next: () => Promise<unknown>) => Promise<unknown>;
