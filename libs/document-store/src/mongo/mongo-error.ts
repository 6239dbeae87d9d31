import { BSON, MongoBulkWriteError, MongoError, MongoInvalidArgumentError, MongoServerError } from 'mongodb';
import { StoreError } from '../errors.ts';

const DUPLICATE_KEY = 11_000;
const OUT_OF_DISK_SPACE = 14_031;
/** The server's codes for a statement that it won't run as it is, whenever it is sent. */
const MISTAKES = new Set([
  2, // BadValue
  9, // FailedToParse
  14, // TypeMismatch
  28, // PathNotViable
  40, // ConflictingUpdateOperators
  54, // NotSingleValueField
  66, // ImmutableField
  85, // IndexOptionsConflict
  86, // IndexKeySpecsConflict
  10_334, // BSONObjectTooLarge
  17_419, // the document would become too large
  285_999_133, // the same in DocumentDB's words
]);
/** In some commands FerretDB passes on what PostgreSQL says of a unique key. */
const POSTGRES_DUPLICATE = /violates (unique|exclusion) constraint|could not create exclusion constraint/;

/**
 * What the driver threw, as the port's error. What isn't known to be a refusal is `UNAVAILABLE`, so that a write whose
 * acknowledgement was lost on the way is never taken for one that was made or refused.
 */
export function storeErrorFrom(error: unknown, address: string): unknown {
  const because = { cause: error };
  if (isUnsendable(error)) return new StoreError('UNSUPPORTED', 'not a document that MongoDB takes', because);
  if (!(error instanceof MongoError || isErrorOfNode(error))) return error;
  if (isDuplicate(error)) return new StoreError('DUPLICATE_KEY', 'a unique key is taken', because);
  const { code } = error;
  if (code === OUT_OF_DISK_SPACE || /no space left/i.test(error.message)) {
    return new StoreError('DISK_FULL', `MongoDB at ${address} has no room to write`, because);
  }
  if (typeof code === 'number' && MISTAKES.has(code)) {
    return new StoreError('UNSUPPORTED', `MongoDB refuses it with code ${code}`, because);
  }
  const refused = error instanceof MongoServerError && code !== undefined;
  const what = refused ? `answered with error ${error.codeName ?? code}` : `doesn't answer`;
  return new StoreError('UNAVAILABLE', `MongoDB at ${address} ${what}`, because);
}

export function isDuplicate(error: unknown): boolean {
  return (
    error instanceof MongoServerError &&
    (error.code === DUPLICATE_KEY || POSTGRES_DUPLICATE.test(error.message))
  );
}

/** The driver couldn't make a message of it (a NUL in a key, too large), so nothing was sent. */
export function isUnsendable(error: unknown): boolean {
  const isOfDriver = error instanceof MongoInvalidArgumentError || error instanceof BSON.BSONError;
  return isOfDriver || (isErrorOfNode(error) && error.code === 'ERR_OUT_OF_RANGE');
}

/** What Node itself threw, a socket's error say, and the driver passed on as it was. */
function isErrorOfNode(error: unknown): error is NodeJS.ErrnoException {
  return (
    typeof error === 'object' && error !== null && 'code' in error && /^E[A-Z_]+$/.test(String(error.code))
  );
}

/** No server was found to send it to. A bulk write's error is made of the one that it met, and has its `reason`. */
export function isServerMissing(error: unknown): boolean {
  return error instanceof MongoError && 'reason' in error;
}

/**
 * What the server refused of a bulk write, by position; all else was written. Empty when the bulk write failed as a whole, or
 * when what was written may not last: then nothing is known of any part.
 */
export function refusalsOf(error: unknown): Map<number, MongoServerError> {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) return new Map();
  return new Map(
    [error.writeErrors].flat().map(({ index, code, errmsg = '' }) => {
      return [index, new MongoServerError({ message: errmsg, code })] as const;
    }),
  );
}
