import { AppError, isAppError, problemOf } from '@svcforms/contracts';
import { rejectedStatus } from './malformed-requests.ts';
import type { Step } from '../routes/request-context.ts';

/** Error codes of stores and buses that mean that a retry can succeed. */
const TEMPORARY: readonly unknown[] = ['UNAVAILABLE', 'FULL', 'DISK_FULL'];

/** Sends every failure as problem+json. Unexpected errors become 500 without their message. */
export function problems(options: { baseUrl: string }): Step {
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
    // The logs and metrics have the status that the client got.
    ctx.status = rejectedStatus(ctx.res) ?? failure.status;
    ctx.set(failure.details.headers ?? {});
    ctx.body = JSON.stringify(problemOf(failure, { id: ctx.state.requestId, baseUrl: options.baseUrl }));
    ctx.type = 'application/problem+json';
  };
}

/** Whether the product caused a failure. 508 means that the client's systems form a loop. */
export const isOurs = ({ status }: { status: number }): boolean => status >= 500 && status !== 508;

/** The failure that clients see: an unexpected error loses its message. */
export function asAppError(error: unknown): AppError {
  if (isAppError(error)) return error;
  if (TEMPORARY.includes((error as { code?: unknown } | undefined)?.code)) {
    return new AppError(
      'UNAVAILABLE',
      "The service can't reach its storage right now. Try again in a moment.",
      {
        headers: { 'Retry-After': '5' },
        cause: error,
      },
    );
  }
  return new AppError('INTERNAL', 'The request failed. Contact support with the request id.', {
    cause: error,
  });
}
