import { createFinder, type Collection } from '@svcforms/document-store';
import type { WebhookRecord } from '@svcforms/records';
import type { StoreRetry } from '../store-retry.ts';
import { noticeOf, withNotice } from './failing-webhooks.ts';

/** A webhook that was read this long ago is read again before something is sent to it. */
const RECENT_MS = 20;
const MAX_KNOWN = 5_000;

export interface WebhookBook {
  /**
   * The webhooks of these forms that events are kept for, as they are stored now: those that are enabled, and those that
   * failures have disabled.
   */
  receiversOf(formIds: readonly string[]): Promise<WebhookRecord[]>;
  /** The webhook as it was a moment ago (`null`: there is none); `undefined`: not known that freshly. */
  recent(webhookId: string): WebhookRecord | null | undefined;
  /** The webhook as it is now. Calls of the same moment share one query. */
  read(webhookId: string): Promise<WebhookRecord | null>;
  /** Disables a webhook whose listener wants nothing more. Tried until it is stored. */
  disableGone(webhook: WebhookRecord): Promise<void>;
  /** Tells the other processes, and the next one, to send it nothing before that time (milliseconds since the epoch). */
  pause(webhookId: string, until: number): Promise<void>;
  /** The ids of webhooks that were known to be paused, and aren't any more though it is not time yet: somebody has enabled them. */
  liftedPauses(): Promise<string[]>;
}

/** Reads webhooks often enough that one that was disabled, deleted or changed is sent nothing more, and not more often. */
export function createWebhookBook(deps: {
  webhooks: Pick<Collection<WebhookRecord>, 'find' | 'updateOne'>;
  retry: StoreRetry;
  /** Milliseconds since the epoch. */
  now: () => number;
}): WebhookBook {
  const { webhooks, retry, now } = deps;
  const find = createFinder(webhooks, '_id');
  const known = new Map<string, { record: WebhookRecord | null; readAt: number }>();

  /** Stored pauses: until when, in milliseconds since the epoch. */
  const pauses = new Map<string, number>();

  function remember(webhookId: string, record: WebhookRecord | null, readAt: number): void {
    const pausedUntil = record ? endOfPause(record) : 0;
    if (pausedUntil > readAt) pauses.set(webhookId, pausedUntil);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(webhookId, { record, readAt });
  }

  return {
    async receiversOf(formIds) {
      const readAt = now();
      const records = await webhooks.find({ formId: { $in: formIds } });
      for (const record of records) remember(record._id, record, readAt);
      return records.filter(({ isEnabled, disabledReason }) => isEnabled || disabledReason === 'failures');
    },

    recent(webhookId) {
      const entry = known.get(webhookId);
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
      known.delete(webhook._id);
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
      known.delete(webhookId);
      pauses.set(webhookId, until);
    },

    async liftedPauses() {
      for (const [webhookId, until] of pauses) if (until <= now()) pauses.delete(webhookId);
      if (pauses.size === 0) return [];
      const believed = [...pauses];
      const records = await webhooks.find({ _id: { $in: believed.map(([webhookId]) => webhookId) } });
      const isPaused = new Set(records.filter((record) => endOfPause(record) > now()).map(({ _id }) => _id));
      const lifted = believed
        // One that began meanwhile isn't lifted.
        .filter(([webhookId, until]) => !isPaused.has(webhookId) && pauses.get(webhookId) === until)
        .map(([webhookId]) => webhookId);
      for (const webhookId of lifted) pauses.delete(webhookId);
      return lifted;
    },
  };
}

/** When its pause ends, in milliseconds since the epoch; 0 where there is none. */
export function endOfPause({ pausedUntil }: WebhookRecord): number {
  return pausedUntil === undefined ? 0 : Date.parse(pausedUntil);
}
