import type { DocumentStore } from '@svcforms/document-store';
import { DURABLES, type EventBus } from '@svcforms/event-bus';
import type { Clock } from '@svcforms/primitives';
import { DELIVERIES, type DeliveryRecord } from '@svcforms/records';
import { busLag, type Metric } from '@svcforms/runtime';
import type { Attempt } from './deliver/attempt.ts';
import type { DeliveryQueue } from './queue/delivery-queue.ts';
import type { RecordedOutcome } from './record/recorder.ts';

const OUTCOMES = ['delivered', 'retry', 'failed', 'gone', 'held', 'dropped'] as const;

interface DispatcherMetricsDeps {
  store: Pick<DocumentStore, 'collection'>;
  bus: Pick<EventBus, 'lag'>;
  queue: Pick<DeliveryQueue, 'oldestWithoutRoom'>;
  now: Clock;
}

/** The metrics of events and deliveries, and the functions that count. */
export function createDispatcherMetrics({ store, bus, queue, now }: DispatcherMetricsDeps) {
  const deliveries = store.collection<DeliveryRecord>(DELIVERIES);
  const counts = new Map<RecordedOutcome, number>(OUTCOMES.map((outcome) => [outcome, 0]));
  let inFlight = 0;
  let dead = 0;

  /** Deliveries that no process has claimed are due in the store; those that wait for a permit of this one aren't. */
  async function oldestDueSeconds(): Promise<number> {
    const at = now();
    const [overdue] = await deliveries.find(
      { dueAt: { $exists: true, $lte: new Date(at).toISOString() } },
      { sort: ['dueAt'], limit: 1 },
    );
    const since = [overdue?.dueAt, queue.oldestWithoutRoom()].filter((time) => time !== undefined);
    return Math.max(0, ...since.map((time) => (at - Date.parse(time)) / 1000));
  }

  const metrics: Metric[] = [
    {
      name: 'svc_delivery_outcomes_total',
      help: 'Outcomes of deliveries in this process: delivered, retry, failed, gone (410), held, dropped.',
      kind: 'counter',
      labels: ['outcome'],
      read: () => [...counts].map(([outcome, value]) => ({ labels: { outcome }, value })),
    },
    {
      name: 'svc_events_dead_total',
      help: 'Events that this process could not process and kept as dead letters.',
      kind: 'counter',
      read: () => [{ value: dead }],
    },
    {
      name: 'svc_delivery_attempts_in_flight',
      help: 'Attempts of this process that wait for a response.',
      kind: 'gauge',
      read: () => [{ value: inFlight }],
    },
    {
      name: 'svc_deliveries_oldest_due_seconds',
      help: "Seconds since the oldest delivery that its own webhook doesn't delay became due.",
      kind: 'gauge',
      read: async () => [{ value: await oldestDueSeconds() }],
    },
    busLag(bus, DURABLES),
  ];

  return {
    metrics,
    count: (outcome: RecordedOutcome) => void counts.set(outcome, (counts.get(outcome) ?? 0) + 1),
    countDead: () => void (dead += 1),
    /** Counts attempts while they run. */
    countInFlight:
      (attempt: Attempt): Attempt =>
      async (...sending) => {
        inFlight += 1;
        try {
          return await attempt(...sending);
        } finally {
          inFlight -= 1;
        }
      },
  };
}
