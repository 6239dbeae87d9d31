import { createFinder, type Collection } from '@svcforms/document-store';
import type { Clock } from '@svcforms/primitives';
import type { WebhookRecord } from '@svcforms/records';
import type { StoreRetry } from '../store/store-retry.ts';
import { noticeOf, withNotice } from './webhook-notice.ts';

/** An older entry is read again before an attempt. */
const RECENT_MS = 20;
const MAX_ENTRIES = 5_000;

export interface WebhookCache {
  /**
   * Reads the webhooks of these forms that get deliveries: enabled ones, and those that failures
   * have disabled.
   */
  readWebhooksOf(formIds: readonly string[]): Promise<WebhookRecord[]>;
  /**
   * Returns the webhook from the cache (`null` if it's deleted); `undefined` if the cache has no
   * recent entry.
   */
  recent(webhookId: string): WebhookRecord | null | undefined;
  /** Reads the webhook. Calls at about the same time share one query. */
  read(webhookId: string): Promise<WebhookRecord | null>;
  /** Disables a webhook whose endpoint returned 410 Gone. Retries until it's stored. */
  disableGone(webhook: WebhookRecord): Promise<void>;
  /**
   * Pauses the webhook in every process until that time (milliseconds since the epoch). Retries
   * until it's stored.
   */
  pause(webhookId: string, until: number): Promise<void>;
  /** Returns the ids of webhooks whose pause ended early because somebody enabled them. */
  liftedPauses(): Promise<string[]>;
}

/**
 * Caches webhooks for so short a time that attempts respect every change, and still many attempts
 * share one query.
 */
export function createWebhookCache(deps: {
  webhooks: Pick<Collection<WebhookRecord>, 'find' | 'updateOne'>;
  retry: StoreRetry;
  now: Clock;
}): WebhookCache {
  const { webhooks, retry, now } = deps;
  const find = createFinder(webhooks, '_id');
  const entries = new Map<string, { record: WebhookRecord | null; readAt: number }>();
  /** Stored pauses by webhook: when they end, in milliseconds since the epoch. */
  const pauses = new Map<string, number>();

  function remember(webhookId: string, record: WebhookRecord | null, readAt: number): void {
    const pausedUntil = record ? endOfPause(record) : 0;
    if (pausedUntil > readAt) pauses.set(webhookId, pausedUntil);
    if (entries.size >= MAX_ENTRIES) entries.clear();
    entries.set(webhookId, { record, readAt });
  }

  return {
    async readWebhooksOf(formIds) {
      const readAt = now();
      const records = await webhooks.find({ formId: { $in: formIds } });
      for (const record of records) remember(record._id, record, readAt);
      return records.filter(({ isEnabled, disabledReason }) => isEnabled || disabledReason === 'failures');
    },

    recent(webhookId) {
      const entry = entries.get(webhookId);
      return entry && now() - entry.readAt < RECENT_MS ? entry.record : undefined;
    },

    async read(webhookId) {
      const readAt = now();
      const record = await find(webhookId);
      remember(webhookId, record, readAt);
      return record;
    },

    async disableGone(webhook) {
      const disabledAt = new Date(now()).toISOString();
      const notice = noticeOf({ ...webhook, lastStatus: 410 }, 'webhook_gone', disabledAt);
      await retry(() =>
        webhooks.updateOne(
          { _id: webhook._id, isEnabled: true },
          withNotice(
            { $set: { isEnabled: false, disabledReason: 'gone', disabledAt, updatedAt: disabledAt } },
            notice,
          ),
        ),
      );
      entries.delete(webhook._id);
    },

    async pause(webhookId, until) {
      const pausedUntil = new Date(until).toISOString();
      await retry(() =>
        webhooks.updateOne(
          {
            _id: webhookId,
            $or: [{ pausedUntil: { $exists: false } }, { pausedUntil: { $lt: pausedUntil } }],
          },
          { $set: { pausedUntil } },
        ),
      );
      entries.delete(webhookId);
      pauses.set(webhookId, until);
    },

    async liftedPauses() {
      for (const [webhookId, until] of pauses) if (until <= now()) pauses.delete(webhookId);
      if (pauses.size === 0) return [];
      const known = [...pauses];
      const records = await webhooks.find({ _id: { $in: known.map(([webhookId]) => webhookId) } });
      const paused = new Set(records.filter((record) => endOfPause(record) > now()).map(({ _id }) => _id));
      const lifted = known
        // A pause that began during the query isn't lifted.
        .filter(([webhookId, until]) => !paused.has(webhookId) && pauses.get(webhookId) === until)
        .map(([webhookId]) => webhookId);
      for (const webhookId of lifted) pauses.delete(webhookId);
      return lifted;
    },
  };
}

/** When the webhook's pause ends, in milliseconds since the epoch; 0 without a pause. */
export function endOfPause({ pausedUntil }: WebhookRecord): number {
  return pausedUntil === undefined ? 0 : Date.parse(pausedUntil);
}
