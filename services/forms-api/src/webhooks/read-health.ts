import type { WebhookHealthOut, WebhookHealthQuery } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { Reply } from '@svcforms/http';
import { HOUR_MS, isoTime, type Clock } from '@svcforms/primitives';
import {
  addLatencies,
  latencyPercentile,
  startOfHour,
  type FormRecord,
  type LatencyHistogram,
  type WebhookHealthRecord,
  type WebhookRecord,
} from '@svcforms/records';
import { ownWebhook, type WebhookRequest } from './own-webhook.ts';

export interface ReadHealthDeps {
  forms: Collection<FormRecord>;
  webhooks: Collection<WebhookRecord>;
  webhookHealth: Collection<WebhookHealthRecord>;
  now: Clock;
}

type Counts = Pick<WebhookHealthRecord, 'succeeded' | 'failed' | 'latencies'>;

/**
 * Adds up what the dispatchers counted, without reading deliveries.
 * docs/reference/webhooks.md#health
 */
export function createReadHealth(deps: ReadHealthDeps) {
  const { webhookHealth, now } = deps;

  return async ({ params, query, caller }: WebhookRequest<unknown, WebhookHealthQuery>): Promise<Reply> => {
    const { _id: webhookId } = await ownWebhook(deps, caller, params);
    const time = now();
    const count = query.days * 24;
    const hours = Array.from({ length: count }, (_, n) => startOfHour(time - (count - 1 - n) * HOUR_MS));
    const [from = startOfHour(time)] = hours;
    const found = await webhookHealth.find({ webhookId, hour: { $gte: from } });
    const byHour = new Map(found.map((each) => [each.hour, each]));
    const counted = hours.map((hour) => ({ hour, counts: byHour.get(hour) ?? NONE }));
    const data: WebhookHealthOut = {
      from,
      to: isoTime(time),
      totals: healthOf(sumOf(counted.map(({ counts }) => counts))),
      hours: counted.map(({ hour, counts }) => ({ hour, ...healthOf(counts) })),
    };
    return { data };
  };
}

const NONE: Counts = { succeeded: 0, failed: 0 };

function sumOf(all: readonly Counts[]): Counts {
  const latencies: LatencyHistogram = {};
  for (const each of all) addLatencies(latencies, each.latencies ?? {});
  return {
    succeeded: all.reduce((sum, { succeeded }) => sum + succeeded, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    latencies,
  };
}

function healthOf({ succeeded, failed, latencies = {} }: Counts): WebhookHealthOut['totals'] {
  const attempts = succeeded + failed;
  return {
    attempts,
    succeeded,
    failed,
    successRate: attempts === 0 ? null : succeeded / attempts,
    p50Ms: latencyPercentile(latencies, 0.5),
    p95Ms: latencyPercentile(latencies, 0.95),
  };
}
