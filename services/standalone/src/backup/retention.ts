import { DAY_MS } from '@svcforms/primitives';
import { newestFirst, type StoredBackup } from './backup-name.ts';

export interface Retention {
  /** Backups that are older than this many days expire. 0: no limit. */
  keepDays: number;
  /** All but this many of the newest backups expire. 0: no limit. */
  keepCount: number;
}

/**
 * Returns the backups to delete, the oldest last. The newest backup never expires. A backup that is
 * exactly `keepDays` old stays. docs/operations.md#retention
 */
export function expiredBackups(
  backups: readonly StoredBackup[],
  { keepDays, keepCount }: Retention,
  now: number,
): StoredBackup[] {
  return newestFirst(backups).filter(({ at }, index) => {
    const isOld = keepDays > 0 && at < now - keepDays * DAY_MS;
    const isSurplus = keepCount > 0 && index >= keepCount;
    return index > 0 && (isOld || isSurplus);
  });
}
