import { isWebhookEventType, type BusEvent } from '@svcforms/contracts';
import { isStoreFailure, type Collection, type DocumentStore } from '@svcforms/document-store';
import type { BusMessage, DeferredAck, DeliveredMessage } from '@svcforms/event-bus';
import { isoTime, type Clock, type Logger } from '@svcforms/primitives';
import { isErased, SUBMISSIONS, TASKS, type SubmissionRecord, type TaskRecord } from '@svcforms/records';
import type { DeliveryQueue } from '../queue/delivery-queue.ts';
import type { StoreRetries } from '../store/store-retry.ts';
import { isSurelyNew } from '../store/surely-new.ts';
import type { FilteredCounts } from '../webhooks/filtered-counts.ts';
import type { WebhookCache } from '../webhooks/webhook-cache.ts';
import { DEAD_LETTERS, keepDeadLetter, type DeadLetterRecord } from './dead-letters.ts';
import type { FindErasedEvents } from '../store/erased-events.ts';
import { createLoadGauge } from './load-gauge.ts';
import { planDeliveries, subscriptionsOf, type DeliveryPlan } from './plan-deliveries.ts';

interface FanOutBatchDeps {
  store: Pick<DocumentStore, 'collection'>;
  webhooks: {
    cache: Pick<WebhookCache, 'readWebhooksOf'>;
    filtered: Pick<FilteredCounts, 'note'>;
  };
  queue: Pick<DeliveryQueue, 'enqueue'>;
  findErased: FindErasedEvents;
  metrics: { countDead: () => void };
  /** The origin of links in the bodies of task events. */
  origin: string;
  retry: Pick<StoreRetries, 'intake'>;
  log: Pick<Logger, 'error'>;
  now: Clock;
}

export type FanOutBatch = (batch: readonly DeliveredMessage[]) => Promise<DeferredAck | void>;

/**
 * Turns a batch of events into deliveries. Under load, those of new events may start before they
 * are stored; the result then resolves when they are. Waits while the store is unavailable, and
 * rejects when that takes long. A message that causes an error becomes a dead letter.
 */
export function createFanOutBatch(deps: FanOutBatchDeps): FanOutBatch {
  const { store, webhooks, queue, findErased, metrics, origin, log, now } = deps;
  const retry = deps.retry.intake;
  const submissions: Pick<Collection<SubmissionRecord>, 'find'> = store.collection(SUBMISSIONS);
  const tasks: Pick<Collection<TaskRecord>, 'find'> = store.collection(TASKS);
  const deadLetters = store.collection<DeadLetterRecord>(DEAD_LETTERS);
  const isUnderLoad = createLoadGauge(now);

  async function planOf(batch: readonly BusMessage[]): Promise<DeliveryPlan> {
    const events = batch.map(({ event }) => event);
    // One cached lookup for both, so that the account costs no query. ADR 0064
    const owners = new Set(events.flatMap(({ formId, accountId }) => [formId, accountId]));
    const [owned, found] = await Promise.all([
      webhooks.cache.readWebhooksOf([...owners]),
      submissionsOf(events),
    ]);
    const subscriptionsTo = subscriptionsOf(owned);
    const byEvent = new Map(events.map((event) => [event, subscriptionsTo(event)] as const));
    const subscriptions = (event: BusEvent) => byEvent.get(event) ?? [];
    const subscribed = events.filter((event) => subscriptions(event).length > 0);
    const [ofTasks, erased] = await Promise.all([tasksOf(subscribed), findErased(subscribed)]);
    const planned = subscribed.filter(({ id }) => !erased.has(id));
    return planDeliveries(planned, { subscriptions, submissions: found, tasks: ofTasks, origin }, now());
  }

  async function tasksOf(subscribed: readonly BusEvent[]): Promise<Map<string, TaskRecord>> {
    const ids = subscribed
      .filter(({ type }) => !isWebhookEventType(type))
      .flatMap(({ taskId }) => taskId ?? []);
    if (ids.length === 0) return new Map();
    const found = await tasks.find({ _id: { $in: [...new Set(ids)] } });
    return new Map(found.filter((each) => !isErased(each)).map((task) => [task._id, task]));
  }

  async function submissionsOf(events: readonly BusEvent[]): Promise<Map<string, SubmissionRecord>> {
    const ids = events.flatMap(({ type, body, submissionId }) =>
      body === null && submissionId && isWebhookEventType(type) ? [submissionId] : [],
    );
    if (ids.length === 0) return new Map();
    const found = await submissions.find({ _id: { $in: [...new Set(ids)] } });
    return new Map(found.filter((each) => !isErased(each)).map((submission) => [submission._id, submission]));
  }

  async function enqueueBatch(batch: readonly BusMessage[]): Promise<void> {
    const { deliveries, filtered } = await planOf(batch);
    if (deliveries.length > 0) await queue.enqueue(deliveries, { isNew: false });
    // After the insert, which is retried with the plan.
    webhooks.filtered.note(filtered);
  }

  async function enqueueOrKeep(batch: readonly BusMessage[]): Promise<void> {
    try {
      await retry(() => enqueueBatch(batch));
    } catch (error) {
      const [message] = batch;
      if (!message || isStoreFailure(error)) throw error;
      if (batch.length > 1) {
        for (const each of batch) await enqueueOrKeep([each]);
        return;
      }
      const reason = error instanceof Error ? error.message : String(error);
      const { id: eventId, type: eventType, accountId, formId, submissionId, taskId } = message.event;
      const ids = { eventId, eventType, accountId, formId, submissionId, taskId };
      log.error(
        { event: 'event.dead', ...ids, position: message.position, err: error },
        'event not processable; kept as a dead letter',
      );
      metrics.countDead();
      await retry(() => keepDeadLetter(deadLetters, message, { at: isoTime(now()), reason }));
    }
  }

  return async function fanOutBatch(batch) {
    // Without much load, a delivery is stored before its attempt, so that whoever receives it finds
    // it in the API. Only an insert detects a delivery that was attempted before, so the same holds
    // for events that may be repeated. ADR 0018
    if (!isUnderLoad(batch.length) || !batch.every((message) => isSurelyNew(message, now()))) {
      return enqueueOrKeep(batch);
    }
    let plan: DeliveryPlan;
    try {
      plan = await retry(() => planOf(batch));
    } catch (error) {
      if (isStoreFailure(error)) throw error;
      return enqueueOrKeep(batch);
    }
    webhooks.filtered.note(plan.filtered);
    if (plan.deliveries.length === 0) return undefined;
    const stored = queue.enqueue(plan.deliveries, { isNew: true });
    // The bus adds its own handler later, and an error before that isn't unhandled.
    stored.catch(() => {});
    return { ackAfter: stored };
  };
}
