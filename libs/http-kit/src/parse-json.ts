import { AppError, validationFailed } from '@svcforms/contracts';

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
    const why = error instanceof SyntaxError ? `is not valid JSON: ${error.message}` : 'is not valid UTF-8';
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
 * Texts of the management API go into the store as they are, and not every store can keep a NUL in a text.
 * @throws AppError `VALIDATION_FAILED` with the place.
 */
export function refuseNul(value: unknown, pointer = ''): void {
  if (typeof value === 'string' && value.includes('\0')) {
    throw validationFailed([{ pointer, message: 'must not contain a NUL character' }]);
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const at = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    refuseNul(key, at);
    refuseNul(member, at);
  }
}
