import type { Filter } from '@svcforms/document-store';
import { createPollSchedule, isoTime, periodicJobs } from '@svcforms/primitives';
import type { InProgress } from './in-progress.ts';
import type { OutboxDeps } from './outbox-deps.ts';
import { knowsEventsOf, type WithPendingEvents } from './pending.ts';
import type { Publisher } from './publisher.ts';

/** The process that stored a document publishes its events within this time, unless it crashed. */
const ABANDONED_AFTER_MS = 5_000;
const SWEEP_EVERY_MS = 1_000;
const SWEEP_SIZE = 200;
/**
 * The bus deduplicates event ids for two minutes. For older events, the relay reads the ids from
 * the log.
 */
const READ_LOG_AFTER_MS = 90_000;
/**
 * The longest sweep, because ids from the log are valid only for the rest of the deduplication
 * window.
 */
const MAX_SWEEP_MS = 20_000;
/** The clocks of the writer and the bus may differ by this much. */
const CLOCK_SKEW_MS = 60_000;

/** Publishes events that are pending after a crash or an outage of the bus. */
interface Relay {
  start: () => void;
  /** See `Outbox.ageSeconds`. */
  ageSeconds: () => Promise<number>;
  /** Resolves when the current sweep has ended. */
  stop: () => Promise<void>;
}

interface RelayDeps<T extends WithPendingEvents> extends Pick<
  OutboxDeps<T>,
  'collection' | 'bus' | 'prepare' | 'log' | 'now' | 'sweepEveryMs'
> {
  publisher: Pick<Publisher<T>, 'publishEvents' | 'isBehind' | 'emptyQueue' | 'resume'>;
  inProgress: Pick<InProgress<T>, 'has' | 'publishes' | 'clear'>;
}

/** By account: the event ids that the log has since this time. */
type Logs = Map<string, { since: number; ids: Promise<ReadonlySet<string>> }>;

export function createRelay<T extends WithPendingEvents>(deps: RelayDeps<T>): Relay {
  const { collection, bus, prepare, log, publisher, inProgress } = deps;
  const { now = Date.now, sweepEveryMs = SWEEP_EVERY_MS } = deps;
  const pollSchedule = createPollSchedule({ now });
  let stopped = false;

  async function sweep(): Promise<void> {
    const beganAt = now();
    const logs: Logs = new Map();
    let after: string[] | undefined;
    while (!stopped && now() - beganAt < MAX_SWEEP_MS) {
      const wasBehind = publisher.isBehind();
      if (wasBehind) {
        await Promise.all(inProgress.publishes());
        await inProgress.clear();
      }
      publisher.emptyQueue();
      const before = wasBehind ? {} : { $lt: isoTime(now() - ABANDONED_AFTER_MS) };
      const found = await collection.find(
        { pendingKey: { $exists: true, ...before } } satisfies Filter<WithPendingEvents>,
        { sort: ['pendingKey'], limit: SWEEP_SIZE, ...(after && { after }) },
      );
      const known = found.filter(knowsEventsOf);
      const left = known.filter(({ _id }) => !inProgress.has(_id));
      const outcomes = await Promise.all(byAccount(left).map((docs) => relayAccount(docs, logs)));
      const isCleared = await inProgress.clear();
      if (outcomes.includes(false) || !isCleared) return;
      if (found.length < SWEEP_SIZE) {
        if (!wasBehind || publisher.resume(found)) return;
      } else if (known.length === 0) {
        after = found.slice(-1).flatMap(({ pendingKey }) => pendingKey ?? []);
      } else if (left.length === 0) {
        return;
      }
    }
  }

  /** Publishes the events of one account's documents in order. */
  async function relayAccount(docs: readonly T[], logs: Logs): Promise<boolean> {
    let inLog: ReadonlySet<string> | undefined;
    try {
      inLog = await idsInLog(docs, logs);
      if (prepare) await Promise.all(docs.map(prepare));
    } catch {
      return false;
    }
    const outcomes = await Promise.all(docs.map((doc) => publisher.publishEvents(doc, inLog)));
    return !outcomes.includes(false);
  }

  /**
   * The ids in the log since the oldest pending event of these documents of one account, if that is
   * old. Read once per sweep, and again if later documents have an older event: documents are
   * sorted by their newest.
   */
  function idsInLog(docs: readonly T[], logs: Logs): Promise<ReadonlySet<string>> | undefined {
    const accountId = docs[0]?.accountId ?? '';
    const times = docs.flatMap(({ pendingEvents }) => Date.parse(pendingEvents?.[0]?.timestamp ?? '') || []);
    const since = Math.min(...times);
    const known = logs.get(accountId);
    if (since >= (known?.since ?? Infinity) || now() - since <= READ_LOG_AFTER_MS) return known?.ids;
    const ids = bus.publishedSince(accountId, isoTime(since - CLOCK_SKEW_MS));
    logs.set(accountId, { since, ids });
    return ids;
  }

  async function pendingSince(): Promise<number | undefined> {
    const [oldest] = await collection.find(
      { pendingKey: { $exists: true } } satisfies Filter<WithPendingEvents>,
      { sort: ['pendingKey'], limit: 1 },
    );
    const [since = ''] = oldest?.pendingKey?.split('|') ?? [];
    return since ? Date.parse(since) : undefined;
  }

  /** Returns when the oldest pending events are or were abandoned. */
  async function sweepAbandoned(): Promise<string | undefined> {
    const since = await pendingSince();
    if (since === undefined) return undefined;
    const abandonedAt = since + ABANDONED_AFTER_MS;
    if (abandonedAt <= now()) await sweep();
    return isoTime(abandonedAt);
  }

  const createJob = periodicJobs({ event: 'outbox.sweep_failed', log, now });
  const sweeps = createJob('reading pending events', sweepEveryMs, () =>
    publisher.isBehind() ? sweep() : pollSchedule.pollIfDue(sweepAbandoned),
  );

  return {
    start: () => sweeps.start(sweepEveryMs),
    async ageSeconds() {
      const since = await pendingSince();
      return since === undefined ? 0 : Math.max(0, now() - since) / 1000;
    },
    stop() {
      stopped = true;
      return sweeps.stop();
    },
  };
}

function byAccount<T extends WithPendingEvents>(docs: readonly T[]): T[][] {
  const groups = new Map<string, T[]>();
  for (const doc of docs) {
    const group = groups.get(doc.accountId);
    if (group) group.push(doc);
    else groups.set(doc.accountId, [doc]);
  }
  return [...groups.values()];
}
