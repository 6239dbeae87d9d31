import type { DocumentStore } from '@svcforms/document-store';
import { DURABLES, type EventBus } from '@svcforms/event-bus';
import { isoTime, type Clock } from '@svcforms/primitives';
import { DELIVERIES, ERASURES, type DeliveryRecord, type ErasureRecord } from '@svcforms/records';
import { busLag, type Metric } from '@svcforms/runtime';
import type { Attempt } from './deliver/attempt.ts';
import { MAILS, type MailRecord } from './mail/mail-record.ts';
import type { MailOutcome } from './mail/mail-sender.ts';
import type { DeliveryQueue } from './queue/delivery-queue.ts';
import type { RecordedOutcome } from './record/recorder.ts';

const OUTCOMES = ['delivered', 'retry', 'failed', 'gone', 'held', 'dropped'] as const;
const MAIL_OUTCOMES = ['sent', 'retry', 'refused', 'failed', 'dropped'] as const;
/** Of the erasures that are due first. A failing one is among them: its pauses are short. */
const READ_ERASURES = 20;

interface DispatcherMetricsDeps {
  store: Pick<DocumentStore, 'collection'>;
  bus: Pick<EventBus, 'lag'>;
  queue: Pick<DeliveryQueue, 'oldestWithoutRoom'>;
  now: Clock;
}

/** The metrics of events, deliveries, emails and erasures, and the functions that count. */
export function createDispatcherMetrics({ store, bus, queue, now }: DispatcherMetricsDeps) {
  const deliveries = store.collection<DeliveryRecord>(DELIVERIES);
  const mails = store.collection<MailRecord>(MAILS);
  const erasures = store.collection<ErasureRecord>(ERASURES);
  const counts = countsOf<RecordedOutcome>(OUTCOMES);
  const mailCounts = countsOf<MailOutcome>(MAIL_OUTCOMES);
  let inFlight = 0;
  let dead = 0;

  /**
   * Deliveries that no process has claimed are due in the store; those that wait for a permit of
   * this one aren't.
   */
  async function oldestDueDelivery(): Promise<number> {
    const overdue = await deliveries.findOne({ dueAt: { $exists: true, $lte: iso() } }, { sort: ['dueAt'] });
    return secondsSince([overdue?.dueAt, queue.oldestWithoutRoom()]);
  }

  async function oldestDueMail(): Promise<number> {
    const overdue = await mails.findOne({ dueAt: { $exists: true, $lte: iso() } }, { sort: ['dueAt'] });
    return secondsSince([overdue?.dueAt]);
  }

  /** Since when an erasure is open, because one that fails is due again two seconds later. */
  async function oldestErasure(): Promise<number> {
    const open = await erasures.find({ dueAt: { $exists: true } }, { sort: ['dueAt'], limit: READ_ERASURES });
    return secondsSince(open.map(({ at }) => at));
  }

  const iso = () => isoTime(now());

  /** The seconds since the earliest of these times (ISO 8601); 0 without any. */
  function secondsSince(times: readonly (string | undefined)[]): number {
    const known = times.filter((time) => time !== undefined);
    return Math.max(0, ...known.map((time) => (now() - Date.parse(time)) / 1000));
  }

  const metrics: Metric[] = [
    {
      name: 'svc_delivery_outcomes_total',
      help: 'Outcomes of deliveries in this process: delivered, retry, failed, gone (410), held, dropped.',
      kind: 'counter',
      labels: ['outcome'],
      read: () => samplesOf(counts),
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
      read: async () => [{ value: await oldestDueDelivery() }],
    },
    {
      name: 'svc_email_outcomes_total',
      help: 'Outcomes of emails in this process: sent, retry, refused (for good), failed (after the last retry), dropped.',
      kind: 'counter',
      labels: ['outcome'],
      read: () => samplesOf(mailCounts),
    },
    {
      name: 'svc_emails_oldest_due_seconds',
      help: 'How long the oldest email has been due that no process is sending.',
      kind: 'gauge',
      read: async () => [{ value: await oldestDueMail() }],
    },
    {
      name: 'svc_erasures_oldest_seconds',
      help: 'Age of the oldest erasure that is not complete; 0 without one.',
      kind: 'gauge',
      read: async () => [{ value: await oldestErasure() }],
    },
    busLag(bus, DURABLES),
  ];

  return {
    metrics,
    count: (outcome: RecordedOutcome) => increment(counts, outcome),
    countMail: (outcome: MailOutcome) => increment(mailCounts, outcome),
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

type Counts<K extends string> = Map<K, number>;

const countsOf = <K extends string>(outcomes: readonly K[]): Counts<K> =>
  new Map(outcomes.map((outcome) => [outcome, 0]));

function increment<K extends string>(counts: Counts<K>, outcome: K): void {
  counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
}

const samplesOf = (counts: Counts<string>) =>
  [...counts].map(([outcome, value]) => ({ labels: { outcome }, value }));
