import { StoreError } from '../port/errors.ts';

/** Converts an error of SQLite to one of the port. Returns other errors unchanged. */
export function storeErrorFrom(error: unknown, path: string): unknown {
  if (!(error instanceof Error && 'code' in error) || error instanceof StoreError) return error;
  const { code } = error;
  if (typeof code !== 'string' || !code.startsWith('SQLITE_')) return error;
  const failure = { cause: error };
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    return new StoreError('DUPLICATE_KEY', 'a unique key is taken', failure);
  }
  if (code === 'SQLITE_FULL' || code.startsWith('SQLITE_IOERR')) {
    return new StoreError('DISK_FULL', `${path}: the disk is full or fails (${code})`, failure);
  }
  if (code === 'SQLITE_BUSY' && error.message === 'database is locked') {
    return new StoreError(
      'UNAVAILABLE',
      `${path} is in use by another process; only one may own it`,
      failure,
    );
  }
  return new StoreError('UNAVAILABLE', `${path}: ${error.message}`, failure);
}
