import type { Collection, UpdateOperation } from '@svcforms/document-store';
import { HOUR_MS, type Clock } from '@svcforms/primitives';
import {
  addLatencies,
  isAccountWebhook,
  latencyBucket,
  startOfHour,
  webhookHealthExpiry,
  webhookHealthId,
  type LatencyHistogram,
  type WebhookHealthRecord,
  type WebhookRecord,
} from '@svcforms/records';
import type { WebhookCache } from './webhook-cache.ts';

/** The attempts of webhooks by hour, for their owners. docs/reference/webhooks.md#health */
export interface AttemptCounts {
  /** Counts an attempt in memory. */
  note(
    webhook: Pick<WebhookRecord, '_id' | 'accountId' | 'formId'>,
    attempt: {
      /** Milliseconds since the epoch. */
      startedAt: number;
      isSuccess: boolean;
      /** Absent if the attempt didn't reach the endpoint. */
      latencyMs: number | undefined;
    },
  ): void;
  /** Writes the counts in one batch. Counts that couldn't be written are kept. */
  flush(): Promise<void>;
}

interface Counts {
  webhook: Pick<WebhookRecord, '_id' | 'accountId' | 'formId'>;
  hour: string;
  succeeded: number;
  failed: number;
  latencies: LatencyHistogram;
}

interface AttemptCountsDeps {
  webhookHealth: Pick<Collection<WebhookHealthRecord>, 'bulkUpdate'>;
  cache: Pick<WebhookCache, 'read'>;
  now: Clock;
}

/**
 * Collects the counts in memory: a busy webhook costs one write per flush, which only increments,
 * so that the counts of all processes add up. ADR 0074
 */
export function createAttemptCounts({ webhookHealth, cache, now }: AttemptCountsDeps): AttemptCounts {
  let counts = new Map<string, Counts>();
  let current = { from: 0, hour: startOfHour(0) };

  /** Most attempts start in the hour of the one before. */
  function hourOf(time: number): string {
    const isCurrent = time >= current.from && time < current.from + HOUR_MS;
    if (!isCurrent) {
      const hour = startOfHour(time);
      current = { from: Date.parse(hour), hour };
    }
    return current.hour;
  }

  /** A late attempt must not leave counts of a deleted webhook. */
  async function isDeleted({ webhook }: Counts): Promise<boolean> {
    const { _id: webhookId, accountId, formId } = webhook;
    const ofAccount = isAccountWebhook(webhook) ? { ofAccount: true as const } : {};
    return (await cache.read({ webhookId, accountId, formId, ...ofAccount })) === null;
  }

  async function write(writing: ReadonlyMap<string, Counts>): Promise<void> {
    const expireAt = webhookHealthExpiry(now());
    const existing = await Promise.all(
      [...writing].map(async ([id, each]) =>
        (await isDeleted(each)) ? [] : [operationOf(id, each, expireAt)],
      ),
    );
    const operations = existing.flat();
    if (operations.length > 0) await webhookHealth.bulkUpdate(operations);
  }

  return {
    note(webhook, { startedAt, isSuccess, latencyMs }) {
      const hour = hourOf(startedAt);
      const id = webhookHealthId(webhook._id, hour);
      let each = counts.get(id);
      if (!each) counts.set(id, (each = { webhook, hour, succeeded: 0, failed: 0, latencies: {} }));
      each[isSuccess ? 'succeeded' : 'failed'] += 1;
      if (latencyMs === undefined) return;
      const bucket = latencyBucket(latencyMs);
      each.latencies[bucket] = (each.latencies[bucket] ?? 0) + 1;
    },

    async flush() {
      if (counts.size === 0) return;
      const writing = counts;
      counts = new Map();
      try {
        await write(writing);
      } catch (error) {
        for (const [id, later] of counts) {
          const earlier = writing.get(id);
          writing.set(id, earlier ? merged(earlier, later) : later);
        }
        counts = writing;
        throw error;
      }
    },
  };
}

function merged(earlier: Counts, later: Counts): Counts {
  addLatencies(earlier.latencies, later.latencies);
  return {
    ...earlier,
    succeeded: earlier.succeeded + later.succeeded,
    failed: earlier.failed + later.failed,
  };
}

function operationOf(_id: string, counts: Counts, expireAt: string): UpdateOperation<WebhookHealthRecord> {
  const { webhook, hour, succeeded, failed, latencies } = counts;
  const buckets = Object.entries(latencies).map(([bucket, count]) => [`latencies.${bucket}`, count]);
  return {
    filter: { _id },
    update: {
      $inc: { succeeded, failed, ...(Object.fromEntries(buckets) as Record<string, number>) },
      $setOnInsert: {
        accountId: webhook.accountId,
        formId: webhook.formId,
        webhookId: webhook._id,
        hour,
        expireAt,
      },
    },
    upsert: true,
  };
}
