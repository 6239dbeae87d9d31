import type { AttemptResult } from '@svcforms/outbound';
import type { DeliveryRecord, WebhookRecord } from '@svcforms/records';
import type { Holding, Holdings } from '../schedule/holdings.ts';
import type { Release } from '../schedule/places.ts';
import { decideOutcome, type RetryPolicy } from './decide-outcome.ts';
import type { Recorder } from './recorder.ts';
import { endOfPause, type WebhookBook } from './webhook-book.ts';

/** A listener that asks for a longer pause is tried with one delivery now and then. */
const MAX_PAUSE_MS = 60_000;

export interface DeliverDeps {
  holdings: Pick<Holdings, 'isStillHeld' | 'forget'>;
  book: Pick<WebhookBook, 'recent' | 'read' | 'pause'>;
  attempt: (delivery: DeliveryRecord, webhook: WebhookRecord) => Promise<AttemptResult>;
  recorder: Recorder;
  policy: RetryPolicy;
  /** Milliseconds since the epoch. */
  now: () => number;
  random: () => number;
}

/** One turn of a delivery: looks whether it is still wanted, attempts it, judges the answer, and has that recorded. */
export function createDeliver(deps: DeliverDeps) {
  const { holdings, book, attempt, recorder, policy, now, random } = deps;

  async function webhookOf({ webhookId }: DeliveryRecord): Promise<WebhookRecord | null | undefined> {
    const recent = book.recent(webhookId);
    if (recent !== undefined) return recent;
    return book.read(webhookId).catch(() => undefined);
  }

  return async function deliver(holding: Holding, leave: (release: Release) => void): Promise<void> {
    const { delivery } = holding;
    if (!holdings.isStillHeld(holding)) return leave('unused');
    const webhook = await webhookOf(delivery);
    if (webhook === undefined) {
      // The store is away. The lease runs out, and then the delivery is due again.
      holdings.forget(delivery._id);
      return leave('unused');
    }
    if (!webhook?.isEnabled) {
      leave('webhook_gone');
      if (webhook?.disabledReason === 'failures') return recorder.held(delivery);
      return recorder.dropped(delivery, webhook ? 'webhook_disabled' : 'webhook_deleted');
    }

    const pausedUntil = endOfPause(webhook);
    if (pausedUntil > now()) {
      leave({ pauseUntil: pausedUntil });
      return recorder.postponed(delivery, pausedUntil);
    }

    const startedAt = now();
    const result = await attempt(delivery, webhook);
    const outcome = decideOutcome(result, {
      attemptsBefore: delivery.attempts.length - (delivery.attemptsBefore ?? 0),
      policy,
      now: now(),
      random,
    });
    if (outcome.kind === 'gone') {
      // Before the place is free: nothing more is to go there.
      await recorder.webhookGone(webhook);
      leave('webhook_gone');
    } else if ('pauseUntil' in outcome && outcome.pauseUntil !== undefined) {
      const pauseUntil = Math.min(outcome.pauseUntil, now() + MAX_PAUSE_MS);
      leave({ pauseUntil });
      await book.pause(webhook._id, pauseUntil);
    } else {
      leave(outcome.kind === 'delivered' ? 'success' : 'failure');
    }
    await recorder.attempted({ delivery, startedAt, result, outcome });
  };
}
