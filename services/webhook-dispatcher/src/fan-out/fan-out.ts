import { isWebhookEventType, type BusEvent } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { BusMessage, DeferredAck, DeliveredMessage } from '@svcforms/event-bus';
import { isErased, type DeliveryRecord, type SubmissionRecord } from '@svcforms/records';
import type { WebhookBook } from '../deliver/webhook-book.ts';
import type { Holdings } from '../schedule/holdings.ts';
import { isStoreFailure, type StoreRetry } from '../store-retry.ts';
import { keepDeadLetter, type DeadLetterRecord } from './dead-letters.ts';
import { createLoadGauge } from './load-gauge.ts';
import { planDeliveries } from './plan-deliveries.ts';

/** An event that is older may have been published once more: the outbox's relay begins with those of 5 s. */
const YOUNG_MS = 3_000;

export interface FanOutDeps {
  book: Pick<WebhookBook, 'receiversOf'>;
  submissions: Pick<Collection<SubmissionRecord>, 'find'>;
  deadLetters: Collection<DeadLetterRecord>;
  holdings: Pick<Holdings, 'begin' | 'insert'>;
  retry: StoreRetry;
  log: { error(fields: object, message: string): void };
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * Turns a batch of events into deliveries. Under load those of new events may be run when it resolves, and are stored when what it
 * resolves with is settled; of others all are stored by then. It waits for a store that is away. Nothing is lost: a message that no
 * delivery can be made of becomes a dead letter.
 */
export function createFanOut(
  deps: FanOutDeps,
): (batch: readonly DeliveredMessage[]) => Promise<DeferredAck | void> {
  const { book, submissions, deadLetters, holdings, retry, log, now } = deps;
  const isUnderLoad = createLoadGauge(now);

  async function deliveriesOf(batch: readonly BusMessage[]): Promise<DeliveryRecord[]> {
    // What else travels on the bus is for the stream.
    const events = batch.map(({ event }) => event).filter(({ type }) => isWebhookEventType(type));
    if (events.length === 0) return [];
    const [webhooks, found] = await Promise.all([
      book.receiversOf([...new Set(events.map(({ formId }) => formId))]),
      submissionsOf(events),
    ]);
    return planDeliveries(events, { webhooks, submissions: found }, now());
  }

  async function insertDeliveries(batch: readonly BusMessage[]): Promise<void> {
    const deliveries = await deliveriesOf(batch);
    if (deliveries.length > 0) await holdings.insert(deliveries);
  }

  async function submissionsOf(events: readonly BusEvent[]): Promise<Map<string, SubmissionRecord>> {
    const ids = events.flatMap(({ body, submissionId }) =>
      body === null && submissionId ? [submissionId] : [],
    );
    if (ids.length === 0) return new Map();
    const found = await submissions.find({ _id: { $in: [...new Set(ids)] } });
    return new Map(found.filter((each) => !isErased(each)).map((submission) => [submission._id, submission]));
  }

  return async function fanOut(batch) {
    // Whoever is told of a delivery finds it, but for when there are so many that a write each is worth sparing. What may have
    // been delivered before must not be begun again: inserting finds out.
    if (!isUnderLoad(batch.length) || !batch.every(isSurelyNew)) return insertOrBury(batch);
    let deliveries: DeliveryRecord[];
    try {
      deliveries = await retry(() => deliveriesOf(batch));
    } catch (error) {
      if (isStoreFailure(error)) throw error;
      return insertOrBury(batch);
    }
    if (deliveries.length === 0) return undefined;
    const settled = holdings.begin(deliveries);
    // Whoever acknowledges may look at it a moment later.
    settled.catch(() => {});
    return { ackAfter: settled };
  };

  function isSurelyNew({ event, isNew }: DeliveredMessage): boolean {
    const ageMs = now() - Date.parse(event.timestamp);
    return isNew && Math.abs(ageMs) < YOUNG_MS;
  }

  async function insertOrBury(batch: readonly BusMessage[]): Promise<void> {
    try {
      await retry(() => insertDeliveries(batch));
    } catch (error) {
      const [message] = batch;
      if (!message || isStoreFailure(error)) throw error;
      if (batch.length > 1) {
        for (const each of batch) await insertOrBury([each]);
        return;
      }
      const reason = error instanceof Error ? error.message : String(error);
      log.error(
        { event: 'event.dead', eventId: message.event.id, position: message.position, err: error },
        'no delivery can be made of an event; it is kept as a dead letter',
      );
      await retry(() => keepDeadLetter(deadLetters, message, { at: new Date(now()).toISOString(), reason }));
    }
  }
}
