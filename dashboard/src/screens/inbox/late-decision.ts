import { ApiError, isApiError } from '../../api/api-error.ts';
import { lateDecisionTexts } from '../../texts/late-decision.ts';

/** Says why an action on a task came too late. The server's message, with its times and ids, is for programs. */
export function rethrowInWords(error: unknown): never {
  const message = isApiError(error) && lateDecisionTexts[error.code];
  throw message ? new ApiError({ status: error.status, code: error.problem.code, message }) : error;
}
