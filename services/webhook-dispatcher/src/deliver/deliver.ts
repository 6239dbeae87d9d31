import type { Clock } from '@svcforms/primitives';
import type { DeliveryRecord, FormRecord, WebhookRecord } from '@svcforms/records';
import type { DeliveryQueue } from '../queue/delivery-queue.ts';
import type { Lease } from '../queue/leases.ts';
import type { Recorder } from '../record/recorder.ts';
import { endOfPause, type WebhookCache } from '../webhooks/webhook-cache.ts';
import type { Attempt } from './attempt.ts';
import type { WebhookRates } from './webhook-rates.ts';
import { decideOutcome, type RetryPolicy } from './decide-outcome.ts';

interface DeliverDeps {
  queue: Pick<DeliveryQueue, 'release' | 'postpone' | 'inMemory'>;
  webhookCache: Pick<WebhookCache, 'read'>;
  /** Finds a form by its id, cached. */
  findForm: (formId: string) => Promise<Pick<FormRecord, 'deletedAt'> | null>;
  attempt: Attempt;
  recorder: Recorder;
  rates: WebhookRates;
  policy: RetryPolicy;
  now: Clock;
  random: () => number;
}

/**
 * Attempts one delivery: checks that its webhook still wants it, sends it, and has the outcome
 * recorded.
 */
export function createDeliver(deps: DeliverDeps): (lease: Lease) => Promise<void> {
  const { queue, webhookCache, findForm, attempt, recorder, rates, policy, now, random } = deps;

  /** Returns `null` for a deleted webhook and `undefined` while the store is unavailable. */
  async function readWebhook(delivery: DeliveryRecord): Promise<WebhookRecord | null | undefined> {
    return webhookCache.read(delivery).catch(() => undefined);
  }

  /**
   * Whether the form of the event exists; `undefined` while the store is unavailable. An account
   * webhook outlives a form, and deliveries may be planned until the form's events are erased.
   */
  async function formExists({ formId }: DeliveryRecord): Promise<boolean | undefined> {
    return findForm(formId).then(
      (form) => form !== null && form.deletedAt === undefined,
      () => undefined,
    );
  }

  return async function deliver(lease) {
    const { delivery } = lease;
    const webhook = await readWebhook(delivery);
    if (webhook === undefined) return queue.release(lease);
    if (!webhook?.isEnabled) {
      if (webhook?.disabledReason === 'failures') return recorder.held(lease);
      return recorder.dropped(lease, webhook ? 'webhook_disabled' : 'webhook_deleted');
    }
    if (delivery.ofAccount) {
      const exists = await formExists(delivery);
      if (exists === undefined) return queue.release(lease);
      if (!exists) return recorder.dropped(lease, 'form_deleted');
    }
    const pausedUntil = endOfPause(webhook);
    if (pausedUntil > now()) return recorder.postponed(lease, pausedUntil);

    const { rateLimitPerSecond: perSecond } = webhook;
    if (perSecond !== undefined) {
      const until = await rates.take(webhook._id, { perSecond, waiting: queue.inMemory(lease) });
      if (until > 0) return queue.postpone(lease, { until, perSecond });
    }

    const startedAt = now();
    const result = await attempt(delivery, webhook);
    const outcome = decideOutcome(result, {
      attemptsBefore: delivery.attempts.length - (delivery.attemptsBefore ?? 0),
      policy,
      now: now(),
      random,
    });
    return recorder.attempted({ lease, webhook, startedAt, result, outcome });
  };
}
