import { BSON, MongoBulkWriteError, MongoError, MongoInvalidArgumentError, MongoServerError } from 'mongodb';
import { StoreError } from '../port/errors.ts';

const DUPLICATE_KEY = 11_000;
const WRITE_CONFLICT = 112;
const INDEX_NOT_FOUND = 27;
const OUT_OF_DISK_SPACE = 14_031;
/** IndexOptionsConflict and IndexKeySpecsConflict. */
const INDEX_CONFLICTS = new Set([85, 86]);
/** The server's codes for a statement that it always refuses. */
const INVALID_STATEMENT = new Set([
  2, // BadValue
  9, // FailedToParse
  14, // TypeMismatch
  28, // PathNotViable
  40, // ConflictingUpdateOperators
  54, // NotSingleValueField
  66, // ImmutableField
  ...INDEX_CONFLICTS,
  10_334, // BSONObjectTooLarge
  17_419, // the document would become too large
  285_999_133, // the same in DocumentDB
]);
/** Some commands of FerretDB return PostgreSQL's error for a unique key. */
const POSTGRES_DUPLICATE = /violates (unique|exclusion) constraint|could not create exclusion constraint/;
/**
 * FerretDB passes on that PostgreSQL undid a statement, for example because two unique keys waited
 * for each other.
 */
const POSTGRES_ABORT = /deadlock detected|could not serialize access/;

/**
 * Converts an error of the driver to one of the port. An error that isn't a known refusal becomes
 * `UNAVAILABLE`: if the acknowledgement of a write is lost, it is unknown whether the write was
 * stored.
 */
export function storeErrorFrom(error: unknown, address: string): unknown {
  const options = { cause: error };
  if (isUnsendable(error)) return new StoreError('UNSUPPORTED', "MongoDB can't store the document", options);
  if (!(error instanceof MongoError || isErrorOfNode(error))) return error;
  if (isDuplicate(error)) return new StoreError('DUPLICATE_KEY', 'a unique key is taken', options);
  const { code } = error;
  if (code === OUT_OF_DISK_SPACE || /no space left/i.test(error.message)) {
    return new StoreError('DISK_FULL', `MongoDB at ${address} has no room to write`, options);
  }
  if (typeof code === 'number' && INVALID_STATEMENT.has(code)) {
    return new StoreError('UNSUPPORTED', `MongoDB refused the statement with code ${code}`, options);
  }
  const refused = error instanceof MongoServerError && code !== undefined;
  const what = refused
    ? `responded with error ${error.codeName ?? code}`
    : `doesn't respond: ${reasonOf(error)}`;
  return new StoreError('UNAVAILABLE', `MongoDB at ${address} ${what}`, options);
}

/** A refused connection to several addresses has no message, but a code. */
function reasonOf({ message, code }: { message: string; code?: unknown }): string {
  const [line = ''] = (message || String(code)).split('\n', 1);
  return line;
}

export function isDuplicate(error: unknown): boolean {
  return (
    error instanceof MongoServerError &&
    (error.code === DUPLICATE_KEY || POSTGRES_DUPLICATE.test(error.message))
  );
}

/**
 * The error of a call that creates the indexes of a collection, with the message of the server:
 * only that names the index.
 */
export function indexErrorFrom(error: unknown, collection: string): unknown {
  if (!(error instanceof StoreError && error.cause instanceof MongoServerError)) return error;
  const { code, message, cause } = error;
  const reason =
    code === 'DUPLICATE_KEY'
      ? 'several documents have the same key; leave one of them'
      : INDEX_CONFLICTS.has(Number(cause.code))
        ? 'an existing index differs; drop it'
        : message;
  // Without the key that several documents have, which can be an email address.
  const [said = ''] = cause.message.split(/\n|,? dup key:/, 1);
  const what = `can't create the indexes of the collection ${collection}`;
  return new StoreError(code, `${what}: ${reason} (${said})`, { cause });
}

/** Whether the index to drop doesn't exist. */
export function isMissingIndex(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === INDEX_NOT_FOUND;
}

/**
 * Whether the server undid the statement because of a concurrent one. The same statement can
 * succeed on the next attempt.
 */
export function isAborted(error: unknown): boolean {
  return (
    error instanceof MongoServerError && (error.code === WRITE_CONFLICT || POSTGRES_ABORT.test(error.message))
  );
}

/**
 * Whether the driver couldn't encode the message (a NUL in a key, too large), so that nothing was
 * sent.
 */
export function isUnsendable(error: unknown): boolean {
  const isOfDriver = error instanceof MongoInvalidArgumentError || error instanceof BSON.BSONError;
  return isOfDriver || (isErrorOfNode(error) && error.code === 'ERR_OUT_OF_RANGE');
}

/** Whether it is an error of Node, such as one of a socket, that the driver didn't wrap. */
function isErrorOfNode(error: unknown): error is NodeJS.ErrnoException {
  return (
    typeof error === 'object' && error !== null && 'code' in error && /^E[A-Z_]+$/.test(String(error.code))
  );
}

/** Whether no server was found. The error of a bulk write copies the `reason` of its cause. */
export function isServerMissing(error: unknown): boolean {
  return error instanceof MongoError && 'reason' in error;
}

/**
 * Whether the end of the client interrupted the call. The error of a bulk write copies only the
 * message of its cause.
 */
export function isClientClosed(error: unknown): boolean {
  return error instanceof MongoError && error.message === 'Topology is closed';
}

/**
 * The refused parts of a bulk write by position; all others were written. Empty if the bulk write
 * failed as a whole or may not be durable: then the outcome of no part is known.
 */
export function refusalsOf(error: unknown): Map<number, MongoServerError> {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) return new Map();
  return new Map(
    [error.writeErrors].flat().map(({ index, code, errmsg = '' }) => {
      return [index, new MongoServerError({ message: errmsg, code })] as const;
    }),
  );
}
