import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

/**
 * A request to requeue the failed and held deliveries of a webhook. Deleted when that is done. The
 * same request has the same id, so it exists once, however often it is repeated.
 */
export interface RecoveryRecord extends StoredDocument {
  accountId: string;
  webhookId: string;
  /** Requeues deliveries created at or after this time. ISO 8601. */
  since: string;
  /** Requeues deliveries created before this time. ISO 8601. */
  until: string;
  /**
   * When a process has to work on it: immediately, or when the lease of another process ends. ISO
   * 8601.
   */
  dueAt: string;
  expireAt: string;
  /**
   * Another one each time that the recovery is requested. Absent in records of older versions,
   * whose runs have the id of the record.
   */
  run?: string;
}

export const RECOVERIES: CollectionSpec<RecoveryRecord> = {
  name: 'recoveries',
  expireAt: 'expireAt',
  indexes: [{ keys: ['dueAt'] }, { keys: ['accountId', 'dueAt'] }],
  wakesJobs: ['dueAt'],
};
