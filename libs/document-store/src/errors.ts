export type StoreErrorCode =
  /** A unique key is taken. */
  | 'DUPLICATE_KEY'
  /** The engine doesn't answer, or answered that it can't now (starting, full, too slow). */
  | 'UNAVAILABLE'
  /** No room to write. */
  | 'DISK_FULL'
  /** A filter, update or value outside the port's language: a mistake in the caller. */
  | 'UNSUPPORTED';

/** What every adapter rejects with; match by `code`. `cause` holds the engine's own error. */
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

/** A unique key of what was to be written is taken, by this document or another. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'DUPLICATE_KEY';
}
