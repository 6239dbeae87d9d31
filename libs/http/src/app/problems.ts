import { AppError, isAppError, problemOf } from '@svcforms/contracts';
import type { Middleware } from 'koa';
import type { RequestState } from '../routes/request-state.ts';

/** Codes of stores and buses that mean: not now, try again. */
const NOT_NOW: readonly unknown[] = ['UNAVAILABLE', 'FULL', 'DISK_FULL'];

/** Every failure leaves here, as problem+json. What isn't meant for clients becomes 500 without its message. */
export function problems(options: { baseUrl: string }): Middleware<RequestState> {
  return async function problems(ctx, next) {
    let failure: AppError;
    try {
      await next();
      if (ctx.status !== 404 || ctx.body !== undefined) return;
      failure = new AppError('NOT_FOUND', 'There is nothing at this path');
    } catch (error) {
      failure = asAppError(error);
      if (isOurs(failure)) ctx.state.logFields['err'] = error;
    }
    ctx.state.logFields['code'] = failure.code;
    ctx.status = failure.status;
    ctx.set(failure.details.headers ?? {});
    ctx.body = JSON.stringify(problemOf(failure, { id: ctx.state.requestId, baseUrl: options.baseUrl }));
    ctx.type = 'application/problem+json';
  };
}

/** Whether a failure is the product's own. 508 says that the client's systems form a loop. */
export const isOurs = ({ status }: { status: number }): boolean => status >= 500 && status !== 508;

/** What clients are told of a failure: one that isn't meant for them loses its message. */
export function asAppError(error: unknown): AppError {
  if (isAppError(error)) return error;
  if (NOT_NOW.includes((error as { code?: unknown } | undefined)?.code)) {
    return new AppError(
      'UNAVAILABLE',
      'The service can not store or find anything right now; try again in a moment',
      {
        headers: { 'Retry-After': '5' },
        cause: error,
      },
    );
  }
  return new AppError('INTERNAL', 'The request failed; the request id tells us which', { cause: error });
}
