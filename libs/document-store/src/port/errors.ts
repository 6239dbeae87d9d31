type StoreErrorCode =
  /** A unique key is taken. */
  | 'DUPLICATE_KEY'
  /**
   * The backend doesn't respond, or it responded that it can't work now (starting, full, too slow).
   */
  | 'UNAVAILABLE'
  /** No room to write. */
  | 'DISK_FULL'
  /** A filter, update or value outside the port's language: a bug in the caller. */
  | 'UNSUPPORTED';

/** The error of every adapter; match by `code`. `cause` holds the error of the backend. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  constructor(
    readonly code: StoreErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Whether a write failed because a unique key is taken, by this document or another one. */
export function isDuplicateKey(error: unknown): boolean {
  return codeOf(error) === 'DUPLICATE_KEY';
}

/** Whether the error is an outage, after which the same operation can succeed. */
export function isStoreFailure(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'UNAVAILABLE' || code === 'DISK_FULL';
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);
