import { createCachedGroupFinder, type Collection } from '@svcforms/document-store';
import { isoTime, type Clock } from '@svcforms/primitives';
import { getsDeliveries, type DeliveryRecord, type WebhookRecord } from '@svcforms/records';
import type { StoreRetry } from '../store/store-retry.ts';
import { noticeOf, withNotice } from './webhook-notice.ts';

/** While an endpoint asks for a longer pause, it still gets a delivery this often. */
export const MAX_PAUSE_MS = 60_000;
/**
 * A pause that ends later than this began before the clock was set back. It's longer than a pause,
 * because the clocks of processes differ.
 */
const CREDIBLE_PAUSE_MS = 2 * MAX_PAUSE_MS;

export interface WebhookCache {
  /**
   * Reads the webhooks of these forms and accounts that get deliveries: enabled ones, and those
   * that failures have disabled.
   */
  readWebhooksOf(ownerIds: readonly string[]): Promise<WebhookRecord[]>;
  /** Reads the webhook of a delivery; `null` if it's deleted. */
  read(
    delivery: Pick<DeliveryRecord, 'accountId' | 'formId' | 'ofAccount' | 'webhookId'>,
  ): Promise<WebhookRecord | null>;
  /**
   * Disables a webhook whose endpoint returned 410 Gone. Retries until it's stored. `moved`: it has
   * another URL since; `off`: it is disabled or deleted already.
   */
  disableGone(webhook: WebhookRecord): Promise<'disabled' | 'moved' | 'off'>;
  /**
   * Pauses the webhook in every process until that time (milliseconds since the epoch), unless it
   * has another URL since. Retries until it's stored.
   */
  pause(webhook: Pick<WebhookRecord, '_id' | 'url'>, until: number): Promise<void>;
  /** Returns the ids of webhooks whose pause ended early because somebody enabled them. */
  liftedPauses(): Promise<string[]>;
}

/**
 * The webhooks of a form and of its account, which events and their deliveries share. The store
 * caches them, and attempts respect every change within a second. docs/adr/0043
 */
export function createWebhookCache(deps: {
  webhooks: Pick<Collection<WebhookRecord>, 'find' | 'lookUp' | 'updateOne'>;
  retry: StoreRetry;
  now: Clock;
}): WebhookCache {
  const { webhooks, retry, now } = deps;
  const find = createCachedGroupFinder(webhooks, 'formId');
  /** Stored pauses by webhook: when they end, in milliseconds since the epoch. */
  const pauses = new Map<string, number>();

  async function readAllOf(ownerId: string): Promise<readonly WebhookRecord[]> {
    const records = await find(ownerId);
    for (const record of records) {
      const pausedUntil = endOfPause(record, now());
      if (pausedUntil > now()) pauses.set(record._id, pausedUntil);
    }
    return records;
  }

  return {
    async readWebhooksOf(ownerIds) {
      const records = (await Promise.all(ownerIds.map(readAllOf))).flat();
      return records.filter(getsDeliveries);
    },

    async read({ accountId, formId, ofAccount, webhookId }) {
      const records = await readAllOf(ofAccount ? accountId : formId);
      return records.find(({ _id }) => _id === webhookId) ?? null;
    },

    async disableGone(webhook) {
      const disabledAt = isoTime(now());
      const notice = noticeOf({ ...webhook, lastStatus: 410 }, 'webhook_gone', disabledAt);
      const isDisabled = await retry(() =>
        webhooks.updateOne(
          // The response of a former endpoint says nothing about the one that replaced it.
          { _id: webhook._id, isEnabled: true, url: webhook.url },
          withNotice(
            { $set: { isEnabled: false, disabledReason: 'gone', disabledAt, updatedAt: disabledAt } },
            notice,
          ),
        ),
      );
      if (isDisabled) return 'disabled';
      const moved = { _id: webhook._id, isEnabled: true, url: { $ne: webhook.url } };
      return (await retry(() => webhooks.find(moved))).length > 0 ? 'moved' : 'off';
    },

    async pause({ _id, url }, until) {
      const pausedUntil = isoTime(until);
      await retry(() =>
        webhooks.updateOne(
          {
            _id,
            url,
            $or: [
              { pausedUntil: { $exists: false } },
              { pausedUntil: { $lt: pausedUntil } },
              { pausedUntil: { $gt: isoTime(now() + CREDIBLE_PAUSE_MS) } },
            ],
          },
          { $set: { pausedUntil } },
        ),
      );
      // The queue of this process is blocked already; without a stored pause, it is lifted.
      pauses.set(_id, until);
    },

    async liftedPauses() {
      for (const [webhookId, until] of pauses) if (until <= now()) pauses.delete(webhookId);
      if (pauses.size === 0) return [];
      const known = [...pauses];
      const records = await webhooks.find({ _id: { $in: known.map(([webhookId]) => webhookId) } });
      const paused = new Set(
        records.filter((record) => endOfPause(record, now()) > now()).map(({ _id }) => _id),
      );
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
export function endOfPause({ pausedUntil }: WebhookRecord, now: number): number {
  const until = pausedUntil === undefined ? 0 : Date.parse(pausedUntil);
  return until > now + CREDIBLE_PAUSE_MS ? 0 : until;
}
