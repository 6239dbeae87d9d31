import type { WebhookEventType } from '@svcforms/contracts';
import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';
import { derivedId } from '@svcforms/outbox';

const DELIVERY_KEPT_DAYS = 30;
const DAY_MS = 24 * 3600_000;

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
  /** Of its event. */
  hops?: number;
  status: 'pending' | 'delivering' | 'delivered' | 'failed' | 'held';
  attempts: DeliveryAttempt[];
  /** How many of them were made before it was last put into the queue again: with that the schedule begins anew. */
  attemptsBefore?: number;
  /** The recovery that last put it into the queue again. */
  recoveredBy?: string;
  /** When something has to happen: the next attempt, or the end of the lease of the process that is at it. ISO 8601. */
  dueAt?: string;
  /** `<webhook id>|<since>`: due, but its webhook has no free place. */
  waiting?: string;
  /** The process that is at it. */
  owner?: string;
  createdAt: string;
  /** When the store forgets it. */
  expireAt: string;
  /** When its body was erased: nothing is sent any more. ISO 8601. */
  erasedAt?: string;
}

export const DELIVERIES: CollectionSpec<DeliveryRecord> = {
  name: 'deliveries',
  expireAt: 'expireAt',
  indexes: [
    { keys: ['webhookId', '-createdAt', '-_id'] },
    { keys: ['dueAt'], sparse: true },
    { keys: ['waiting'], sparse: true },
  ],
};

/** What puts a delivery that has come to its end back into the queue: the schedule begins anew, what happened stays. */
export function requeued(
  { attempts }: Pick<DeliveryRecord, 'attempts'>,
  now: number,
): { status: 'pending'; attemptsBefore: number; expireAt: string } {
  return { status: 'pending', attemptsBefore: attempts.length, expireAt: deliveryExpiry(now) };
}

/** The value of `expireAt` for what is stored, or put into the queue again, at that time (milliseconds since the epoch). */
export function deliveryExpiry(now: number): string {
  return new Date(now + DELIVERY_KEPT_DAYS * DAY_MS).toISOString();
}

/** The value of `waiting`: by webhook, then in the order in which they became due (ISO 8601). */
export function waitingKey({ webhookId }: Pick<DeliveryRecord, 'webhookId'>, since: string): string {
  return `${webhookId}|${since}`;
}

/**
 * The same event and webhook give the same id, so that an event that comes twice makes one delivery: the time of the event's
 * ULID, then 80 bits of a hash of both.
 */
export function deliveryId(eventId: string, webhookId: string): string {
  return derivedId('del', eventId.slice(4, 14), `${eventId}|${webhookId}`);
}
