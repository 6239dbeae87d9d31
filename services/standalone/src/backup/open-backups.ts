import type { Clock, Logger } from '@svcforms/primitives';
import { readBackupLocation, type Settings } from '@svcforms/runtime';
import { createBackups, type Backups } from './backups.ts';
import { createFolderTarget } from './folder-target.ts';
import { createS3Target } from './s3-target.ts';

/** Opens the backups that the settings name. @throws SettingsError */
export function openBackups(
  settings: Settings,
  { log, now }: { log: Pick<Logger, 'info' | 'warn'>; now: Clock },
): Backups {
  const location = readBackupLocation(settings);
  const target = 'folder' in location ? createFolderTarget(location.folder) : createS3Target(location);
  const retention = { keepDays: settings.SVC_BACKUP_KEEP_DAYS, keepCount: settings.SVC_BACKUP_KEEP_COUNT };
  return createBackups({ target, retention, log, now });
}
