import type { EventType } from '@svcforms/contracts';
import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

/**
 * An event whose message, deliveries and emails are to be erased. Contains ids only, no submitted
 * values.
 */
export type ErasedEvent = {
  id: string;
  type: EventType;
  /** ISO 8601. */
  timestamp: string;
  formId: string;
};

/**
 * An erasure with its remaining work. It is stored before anything is removed, so that the
 * dispatcher's erasure job can finish it after a crash. Records of forms and accounts stay forever
 * as tombstones with the id of the erased form or account. Others are deleted when the work is
 * done, because each submission and task has its own tombstone.
 */
export interface ErasureRecord extends StoredDocument {
  kind: 'values' | 'form' | 'account';
  accountId: string;
  /** ISO 8601. */
  at: string;
  submissionIds: string[];
  /** Erased tasks. */
  taskIds: string[];
  /** Tasks that stay without the values of their erased submission. */
  emptiedTaskIds: string[];
  formIds: string[];
  /** Webhooks that are deleted with their deliveries, or with their forms. */
  webhookIds: string[];
  /** Emails whose records are deleted but whose files may exist. */
  mailIds?: string[];
  events: ErasedEvent[];
  /**
   * The call left all of it to the job, because it may take minutes. Such records don't delay
   * others. ADR 0100
   */
  isDeferred?: true;
  /** The number of finished passes. */
  passes: number;
  /**
   * When the job has to work on it: now, or when another process's lease ends. Absent when it is
   * done. ISO 8601.
   */
  dueAt?: string;
}

export const ERASURES: CollectionSpec<ErasureRecord> = {
  name: 'erasures',
  indexes: [
    { keys: ['dueAt'], sparse: true },
    { keys: ['isDeferred'], sparse: true },
  ],
  wakesJobs: ['dueAt'],
};

/** Creates a record. By default, its lists are empty and no pass has finished. */
export function newErasure(
  given: Pick<ErasureRecord, '_id' | 'kind' | 'accountId' | 'at'> & Partial<ErasureRecord>,
): ErasureRecord {
  return {
    submissionIds: [],
    taskIds: [],
    emptiedTaskIds: [],
    formIds: [],
    webhookIds: [],
    events: [],
    passes: 0,
    ...given,
  };
}
