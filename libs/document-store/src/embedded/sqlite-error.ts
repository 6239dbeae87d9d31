import { StoreError } from '../port/errors.ts';

const saysDamaged = (code: unknown): boolean =>
  typeof code === 'string' && (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB');

/** Whether a statement found that the file is damaged. */
export const isDamage = (error: unknown): error is StoreError =>
  error instanceof StoreError && saysDamaged((error.cause as { code?: unknown } | undefined)?.code);

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
  if (saysDamaged(code)) {
    const next = 'stop the product, move the files whose names begin with it away, and restore a backup';
    return new StoreError('UNAVAILABLE', `${path} is damaged (${error.message}): ${next}`, failure);
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
