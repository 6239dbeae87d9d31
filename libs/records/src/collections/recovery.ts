import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

/** A request to requeue the failed and held deliveries of a webhook. Deleted when that is done. */
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
}

export const RECOVERIES: CollectionSpec<RecoveryRecord> = {
  name: 'recoveries',
  expireAt: 'expireAt',
  indexes: [{ keys: ['dueAt'] }],
  wakesJobs: ['dueAt'],
};
