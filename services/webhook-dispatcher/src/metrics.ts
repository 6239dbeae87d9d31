import type { DocumentStore } from '@svcforms/document-store';
import { DURABLES, type EventBus } from '@svcforms/event-bus';
import type { Clock } from '@svcforms/primitives';
import { DELIVERIES, type DeliveryRecord } from '@svcforms/records';
import { busLag, type Metric } from '@svcforms/runtime';
import type { Attempt } from './deliver/attempt.ts';
import type { RecordedOutcome } from './record/recorder.ts';

const OUTCOMES = ['delivered', 'retry', 'failed', 'gone', 'held', 'dropped'] as const;

interface DispatcherMetricsDeps {
  store: Pick<DocumentStore, 'collection'>;
  bus: Pick<EventBus, 'lag'>;
  now: Clock;
}

/** The metrics of deliveries, and the functions that count. */
export function createDispatcherMetrics({ store, bus, now }: DispatcherMetricsDeps) {
  const deliveries = store.collection<DeliveryRecord>(DELIVERIES);
  const counts = new Map<RecordedOutcome, number>(OUTCOMES.map((outcome) => [outcome, 0]));
  let inFlight = 0;

  async function oldestDueSeconds(): Promise<number> {
    const at = now();
    const [oldest] = await deliveries.find(
      { dueAt: { $exists: true, $lte: new Date(at).toISOString() } },
      { sort: ['dueAt'], limit: 1 },
    );
    return oldest?.dueAt ? (at - Date.parse(oldest.dueAt)) / 1000 : 0;
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
      name: 'svc_delivery_attempts_in_flight',
      help: 'Attempts of this process that wait for a response.',
      kind: 'gauge',
      read: () => [{ value: inFlight }],
    },
    {
      name: 'svc_deliveries_oldest_due_seconds',
      help: 'How long the oldest due delivery has been due.',
      kind: 'gauge',
      read: async () => [{ value: await oldestDueSeconds() }],
    },
    busLag(bus, DURABLES),
  ];

  return {
    metrics,
    count: (outcome: RecordedOutcome) => void counts.set(outcome, (counts.get(outcome) ?? 0) + 1),
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
