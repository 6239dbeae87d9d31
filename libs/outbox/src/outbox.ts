import { EVENT_TYPES, type BusEvent, type EventType } from '@svcforms/contracts';
import type { AnyDocument, Collection, Filter, StoredDocument, Update } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import { every, waitAtMost, type Clock, type Logger } from '@svcforms/primitives';
import type { PendingEvent, WithPendingEvents } from './pending.ts';

/** The process that stored a document publishes its events within this time, unless it crashed. */
const ABANDONED_AFTER_MS = 5_000;
const SWEEP_EVERY_MS = 1_000;
const SWEEP_SIZE = 200;
/** The bus deduplicates event ids for two minutes. For older events, the relay reads the ids from the log. */
const READ_LOG_AFTER_MS = 90_000;
/** The longest sweep, because ids from the log are valid only for the rest of the deduplication window. */
const MAX_SWEEP_MS = 20_000;
/** The clocks of the writer and the bus may differ by this much. */
const CLOCK_SKEW_MS = 60_000;
const CLEAR_EVERY_MS = 50;
const CLEAR_SIZE = 200;
/** The most documents that are queued in memory while the relay catches up. */
const MAX_QUEUED = 1_000;
const STOP_WITHIN_MS = 5_000;

/**
 * Inserts a document and publishes its events in one commit. Resolves when both are durable. Rejects like `insertOne`, or if
 * the bus is closed; then neither is stored.
 */
export type InsertWithEvents = <T extends StoredDocument>(
  collection: Pick<Collection<T>, 'insertOne'>,
  doc: T,
  events: readonly BusEvent[],
) => Promise<void>;

export interface OutboxDeps<T extends WithPendingEvents> {
  collection: Pick<Collection<T, AnyDocument>, 'find' | 'insertOne' | 'updateMany'>;
  bus: Pick<EventBus, 'publish' | 'publishedSince'>;
  /** Builds the event with its body from the stored document. */
  render: (doc: T, pending: PendingEvent) => BusEvent;
  /**
   * Stores what must exist before a document's events are published. The relay calls it; callers of `publish` have done so
   * themselves. The events stay pending while it rejects.
   */
  prepare?: (doc: T) => Promise<void>;
  /** Set if the store and the bus share a database. */
  insertWithEvents?: InsertWithEvents | undefined;
  log: Pick<Logger, 'info' | 'warn'>;
  now?: Clock;
  /** The interval in milliseconds at which the relay looks for abandoned events. */
  sweepEveryMs?: number;
}

export interface Outbox<T> {
  /**
   * Stores a new document and publishes its events: in one commit if the store and the bus share a database (the document then
   * has no pending events), else one after the other. Resolves when the document is durable. @throws StoreError like `insertOne`
   */
  insert(doc: T): Promise<void>;
  /** Publishes the events of a stored document in order, immediately. Never rejects: failed events stay pending in the document. */
  publish(doc: T): void;
  /** Starts the relay, which publishes events that are pending after a crash or an outage of the bus. */
  start(): void;
  /** The age of the oldest pending event in seconds; 0 if no event is pending. */
  ageSeconds(): Promise<number>;
  /** Waits a few seconds for current publishes. The next relay publishes the rest. */
  stop(): Promise<void>;
}

type Owing = Filter<WithPendingEvents>;

/** By account: the event ids that the log has. */
type Logs = Map<string, Promise<ReadonlySet<string>>>;

/**
 * Moves events from documents to the bus: the process that stored a document publishes immediately, the relay publishes what
 * is left. Events are published at least once; the bus drops repetitions by event id. The order per account is kept, also
 * during and after an outage of the bus.
 */
