import type { Collection } from '@svcforms/document-store';
import { isoTime, type Clock } from '@svcforms/primitives';
import type { WebhookRecord } from '@svcforms/records';
import type { Metric } from '@svcforms/runtime';

/** The events that filters excluded, for the owners of webhooks. */
export interface FilteredCounts {
  /** Counts in memory; an id that is repeated counts as often. */
  note(webhookIds: readonly string[]): void;
  /** Writes the counts in one batch. Counts that couldn't be written are kept. */
  flush(): Promise<void>;
  metric: Metric;
}

interface Count {
  events: number;
  /** ISO 8601. */
  lastAt: string;
}

/**
 * Collects the counts in memory, as `createWebhookHealth` does: one write per webhook and flush.
 */
export function createFilteredCounts(
  webhooks: Pick<Collection<WebhookRecord>, 'bulkUpdate'>,
  now: Clock,
): FilteredCounts {
  let counts = new Map<string, Count>();
  let total = 0;

  function add(webhookId: string, { events, lastAt }: Count): void {
    const before = counts.get(webhookId);
    counts.set(webhookId, {
      events: events + (before?.events ?? 0),
      lastAt: before && before.lastAt > lastAt ? before.lastAt : lastAt,
    });
  }

  return {
    note(webhookIds) {
      if (webhookIds.length === 0) return;
      const lastAt = isoTime(now());
      total += webhookIds.length;
      for (const webhookId of webhookIds) add(webhookId, { events: 1, lastAt });
    },

    async flush() {
      if (counts.size === 0) return;
      const writing = counts;
      counts = new Map();
      try {
        await webhooks.bulkUpdate(
          [...writing].map(([_id, { events, lastAt }]) => ({
            filter: { _id },
            update: { $inc: { filteredCount: events }, $set: { lastFilteredAt: lastAt } },
          })),
        );
      } catch (error) {
        for (const [webhookId, count] of writing) add(webhookId, count);
        throw error;
      }
    },

    metric: {
      name: 'svc_webhook_events_filtered_total',
      help: 'Events that the filters of webhooks excluded in this process, once for each webhook.',
      kind: 'counter',
      read: () => [{ value: total }],
    },
  };
}
