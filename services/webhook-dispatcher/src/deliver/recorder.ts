import type { Json, Update } from '@svcforms/document-store';
import { isSuccess, type AttemptResult } from '@svcforms/outbound';
import type { DeliveryAttempt, DeliveryRecord, WebhookRecord } from '@svcforms/records';
import type { Holdings } from '../schedule/holdings.ts';
import type { Outcome } from './decide-outcome.ts';
import type { FirstWrites } from './first-writes.ts';
import type { ResultWriter } from './result-writer.ts';
import type { WebhookBook } from './webhook-book.ts';
import type { WebhookHealth } from './webhook-health.ts';

/** Writes down what happened: to the delivery, to the webhook, to the log. Resolves when the delivery's part is durable. */
export interface Recorder {
  attempted(facts: {
    delivery: DeliveryRecord;
    /** Milliseconds since the epoch. */
    startedAt: number;
    result: AttemptResult;
    outcome: Outcome;
  }): Promise<void>;
  /** There is nobody to send it to any more. */
  dropped(delivery: DeliveryRecord, reason: 'webhook_disabled' | 'webhook_deleted'): Promise<void>;
  /** Its webhook is disabled by failures: it is kept for a recovery. */
  held(delivery: DeliveryRecord): Promise<void>;
  /** Its listener is to be left alone until then (milliseconds since the epoch); that is no attempt. */
  postponed(delivery: DeliveryRecord, until: number): Promise<void>;
  /** The listener wants nothing more: its webhook is disabled. */
  webhookGone(webhook: WebhookRecord): Promise<void>;
}

export interface RecorderDeps {
  results: ResultWriter;
  firstWrites: Pick<FirstWrites, 'end'>;
  holdings: Pick<Holdings, 'owner' | 'forget'>;
  book: Pick<WebhookBook, 'disableGone'>;
  health: WebhookHealth;
  /** Called when it is durable that something is due then. Milliseconds since the epoch. */
  onScheduled: (time: number) => void;
  log: {
    info(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
}

export function createRecorder(deps: RecorderDeps): Recorder {
  const { results, firstWrites, holdings, book, health, onScheduled, log } = deps;

  /**
   * In one write with the end of the lease; a lease that another process has taken over meanwhile is left alone. What isn't
   * stored yet is stored as it has become.
   */
  async function end(delivery: DeliveryRecord, ending: Ending): Promise<void> {
    try {
      if (await firstWrites.end(delivery._id, (record) => recordAfter(record, ending))) return;
      await results.write({
        filter: { _id: delivery._id, owner: holdings.owner },
        update: updateAfter(ending),
      });
    } finally {
      holdings.forget(delivery._id);
    }
  }

  return {
    async attempted({ delivery, startedAt, result, outcome }) {
      const at = new Date(startedAt).toISOString();
      const facts = factsOf(result);
      const nextAttemptAt = outcome.kind === 'retry' ? new Date(outcome.at).toISOString() : undefined;
      const fields = {
        event: 'delivery.attempted',
        ...idsOf(delivery),
        attempt: delivery.attempts.length + 1,
        ...facts,
        outcome: outcome.kind,
        nextAttemptAt,
      };
      if ('error' in result && result.error === 'not_sent') {
        log.error({ ...fields, reason: result.message }, 'a delivery can not be sent');
      } else {
        const isSuccess = outcome.kind === 'delivered';
        health.note(delivery.webhookId, {
          at,
          status: facts.status ?? null,
          isSuccess,
          isGivenUp: outcome.kind === 'failed',
        });
        log.info(fields, 'delivery attempted');
      }
      const attempt: DeliveryAttempt = { at, ...facts, responseBody: 'status' in result ? result.body : '' };
      const status = outcome.kind === 'delivered' ? 'delivered' : nextAttemptAt ? 'pending' : 'failed';
      await end(delivery, { status, dueAt: nextAttemptAt, attempt });
      if (outcome.kind === 'retry') onScheduled(outcome.at);
    },

    async dropped(delivery, reason) {
      log.info({ event: 'delivery.dropped', ...idsOf(delivery), reason }, 'delivery dropped');
      await end(delivery, { status: 'failed' });
    },

    async held(delivery) {
      log.info({ event: 'delivery.held', ...idsOf(delivery) }, 'delivery held');
      await end(delivery, { status: 'held' });
    },

    async postponed(delivery, until) {
      const dueAt = new Date(until).toISOString();
      await end(delivery, { status: 'pending', dueAt });
      onScheduled(until);
    },

    async webhookGone(webhook) {
      await book.disableGone(webhook);
      log.info(
        { event: 'webhook.disabled', webhookId: webhook._id, formId: webhook.formId, reason: 'gone' },
        'the listener answered 410: webhook disabled',
      );
    },
  };
}

/** What a delivery becomes when this process is done with it. */
interface Ending {
  status: DeliveryRecord['status'];
  /** When something has to happen again. ISO 8601. */
  dueAt?: string | undefined;
  attempt?: DeliveryAttempt;
}

function updateAfter({ status, dueAt, attempt }: Ending): Update {
  return {
    $set: { status, ...(dueAt && { dueAt }) },
    $unset: { owner: true, ...(dueAt ? {} : { dueAt: true }) },
    ...(attempt && { $push: { attempts: attempt satisfies Json } }),
  };
}

function recordAfter(record: DeliveryRecord, { status, dueAt, attempt }: Ending): DeliveryRecord {
  const { owner: _owner, dueAt: _lease, ...rest } = record;
  const attempts = attempt ? [...record.attempts, attempt] : record.attempts;
  return { ...rest, status, attempts, ...(dueAt && { dueAt }) };
}

function factsOf(result: AttemptResult): Pick<DeliveryAttempt, 'status' | 'error' | 'durationMs'> {
  const { durationMs } = result;
  if ('error' in result) return { error: result.error, durationMs };
  return { status: result.status, ...(isSuccess(result) ? {} : { error: 'status' }), durationMs };
}

function idsOf(delivery: DeliveryRecord) {
  const { _id: deliveryId, accountId, formId, webhookId, eventId, eventType, requestId } = delivery;
  return { deliveryId, accountId, formId, webhookId, eventId, eventType, requestId };
}
