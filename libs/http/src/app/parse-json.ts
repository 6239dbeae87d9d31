import { AppError, pointerOf, validationFailed } from '@svcforms/contracts';

const MAX_DEPTH = 100;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The JSON value that the bytes hold.
 * @throws AppError `INVALID_BODY`: not UTF-8, not JSON, or nested deeper than 100 levels (every reader of it would have
 * to be as patient as we were).
 */
export function parseJson(bytes: Buffer): unknown {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch (error) {
    const why = error instanceof SyntaxError ? `can't be read: ${error.message}` : 'is not valid UTF-8';
    throw new AppError('INVALID_BODY', bytes.length === 0 ? 'A JSON body is needed' : `The body ${why}`, {
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
 * Texts of most calls go into the store as they are, and not every store can keep a NUL or half of a surrogate pair.
 * @throws AppError `VALIDATION_FAILED` with the place.
 */
export function refuseUnstorable(value: unknown, path: readonly string[] = []): void {
  if (typeof value === 'string') {
    const message = value.includes('\0')
      ? 'must not contain a NUL character'
      : /\p{Surrogate}/u.test(value)
        ? 'must not contain half of a surrogate pair'
        : undefined;
    if (message !== undefined) throw validationFailed([{ pointer: pointerOf(path), message }]);
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const at = [...path, key];
    refuseUnstorable(key, at);
    refuseUnstorable(member, at);
  }
}
