import type { WebhookPayload } from '@svcforms/contracts';
import type { Clock } from '@svcforms/primitives';
import type { DeliveryRecord, FormRecord, WebhookRecord } from '@svcforms/records';
import type { DeliveryQueue } from '../queue/delivery-queue.ts';
import type { Lease } from '../queue/leases.ts';
import type { Recorder } from '../record/recorder.ts';
import { endOfPause, type WebhookCache } from '../webhooks/webhook-cache.ts';
import type { Attempt } from './attempt.ts';
import type { RenderBody, RenderedBody } from './render-body.ts';
import type { WebhookRates } from './webhook-rates.ts';
import { decideOutcome, type RetryPolicy } from './decide-outcome.ts';

interface DeliverDeps {
  queue: Pick<DeliveryQueue, 'isValid' | 'release' | 'postpone' | 'inMemory'>;
  webhookCache: Pick<WebhookCache, 'read'>;
  /** Finds a form by its id, cached. */
  findForm: (formId: string) => Promise<Pick<FormRecord, 'deletedAt'> | null>;
  /** Makes the body for a webhook with a payload setting. */
  renderBody: RenderBody;
  attempt: Attempt;
  recorder: Recorder;
  rates: WebhookRates;
  policy: RetryPolicy;
  now: Clock;
  random: () => number;
}

/** A body that was made from a payload setting. */
interface Rendered {
  payload: WebhookPayload;
  result: RenderedBody;
}

/**
 * Attempts one delivery: checks that its webhook still wants it, sends it, and has the outcome
 * recorded. A payload setting makes the body again on each attempt, so that a corrected one helps.
 */
export function createDeliver(deps: DeliverDeps): (lease: Lease) => Promise<void> {
  const { queue, webhookCache, findForm, renderBody, attempt, recorder } = deps;
  const { rates, policy, now, random } = deps;
  /** Bodies of deliveries that were postponed by a rate limit after they were made. */
  const postponed = new WeakMap<Lease, Rendered>();

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

  /** Returns the webhook if the delivery may be sent to it now; otherwise the lease is over. */
  async function findReady(lease: Lease): Promise<WebhookRecord | void> {
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
    const pausedUntil = endOfPause(webhook, now());
    if (pausedUntil > now()) return recorder.postponed(lease, pausedUntil);
    return webhook;
  }

  /**
   * Makes the body from the payload setting. A template may wait long for its turn, so everything
   * is checked again after it, and another setting makes another body.
   */
  async function render(lease: Lease, first: WebhookRecord) {
    let webhook = first;
    let rendered = postponed.get(lease);
    while (webhook.payload && !isFrom(webhook.payload, rendered)) {
      rendered = { payload: webhook.payload, result: await renderBody(lease.delivery, webhook.payload) };
      if (!queue.isValid(lease)) return queue.release(lease);
      const again = await findReady(lease);
      if (!again) return;
      webhook = again;
    }
    return { webhook, rendered: webhook.payload && rendered };
  }

  return async function deliver(lease) {
    const { delivery } = lease;
    const found = await findReady(lease);
    if (!found) return;
    const ready = found.payload ? await render(lease, found) : { webhook: found, rendered: undefined };
    if (!ready) return;
    const { webhook, rendered } = ready;

    const { rateLimitPerSecond: perSecond } = webhook;
    if (perSecond !== undefined) {
      const waitMs = await rates.take(webhook._id, { perSecond, waiting: queue.inMemory(lease) });
      if (waitMs > 0) {
        if (rendered) postponed.set(lease, rendered);
        return queue.postpone(lease, { waitMs, perSecond });
      }
    }

    // The waits above may have outlasted the lease, or an erasure may have ended it.
    if (!queue.isValid(lease)) return queue.release(lease);
    const startedAt = now();
    const body = rendered?.result ?? delivery;
    const result = 'error' in body ? body : await attempt(delivery, webhook, body.body);
    const outcome = decideOutcome(result, {
      attemptsBefore: delivery.attempts.length - (delivery.attemptsBefore ?? 0),
      policy,
      now: now(),
      random,
    });
    return recorder.attempted({ lease, webhook, startedAt, result, outcome });
  };
}

function isFrom({ format, template }: WebhookPayload, rendered: Rendered | undefined): boolean {
  return rendered?.payload.format === format && rendered.payload.template === template;
}
