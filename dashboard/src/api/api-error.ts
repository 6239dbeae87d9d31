import type { ErrorCode, Issue, Problem } from '@svcforms/contracts';
import { shellTexts } from '../texts/shell.ts';

/** A call that failed: the product's problem object, or `NETWORK` where there was no answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode | 'NETWORK';
  /** 0 where there was no answer. */
  readonly status: number;
  /** By which the product's log knows the call. */
  readonly requestId: string | undefined;
  /** What was refused, by JSON pointer into the body. */
  readonly issues: readonly Issue[];
  /** The whole answer; some codes say more in it. */
  readonly problem: Partial<Problem>;

  constructor(problem: Partial<Problem>, options?: ErrorOptions) {
    super(problem.message ?? shellTexts.networkFailure, options);
    this.problem = problem;
    this.code = problem.code ?? 'NETWORK';
    this.status = problem.status ?? 0;
    this.requestId = problem.requestId;
    this.issues = problem.errors ?? [];
  }

  /** What happened and by which id it can be asked about, as one line. */
  forPeople(): string {
    return this.requestId ? `${this.message} (${shellTexts.requestId}: ${this.requestId})` : this.message;
  }
}

export function isApiError(error: unknown): error is ApiError {
  return error instanceof ApiError;
}

/** What was refused, by path as forms of @mantine/form name it: `/fields/0/name` → `fields.0.name`. */
export function formErrors(error: unknown): Record<string, string> {
  const issues = isApiError(error) ? error.issues : [];
  return Object.fromEntries(
    issues.map(({ pointer, message }) => [
      pointer
        .slice(1)
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
        .join('.'),
      message,
    ]),
  );
}
