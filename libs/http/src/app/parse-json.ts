import { AppError, pointerOf, validationFailed } from '@svcforms/contracts';

const MAX_DEPTH = 100;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses JSON.
 * @throws AppError `INVALID_BODY` for bytes that aren't UTF-8 or JSON, or a value that is nested
 * deeper than 100 levels, because recursive readers of it could overflow their stack
 */
export function parseJson(bytes: Buffer): unknown {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch (error) {
    const why = error instanceof SyntaxError ? `can't be read: ${error.message}` : 'is not valid UTF-8';
    throw new AppError('INVALID_BODY', bytes.length === 0 ? 'A JSON body is required' : `The body ${why}`, {
      cause: error,
    });
  }
  if (isDeeperThan(value, MAX_DEPTH)) {
    throw new AppError('INVALID_BODY', `The body is nested deeper than ${MAX_DEPTH} levels`);
  }
  return value;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const key in value) {
    if (isDeeperThan((value as Record<string, unknown>)[key], levels - 1)) return true;
  }
  return false;
}

/**
 * Rejects numbers that are too large for a double: they are read as infinite, and would be stored
 * as null.
 * @throws AppError `VALIDATION_FAILED` with a pointer to the number
 */
export function refuseInfinite(value: unknown, path: string[] = []): void {
  if (value === Infinity || value === -Infinity) {
    const message = 'must be at most about 1.8e308 in size; send a larger number as text';
    throw validationFailed([{ pointer: pointerOf(path), message }]);
  }
  if (typeof value !== 'object' || value === null) return;
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    // Texts are most of what is sent, and need no path.
    if (typeof member !== 'number' && typeof member !== 'object') continue;
    path.push(key);
    refuseInfinite(member, path);
    path.pop();
  }
}

/**
 * Rejects what not every document store can hold: text with NUL or lone surrogates, and infinite
 * numbers.
 * @throws AppError `VALIDATION_FAILED` with a pointer to the text or number
 */
export function refuseUnstorable(value: unknown, path: string[] = []): void {
  if (typeof value === 'string') {
    const message = value.includes('\0')
      ? 'must not contain a NUL character'
      : /\p{Surrogate}/u.test(value)
        ? 'must not contain a lone surrogate'
        : undefined;
    if (message !== undefined) throw validationFailed([{ pointer: pointerOf(path), message }]);
  }
  if (typeof value === 'number') refuseInfinite(value, path);
  if (typeof value !== 'object' || value === null) return;
  for (const key in value) {
    path.push(key);
    refuseUnstorable(key, path);
    refuseUnstorable((value as Record<string, unknown>)[key], path);
    path.pop();
  }
}
