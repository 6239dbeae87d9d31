import { wholeNumberText } from '@svcforms/contracts';
import { z } from 'zod';
import { plainUrl } from './formats.ts';

/**
 * Where the admin command stores backups, and how long it keeps them. docs/operations.md#backups
 */
export const backupSettings = {
  SVC_BACKUP_DIR: z
    .string()
    .optional()
    .meta({ description: 'Folder for the backups of the admin command, such as the mount of a volume' }),
  SVC_BACKUP_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket, such as my-backups')
    .optional()
    .meta({
      description: 'S3-compatible bucket for the backups of the admin command, in place of SVC_BACKUP_DIR',
    }),
  SVC_BACKUP_S3_ENDPOINT: plainUrl('http', 'https').optional().meta({
    description:
      'Endpoint of the S3-compatible store, such as https://s3.example.com. The bucket is then the first part of the path. Default: that of AWS',
  }),
  SVC_BACKUP_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be the name of a region, such as eu-central-1')
    .default('us-east-1')
    .meta({ description: 'Region of the bucket' }),
  SVC_BACKUP_S3_PREFIX: z
    .string()
    .regex(/^[\w!.*'()/-]{1,512}$/, "must consist of letters, digits and !-_.*'()/")
    .refine((text) => !text.startsWith('/'), 'must not begin with a slash')
    .default('svcforms/')
    .meta({ description: 'What the keys of all backups in the bucket begin with' }),
  SVC_BACKUP_S3_ACCESS_KEY_ID: z.string().optional().meta({
    description:
      'Access key of the bucket. Without it, the standard AWS variables and the identity of the pod or machine are used',
  }),
  SVC_BACKUP_S3_ACCESS_KEY_ID_FILE: z
    .string()
    .optional()
    .meta({ description: 'File that contains SVC_BACKUP_S3_ACCESS_KEY_ID' }),
  SVC_BACKUP_S3_SECRET_ACCESS_KEY: z.string().optional().meta({ description: 'Secret of the access key' }),
  SVC_BACKUP_S3_SECRET_ACCESS_KEY_FILE: z
    .string()
    .optional()
    .meta({ description: 'File that contains SVC_BACKUP_S3_SECRET_ACCESS_KEY' }),
  SVC_BACKUP_KEEP_DAYS: wholeNumberText(0, 36_500).default(30).meta({
    description:
      'A new backup deletes those that are older than this many days. 0: no limit. The new one always stays',
  }),
  SVC_BACKUP_KEEP_COUNT: wholeNumberText(0, 100_000).default(0).meta({
    description: 'A new backup deletes all but this many of the newest ones. 0: no limit',
  }),
};
