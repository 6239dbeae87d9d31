import type { EventType } from '@svcforms/contracts';
import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

/** An event whose message, deliveries and mails are to be erased. It names things and holds no submitted value. */
export type ErasedEvent = {
  id: string;
  type: EventType;
  /** ISO 8601. */
  timestamp: string;
  formId: string;
};

/**
 * An erasure: what was erased, and the work that is left. It is stored before anything is removed, so a crash at any point is
 * finished by the erasure job of the dispatcher. Records of forms and accounts stay forever as tombstones under the id of what
 * was erased; the others are removed when the work is done, because each submission and task leaves a tombstone of its own.
 */
export interface ErasureRecord extends StoredDocument {
  kind: 'values' | 'form' | 'account';
  accountId: string;
  /** ISO 8601. */
  at: string;
  submissionIds: string[];
  /** Tasks that are gone. */
  taskIds: string[];
  /** Tasks that stay, without the values of the submission that they made. */
  emptiedTaskIds: string[];
  formIds: string[];
  webhookIds: string[];
  /** Mails whose records are gone already; their files may be there. */
  mailIds?: string[];
  events: ErasedEvent[];
  /** How many passes are done. */
  passes: number;
  /** When the job has to work on it: now, or when the lease of the process that does ends. Absent when it is done. ISO 8601. */
  dueAt?: string;
}

export const ERASURES: CollectionSpec<ErasureRecord> = {
  name: 'erasures',
  indexes: [{ keys: ['dueAt'], sparse: true }],
};
