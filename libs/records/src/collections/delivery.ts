import { PAYLOAD_VERSION, type EventType } from '@svcforms/contracts';
import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';
import { DAY_MS, derivedId, isoTime, type TraceContext } from '@svcforms/primitives';

const DELIVERY_KEPT_DAYS = 30;

export type DeliveryAttempt = {
  /** The start of the attempt. ISO 8601. */
  at: string;
  /** The status code of the response, if there was one. */
  status?: number;
  /** The cause of the failure as one word. */
  error?: string;
  /** With the error `template`: what is wrong, and where. */
  message?: string;
  durationMs: number;
  /** The first bytes of the response. */
  responseBody: string;
};

/**
 * The statuses of test events. Older versions know none of them, so they don't send tests again
 * either.
 */
export const TEST_STATUSES = ['test-delivered', 'test-failed'] as const;

/**
 * The delivery of one event to one webhook. An unfinished delivery has either `dueAt` (scheduled or
 * leased) or `waiting` (due, but without a concurrency permit of its webhook).
 */
export interface DeliveryRecord extends StoredDocument {
  accountId: string;
  /** The form of the event. */
  formId: string;
  webhookId: string;
  /** The webhook is one of the account, not of the form. */
  ofAccount?: true;
  eventId: string;
  eventType: EventType;
  /** The submission of its event. Absent if there is none, and in deliveries of older versions. */
  submissionId?: string;
  /**
   * The envelope, byte for byte the same in each attempt. The payload setting of the webhook may
   * make another body of it.
   */
  body: string;
  requestId?: string;
  /** The trace that its attempts continue. */
  trace?: TraceContext;
  /** From its event. */
  hops?: number;
  /** The task of a `decision.*` or `hitl.task.*` event. */
  taskId?: string;
  /** The last two are test events, which nothing sends again. */
  status: 'pending' | 'delivering' | 'delivered' | 'failed' | 'held' | (typeof TEST_STATUSES)[number];
  attempts: DeliveryAttempt[];
  /** The number of attempts before the last requeue, which restarts the retry schedule. */
  attemptsBefore?: number;
  /** It was delivered before it was last sent again, so no recovery sends it. */
  wasDelivered?: true;
  /** The recovery that last requeued the delivery. */
  recoveredBy?: string;
  /**
   * The time of the next attempt, or the end of the lease of the process that sends it. ISO 8601.
   */
  dueAt?: string;
  /** `<webhook id>|<since>`: due, but without a concurrency permit of its webhook. */
  waiting?: string;
  /** The process with the lease. */
  owner?: string;
  createdAt: string;
  /** When the store deletes it. */
  expireAt: string;
  /** When its body was erased. It isn't sent anymore. ISO 8601. */
  erasedAt?: string;
}

/** Whether the delivery is a test event. */
export const isTestDelivery = ({ status }: Pick<DeliveryRecord, 'status'>): boolean =>
  TEST_STATUSES.some((ofTests) => ofTests === status);

/**
 * The headers of a request that describe its delivery. docs/reference/webhooks.md#request-headers
 */
export function deliveryHeaders({
  deliveryId,
  taskId,
  isTest = false,
}: {
  deliveryId: string;
  taskId?: string | undefined;
  isTest?: boolean;
}): Record<string, string> {
  return {
    'Svc-Delivery-Id': deliveryId,
    'Svc-Payload-Version': PAYLOAD_VERSION,
    ...(taskId === undefined ? {} : { 'Svc-Task-Id': taskId }),
    ...(isTest ? { 'Svc-Test': 'true' } : {}),
  };
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

/**
 * The update that requeues a finished delivery. Restarts the retry schedule and keeps the attempts.
 */
export function requeued(
  { attempts }: Pick<DeliveryRecord, 'attempts'>,
  now: number,
): { status: 'pending'; attemptsBefore: number; expireAt: string } {
  return { status: 'pending', attemptsBefore: attempts.length, expireAt: deliveryExpiry(now) };
}

/**
 * The `expireAt` of a delivery that is stored or requeued at that time (milliseconds since the
 * epoch).
 */
export function deliveryExpiry(now: number): string {
  return isoTime(now + DELIVERY_KEPT_DAYS * DAY_MS);
}

/**
 * The value of `waiting`, which sorts by webhook, then by the time at which deliveries became due
 * (ISO 8601).
 */
export function waitingKey({ webhookId }: Pick<DeliveryRecord, 'webhookId'>, since: string): string {
  return `${webhookId}|${since}`;
}

/**
 * Derives the id from the event and the webhook, so that a repeated event creates one delivery: the
 * time of the event's ULID, then 80 bits of a hash of both.
 */
export function deliveryId(eventId: string, webhookId: string): string {
  return derivedId('del', eventId.slice(4, 14), `${eventId}|${webhookId}`);
}
