import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

/** A request to put the failed and held deliveries of a webhook back into the queue; gone when that is done. */
export interface RecoveryRecord extends StoredDocument {
  accountId: string;
  webhookId: string;
  /** Deliveries created from then on, … ISO 8601. */
  since: string;
  /** … before then. ISO 8601. */
  until: string;
  /** When someone has to work on it: at once, or when the lease of the process that does has run out. ISO 8601. */
  dueAt: string;
  expireAt: string;
}

export const RECOVERIES: CollectionSpec<RecoveryRecord> = {
  name: 'recoveries',
  expireAt: 'expireAt',
  indexes: [{ keys: ['dueAt'] }],
};
