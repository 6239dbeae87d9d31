import { ApiError, isApiError } from '../../api/api-error.ts';
import { lateDecisionTexts } from '../../texts/late-decision.ts';

/**
 * Rethrows the error of an action on a resolved or claimed task with words for users. The server's
 * message has times and ids.
 */
export function rethrowInWords(error: unknown): never {
  const message = isApiError(error) && lateDecisionTexts[error.code];
  throw message ? new ApiError({ status: error.status, code: error.problem.code, message }) : error;
}
