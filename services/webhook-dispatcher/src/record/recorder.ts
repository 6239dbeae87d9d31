import { isSuccess, type AttemptResult } from '@svcforms/outbound';
import { isoTime, type Clock, type Logger } from '@svcforms/primitives';
import { formOf, type DeliveryAttempt, type DeliveryRecord, type WebhookRecord } from '@svcforms/records';
import type { DeliveryQueue } from '../queue/delivery-queue.ts';
import type { Lease } from '../queue/leases.ts';
import type { Feedback } from '../queue/permit-rules.ts';
import { MAX_PAUSE_MS, type WebhookCache } from '../webhooks/webhook-cache.ts';
import type { AttemptCounts } from '../webhooks/attempt-counts.ts';
import type { WebhookHealth } from '../webhooks/webhook-health.ts';
import { logIdsOf } from './log-ids.ts';
import type { Outcome } from './outcome.ts';

/** After 410 of a former URL. Longer than a change of a webhook takes to reach every process. */
const MOVED_RETRY_MS = 2_000;

export type RecordedOutcome = Outcome['kind'] | 'held' | 'dropped';

/**
 * Records what happened: on the webhook, in the log and the metrics, and on the delivery, which it
 * completes. Each method resolves when the delivery's part is durable.
 */
export interface Recorder {
  attempted(facts: {
    lease: Lease;
    webhook: WebhookRecord;
    /** Milliseconds since the epoch. */
    startedAt: number;
    result: AttemptResult;
    outcome: Outcome;
  }): Promise<void>;
  /** The webhook is deleted or disabled, or the form is deleted: the delivery fails. */
  dropped(lease: Lease, reason: 'webhook_disabled' | 'webhook_deleted' | 'form_deleted'): Promise<void>;
  /** Failures have disabled the webhook: the delivery is held for a recovery. */
  held(lease: Lease): Promise<void>;
  /** The webhook is paused until then (milliseconds since the epoch). This isn't an attempt. */
  postponed(lease: Lease, until: number): Promise<void>;
}

interface RecorderDeps {
  queue: Pick<DeliveryQueue, 'complete'>;
  webhookCache: Pick<WebhookCache, 'disableGone' | 'pause'>;
  health: Pick<WebhookHealth, 'note' | 'flush'>;
  attempts: Pick<AttemptCounts, 'note'>;
  /** Counts what is durable. */
  count: (outcome: RecordedOutcome) => void;
  log: Pick<Logger, 'info' | 'error'>;
  now: Clock;
}

