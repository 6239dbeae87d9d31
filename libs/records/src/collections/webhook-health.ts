import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';
import { DAY_MS, HOUR_MS, isoTime } from '@svcforms/primitives';
import type { LatencyHistogram } from './latency-histogram.ts';

/** The attempts of a webhook that started in one hour. ADR 0074 */
export interface WebhookHealthRecord extends StoredDocument {
  accountId: string;
  /** As in the webhook: its form, or the account. */
  formId: string;
  webhookId: string;
  /** When the hour begins. ISO 8601. */
  hour: string;
  succeeded: number;
  failed: number;
  /** Only of attempts that reached the endpoint. */
  latencies?: LatencyHistogram;
  expireAt: string;
}

export const WEBHOOK_HEALTH: CollectionSpec<WebhookHealthRecord> = {
  name: 'webhook_health',
  indexes: [{ keys: ['webhookId', 'hour'] }],
  expireAt: 'expireAt',
};

/** docs/reference/webhooks.md#health */
const KEPT_DAYS = 8;

/** The start of the hour of a time (milliseconds since the epoch). ISO 8601. */
export const startOfHour = (time: number): string => isoTime(Math.floor(time / HOUR_MS) * HOUR_MS);

/**
 * The `expireAt` of counts that are stored at that time (milliseconds since the epoch): a day after
 * the last response that shows them.
 */
export const webhookHealthExpiry = (now: number): string => isoTime(now + KEPT_DAYS * DAY_MS);

/** One document per webhook and hour. */
export const webhookHealthId = (webhookId: string, hour: string): string => `${webhookId}|${hour}`;
