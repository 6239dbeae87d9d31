import type { Readable } from 'node:stream';
import type { StoredBackup } from './backup-name.ts';

/** A target that stores backups. Errors name it. */
export interface BackupTarget {
  /** For messages: the path of the folder, or the URL of the bucket. */
  readonly description: string;
  /**
   * Stores a backup under this name, which appears only when the whole stream is stored. After a
   * failure, nothing remains. Returns the number of stored bytes. @throws the error of the stream,
   * or BackupError
   */
  write(name: string, content: Readable): Promise<number>;
  list(): Promise<StoredBackup[]>;
  /** @throws BackupError `NOT_FOUND` */
  open(name: string): Promise<Readable>;
  remove(name: string): Promise<void>;
}

type BackupErrorCode = 'UNAVAILABLE' | 'DENIED' | 'FULL' | 'NOT_FOUND' | 'DAMAGED' | 'WRONG_TIME';

/** A backup can't be stored or read. The message says where. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
  constructor(
    readonly code: BackupErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