export function createRecorder(deps: RecorderDeps): Recorder {
  const { queue, webhookCache, health, attempts, count, log, now } = deps;

  function noteAttempt(webhook: WebhookRecord, at: string, facts: AttemptFacts, outcome: Outcome): void {
    health.note(webhook, {
      at,
      status: facts.status ?? null,
      error: facts.error,
      isSuccess: outcome.kind === 'delivered',
      isFinalFailure: outcome.kind === 'failed',
    });
  }

  function logAttempt(
    { delivery }: Lease,
    result: AttemptResult,
    facts: AttemptFacts,
    outcome: Outcome,
  ): void {
    // The delivery has the message, which may quote a template.
    const { message: _message, ...logged } = facts;
    const fields = {
      event: 'delivery.attempted',
      ...logIdsOf(delivery),
      attempt: delivery.attempts.length + 1,
      ...logged,
      outcome: outcome.kind,
      nextAttemptAt: outcome.kind === 'retry' ? isoTime(outcome.at) : undefined,
    };
    if (isNotSent(result)) log.error({ ...fields, reason: result.message }, 'delivery not sent');
    else log.info(fields, 'delivery attempted');
  }

  /**
   * Returns whether it has another URL since, about which the response says nothing. The attempt is
   * written first, so that a disabled webhook shows its cause, and enabling it clears the failure.
   */
  async function disableGone(webhook: WebhookRecord): Promise<boolean> {
    // Notes that can't be written now are written later.
    await health.flush().catch(() => {});
    const state = await webhookCache.disableGone(webhook);
    if (state !== 'disabled') return state === 'moved';
    log.info(
      { event: 'webhook.disabled', webhookId: webhook._id, formId: formOf(webhook), reason: 'gone' },
      'the endpoint returned 410 Gone; webhook disabled',
    );
    return false;
  }

  return {
    async attempted({ lease, webhook, startedAt, result, outcome: decided }) {
      const at = isoTime(startedAt);
      const facts = factsOf(result);
      if (!isNotSent(result)) noteAttempt(webhook, at, facts, decided);
      // Before the permit is released, so that no other attempt starts.
      const isOutdated = decided.kind === 'gone' && (await disableGone(webhook));
      // The next attempt goes to the URL that the webhook has by then.
      const outcome: Outcome = isOutdated ? { kind: 'retry', at: now() + MOVED_RETRY_MS } : decided;
      const pauseUntil = pauseOf(outcome, now());
      const attempt: DeliveryAttempt = { at, ...facts, responseBody: 'status' in result ? result.body : '' };
      const stored = queue.complete(lease, {
        status: STATUS_AFTER[outcome.kind],
        dueAt: outcome.kind === 'retry' ? outcome.at : undefined,
        attempt,
        feedback: feedbackAfter(outcome, { pauseUntil, isOutdated }),
      });
      attempts.note(webhook, {
        startedAt,
        isSuccess: outcome.kind === 'delivered',
        latencyMs: latencyOf(result),
      });
      logAttempt(lease, result, facts, outcome);
      await (pauseUntil === undefined
        ? stored
        : Promise.all([stored, webhookCache.pause(webhook, pauseUntil)]));
      count(outcome.kind);
    },

    async dropped(lease, reason) {
      log.info({ event: 'delivery.dropped', ...logIdsOf(lease.delivery), reason }, 'delivery dropped');
      const feedback = reason === 'form_deleted' ? 'unused' : 'webhook_gone';
      await queue.complete(lease, { status: 'failed', feedback });
      count('dropped');
    },

    async held(lease) {
      log.info({ event: 'delivery.held', ...logIdsOf(lease.delivery) }, 'delivery held');
      await queue.complete(lease, { status: 'held', feedback: 'webhook_gone' });
      count('held');
    },

    postponed: (lease, until) =>
      queue.complete(lease, { status: 'pending', dueAt: until, feedback: { pauseUntil: until } }),
  };
}

const STATUS_AFTER = {
  delivered: 'delivered',
  retry: 'pending',
  failed: 'failed',
  gone: 'failed',
} as const satisfies Record<Outcome['kind'], DeliveryRecord['status']>;

const FEEDBACK_AFTER = {
  delivered: 'success',
  retry: 'failure',
  failed: 'failure',
  gone: 'webhook_gone',
} as const satisfies Record<Outcome['kind'], Feedback>;

function feedbackAfter(
  { kind }: Outcome,
  { pauseUntil, isOutdated }: { pauseUntil: number | undefined; isOutdated: boolean },
): Feedback {
  if (isOutdated) return 'unused';
  return pauseUntil === undefined ? FEEDBACK_AFTER[kind] : { pauseUntil };
}

type AttemptFacts = Pick<DeliveryAttempt, 'status' | 'error' | 'message' | 'durationMs'>;

function factsOf(result: AttemptResult): AttemptFacts {
  const { durationMs } = result;
  if ('error' in result) {
    const { error, message } = result;
    return error === 'template' ? { error, message, durationMs } : { error, durationMs };
  }
  return { status: result.status, ...(isSuccess(result) ? {} : { error: 'status' }), durationMs };
}

/** These attempts ended before the endpoint got the request. docs/reference/webhooks.md#health */
const NOT_REACHED: readonly string[] = ['dns', 'connect', 'tls', 'blocked_target', 'not_sent', 'template'];

/** Without waiting for a rate limit, a pause or a permit: that isn't part of the attempt. */
function latencyOf(result: AttemptResult): number | undefined {
  return 'error' in result && NOT_REACHED.includes(result.error) ? undefined : result.durationMs;
}

/** The request couldn't be built, which says nothing about the endpoint. */
function isNotSent(result: AttemptResult): result is Extract<AttemptResult, { error: unknown }> {
  return 'error' in result && result.error === 'not_sent';
}

function pauseOf(outcome: Outcome, now: number): number | undefined {
  if (!('pauseUntil' in outcome) || outcome.pauseUntil === undefined) return undefined;
  return Math.min(outcome.pauseUntil, now + MAX_PAUSE_MS);
}
