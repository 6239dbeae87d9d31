import { segmentsOf, type ErrorCode, type Issue, type Problem } from '@svcforms/contracts';
import { shellTexts } from '../texts/shell.ts';

/** A failed request: the API's problem object, or `NETWORK` without a response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode | 'NETWORK';
  /** 0 without a response. */
  readonly status: number;
  /** The id of the request in the server's log. */
  readonly requestId: string | undefined;
  /** The invalid values, by JSON pointer into the body. */
  readonly issues: readonly Issue[];
  /** The whole problem object. Some codes have additional members. */
  readonly problem: Partial<Problem>;

  constructor(problem: Partial<Problem>, options?: ErrorOptions) {
    // The API's message of invalid values is the first issue with its JSON pointer.
    super(
      problem.errors?.length ? shellTexts.invalid : (problem.message ?? shellTexts.networkFailure),
      options,
    );
    this.problem = problem;
    this.code = problem.code ?? 'NETWORK';
    this.status = problem.status ?? 0;
    this.requestId = problem.requestId;
    this.issues = problem.errors ?? [];
  }

  /** The message and the request id in one line. */
  fullMessage(): string {
    return this.requestId ? `${this.message} (${shellTexts.requestId}: ${this.requestId})` : this.message;
  }
}

export function isApiError(error: unknown): error is ApiError {
  return error instanceof ApiError;
}

/** Whether the object doesn't exist, was deleted, or isn't for this user. */
export const isMissing = (error: unknown): boolean => isApiError(error) && error.code === 'NOT_FOUND';

/** Whether the server couldn't be reached or couldn't respond. */
export const isTransient = (error: unknown): boolean =>
  !isApiError(error) || error.status === 0 || error.status >= 500;

/** Whether the same request may succeed later. A missing object or permission stays missing. */
export function canRetry(error: unknown): boolean {
  return isTransient(error) || (isApiError(error) && [401, 408, 409, 425, 429].includes(error.status));
}

/** The invalid values by @mantine/form path: `/fields/0/name` → `fields.0.name`. */
export function formErrors(error: unknown): Record<string, string> {
  const issues = isApiError(error) ? error.issues : [];
  return Object.fromEntries(
    issues.map(({ pointer, message }) => [segmentsOf(pointer).join('.'), capitalized(message)]),
  );
}

/**
 * The errors of values without an input, as sentences, each once. `inputs` are the @mantine/form
 * paths that show their errors themselves; a path includes everything below it. `nameOf` says what
 * users call the value at a path.
 */
export function otherErrors(
  error: unknown,
  inputs: readonly string[],
  nameOf?: (parts: readonly string[]) => string,
): string[] {
  const issues = isApiError(error) ? error.issues : [];
  const texts = issues
    .map(({ pointer, message }) => ({ parts: segmentsOf(pointer), message }))
    .filter(({ parts }) => !inputs.some((path) => `${parts.join('.')}.`.startsWith(`${path}.`)))
    .map(({ parts, message }) => {
      if (parts.length === 0) return capitalized(message);
      return nameOf ? `${nameOf(parts)}: ${capitalized(message)}` : `${pathOf(parts)} ${message}`;
    });
  return [...new Set(texts)];
}

/** Users count from one: `fields`, `0`, `name` → `fields 1 › name`. */
function pathOf(parts: readonly string[]): string {
  return parts
    .map((part, n) => (n > 0 && /^\d+$/.test(part) ? ` ${Number(part) + 1}` : ` › ${part}`))
    .join('')
    .slice(3);
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
