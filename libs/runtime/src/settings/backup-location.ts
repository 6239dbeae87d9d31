import { readSecret } from './secret-setting.ts';
import { SettingsError, type Settings } from './settings.ts';

/** Where backups are stored: a folder, or a bucket of an S3-compatible store. */
export type BackupLocation =
  | { folder: string }
  | {
      bucket: string;
      prefix: string;
      region: string;
      endpoint: string | undefined;
      /** Absent: the standard chain of AWS finds them. */
      credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
    };

/**
 * Reads where backups are stored. @throws SettingsError when that is not set, set twice, or
 * incomplete
 */
export function readBackupLocation(settings: Settings): BackupLocation {
  const { SVC_BACKUP_DIR: folder, SVC_BACKUP_S3_BUCKET: bucket } = settings;
  if (folder && bucket) {
    throw new SettingsError('SVC_BACKUP_DIR and SVC_BACKUP_S3_BUCKET are both set; keep one of them');
  }
  if (folder) return { folder };
  if (!bucket) {
    throw new SettingsError('SVC_BACKUP_DIR or SVC_BACKUP_S3_BUCKET is required: where backups are stored');
  }
  return {
    bucket,
    prefix: settings.SVC_BACKUP_S3_PREFIX,
    region: settings.SVC_BACKUP_S3_REGION,
    endpoint: settings.SVC_BACKUP_S3_ENDPOINT,
    credentials: credentialsIn(settings),
  };
}

function credentialsIn(settings: Settings) {
  const accessKeyId = readSecret(settings, 'SVC_BACKUP_S3_ACCESS_KEY_ID');
  const secretAccessKey = readSecret(settings, 'SVC_BACKUP_S3_SECRET_ACCESS_KEY');
  if (accessKeyId === undefined && secretAccessKey === undefined) return undefined;
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    const missing = accessKeyId === undefined ? 'ACCESS_KEY_ID' : 'SECRET_ACCESS_KEY';
    throw new SettingsError(`SVC_BACKUP_S3_${missing} is required beside the other half of the access key`);
  }
  return { accessKeyId, secretAccessKey };
}
