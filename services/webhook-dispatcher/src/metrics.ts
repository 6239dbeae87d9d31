import type { Collection } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import type { Metric } from '@svcforms/runtime';
import type { DeliveryRecord } from '@svcforms/records';
import type { Recorder } from './deliver/recorder.ts';

const OUTCOMES = ['delivered', 'retry', 'failed', 'gone', 'held', 'dropped'] as const;
type CountedOutcome = (typeof OUTCOMES)[number];

export interface FiguresDeps {
  deliveries: Pick<Collection<DeliveryRecord>, 'find'>;
  bus: Pick<EventBus, 'lag'>;
  /** The names that events are consumed by. */
  durables: readonly string[];
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** What operators are told of deliveries, and the counting of it. */
export function createDispatcherMetrics({ deliveries, bus, durables, now }: FiguresDeps) {
  const counts = new Map<CountedOutcome, number>(OUTCOMES.map((outcome) => [outcome, 0]));
  let inFlight = 0;

  async function counted(outcome: CountedOutcome, recorded: Promise<void>): Promise<void> {
    await recorded;
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }

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
      help: 'What this process decided on deliveries: delivered, retry, failed, gone (410), held, dropped.',
      kind: 'counter',
      labels: ['outcome'],
      read: () => [...counts].map(([outcome, value]) => ({ labels: { outcome }, value })),
    },
    {
      name: 'svc_delivery_attempts_in_flight',
      help: 'Attempts of this process that wait for their listener.',
      kind: 'gauge',
      read: () => [{ value: inFlight }],
    },
    {
      name: 'svc_deliveries_oldest_due_seconds',
      help: 'How long the delivery that is most overdue has been due.',
      kind: 'gauge',
      read: async () => [{ value: await oldestDueSeconds() }],
    },
    {
      name: 'svc_bus_lag_events',
      help: 'Events in the log that were not handled yet.',
      kind: 'gauge',
      labels: ['durable'],
      read: () =>
        Promise.all(
          durables.map(async (durable) => ({ labels: { durable }, value: await bus.lag(durable) })),
        ),
    },
  ];

  return {
    metrics,
    /** Counts what is written down. */
    counting: (recorder: Recorder): Recorder => ({
      attempted: (facts) => counted(facts.outcome.kind, recorder.attempted(facts)),
      dropped: (...args) => counted('dropped', recorder.dropped(...args)),
      held: (delivery) => counted('held', recorder.held(delivery)),
      postponed: (...args) => recorder.postponed(...args),
      webhookGone: (webhook) => recorder.webhookGone(webhook),
    }),
    /** Counts an attempt while it runs. */
    attempting: async <T>(attempt: Promise<T>): Promise<T> => {
      inFlight += 1;
      try {
        return await attempt;
      } finally {
        inFlight -= 1;
      }
    },
  };
}