export function createOutbox<T extends WithPendingEvents>(deps: OutboxDeps<T>): Outbox<T> {
  const { collection, bus, render, prepare, log, now = Date.now, sweepEveryMs = SWEEP_EVERY_MS } = deps;
  /** Documents whose events this process is publishing, or has published but not cleared. The relay skips them. */
  const inProgress = new Map<string, Promise<boolean>>();
  let published: T[] = [];
  let clearing: Promise<boolean> = Promise.resolve(true);
  let clearTimer: NodeJS.Timeout | undefined;
  let stopped = false;
  /** After a failed publish, only the relay publishes until it has caught up, which keeps the order. */
  let isBehind = false;
  /** While behind: the documents that were stored since the relay last read the store, in order. */
  let queued: T[] = [];

  function publish(doc: T): void {
    if (!knowsEventsOf(doc)) return;
    if (isBehind) {
      if (queued.length < MAX_QUEUED) queued.push(doc);
      return;
    }
    const publishing = publishEvents(doc);
    inProgress.set(doc._id, publishing);
    void publishing.then((ok) => !ok && inProgress.delete(doc._id));
  }

  async function insert(doc: T): Promise<void> {
    const { pendingEvents = [], pendingKey: _, ...withoutPending } = doc;
    // While behind, these events would overtake queued ones.
    if (deps.insertWithEvents && !isBehind && pendingEvents.length > 0) {
      const events = pendingEvents.map((event) => render(doc, event));
      await deps.insertWithEvents(collection, withoutPending as unknown as T, events);
    } else {
      await collection.insertOne(doc);
      publish(doc);
    }
  }

  /** Publishes the events of a document. Returns whether the bus accepted all of them. */
  async function publishEvents(doc: T, skip?: ReadonlySet<string>): Promise<boolean> {
    const events = (doc.pendingEvents ?? []).filter(({ id }) => !skip?.has(id));
    try {
      await Promise.all(events.map((event) => bus.publish(render(doc, event))));
    } catch (error) {
      if (!isBehind)
        log.warn(
          { event: 'outbox.waiting', err: error },
          'the bus is not available; events stay pending in the store',
        );
      isBehind = true;
      return false;
    }
    published.push(doc);
    if (published.length >= CLEAR_SIZE) void clear();
    else clearTimer ??= setTimeout(() => void clear(), CLEAR_EVERY_MS);
    return true;
  }

  /** Removes the published events from their documents. Returns whether that succeeded. */
  function clear(): Promise<boolean> {
    clearTimeout(clearTimer);
    clearTimer = undefined;
    clearing = clearing.then(clearPublished);
    return clearing;
  }

  async function clearPublished(): Promise<boolean> {
    const docs = published;
    published = [];
    try {
      for (let start = 0; start < docs.length; start += CLEAR_SIZE) {
        const some = docs.slice(start, start + CLEAR_SIZE);
        // One update for all documents: a key contains the id of its document, so it matches only there.
        const pendingKeys = some.flatMap(({ pendingKey }) => pendingKey ?? []);
        await collection.updateMany(
          { _id: { $in: some.map(({ _id }) => _id) }, pendingKey: { $in: pendingKeys } } satisfies Owing,
          { $unset: { pendingEvents: true, pendingKey: true } } satisfies Update<WithPendingEvents>,
        );
      }
      return true;
    } catch (error) {
      log.warn(
        { event: 'outbox.not_cleared', err: error, documents: docs.length },
        'published events stay pending; they are published again with the same ids',
      );
      return false;
    } finally {
      for (const doc of docs) inProgress.delete(doc._id);
    }
  }

  async function sweep(): Promise<void> {
    const beganAt = now();
    const logs: Logs = new Map();
    let after: string[] | undefined;
    while (!stopped && now() - beganAt < MAX_SWEEP_MS) {
      const wasBehind = isBehind;
      if (wasBehind) {
        await Promise.all(inProgress.values());
        await clear();
      }
      queued = [];
      const before = wasBehind ? {} : { $lt: new Date(now() - ABANDONED_AFTER_MS).toISOString() };
      const found = await collection.find({ pendingKey: { $exists: true, ...before } } satisfies Owing, {
        sort: ['pendingKey'],
        limit: SWEEP_SIZE,
        ...(after && { after }),
      });
      const known = found.filter(knowsEventsOf);
      const left = known.filter(({ _id }) => !inProgress.has(_id));
      const outcomes = await Promise.all(byAccount(left).map((docs) => relayAccount(docs, logs)));
      const isCleared = await clear();
      if (outcomes.includes(false) || !isCleared) return;
      if (found.length < SWEEP_SIZE) {
        if (!wasBehind || hasCaughtUp(found)) return;
      } else if (known.length === 0) {
        after = found.slice(-1).flatMap(({ pendingKey }) => pendingKey ?? []);
      } else if (left.length === 0) {
        return;
      }
    }
  }

  /** Publishes the documents that were queued since the relay read the store. Returns `false` if the queue was too short. */
  function hasCaughtUp(relayed: readonly T[]): boolean {
    if (queued.length >= MAX_QUEUED) return false;
    isBehind = false;
    log.info({ event: 'outbox.resumed' }, 'the bus is available again');
    const ids = new Set(relayed.map(({ _id }) => _id));
    for (const doc of queued) if (!ids.has(doc._id)) publish(doc);
    queued = [];
    return true;
  }

  /** Publishes the events of one account's documents in order. */
  async function relayAccount(docs: readonly T[], logs: Logs): Promise<boolean> {
    const [oldest] = docs;
    if (!oldest) return true;
    let inLog: ReadonlySet<string> | undefined;
    try {
      inLog = await idsInLog(oldest, logs);
      if (prepare) await Promise.all(docs.map(prepare));
    } catch {
      return false;
    }
    const outcomes = await Promise.all(docs.map((doc) => publishEvents(doc, inLog)));
    return !outcomes.includes(false);
  }

  /** The ids in the log since the account's oldest pending event, if that is old. Read once per sweep. */
  function idsInLog({ accountId, pendingEvents }: T, logs: Logs): Promise<ReadonlySet<string>> | undefined {
    const occurredAt = Date.parse(pendingEvents?.[0]?.timestamp ?? '');
    if (!logs.has(accountId) && now() - occurredAt > READ_LOG_AFTER_MS) {
      logs.set(accountId, bus.publishedSince(accountId, new Date(occurredAt - CLOCK_SKEW_MS).toISOString()));
    }
    return logs.get(accountId);
  }

  const sweeps = every({
    intervalMs: sweepEveryMs,
    work: sweep,
    now,
    onError: (error) =>
      log.warn({ event: 'outbox.sweep_failed', err: error }, "can't read pending events; retrying"),
  });

  return {
    insert,
    publish,
    start: () => sweeps.start(sweepEveryMs),
    async ageSeconds() {
      const [oldest] = await collection.find({ pendingKey: { $exists: true } } satisfies Owing, {
        sort: ['pendingKey'],
        limit: 1,
      });
      const [owedAt = ''] = oldest?.pendingKey?.split('|') ?? [];
      return owedAt ? Math.max(0, now() - Date.parse(owedAt)) / 1000 : 0;
    },
    async stop() {
      stopped = true;
      await waitAtMost(Promise.all([...inProgress.values(), sweeps.stop()]), STOP_WITHIN_MS);
      await clear();
    },
  };
}

/** Whether this version can publish the events. A newer version may have stored events of types that only it knows. */
function knowsEventsOf({ pendingEvents = [] }: WithPendingEvents): boolean {
  return pendingEvents.every(({ type }) => (EVENT_TYPES as readonly EventType[]).includes(type));
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
