import { createHash } from 'node:crypto';
import type { WebhookEventType } from '@svcforms/contracts';
import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

export const DELIVERY_KEPT_DAYS = 30;

export type DeliveryAttempt = {
  /** ISO 8601, when the attempt began. */
  at: string;
  /** The listener's answer, when there was one. */
  status?: number;
  /** What went wrong, as one word. */
  error?: string;
  durationMs: number;
  /** The first bytes of the listener's answer. */
  responseBody: string;
};

/**
 * One event on its way to one webhook. At any time a delivery that isn't finished is in exactly one of three places:
 * scheduled or leased (`dueAt`), or waiting for a free place of its webhook (`waiting`).
 */
export interface DeliveryRecord extends StoredDocument {
  accountId: string;
  formId: string;
  webhookId: string;
  eventId: string;
  eventType: WebhookEventType;
  /** What is sent, byte for byte the same on each attempt. */
  body: string;
  requestId?: string;
  status: 'pending' | 'delivering' | 'delivered' | 'failed' | 'held';
  attempts: DeliveryAttempt[];
  /** When something has to happen: the next attempt, or the end of the lease of the process that is at it. ISO 8601. */
  dueAt?: string;
  /** `<webhook id>|<since>`: due, but its webhook has no free place. */
  waiting?: string;
  /** The process that is at it. */
  owner?: string;
  createdAt: string;
  /** When the store forgets it. */
  expireAt: string;
}

export const DELIVERIES: CollectionSpec = {
  name: 'deliveries',
  expireAt: 'expireAt',
  indexes: [
    { keys: ['webhookId', '-createdAt', '-_id'] },
    { keys: ['dueAt'], sparse: true },
    { keys: ['waiting'], sparse: true },
  ],
};

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * The same event and webhook give the same id, so that an event that comes twice makes one delivery: the time of the event's
 * ULID, then 80 bits of a hash of both.
 */
export function deliveryId(eventId: string, webhookId: string): string {
  const hash = createHash('sha256').update(`${eventId}|${webhookId}`).digest();
  let id = `del_${eventId.slice(4, 14)}`;
  for (let i = 0; i < 16; i++) id += CROCKFORD[(hash[i] ?? 0) & 31];
  return id;
}
