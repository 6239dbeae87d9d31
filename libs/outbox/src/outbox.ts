import { EVENT_TYPES, type BusEvent, type EventType } from '@svcforms/contracts';
import type { AnyDocument, Collection, Filter, StoredDocument, Update } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import type { PendingEvent, WithPendingEvents } from './pending.ts';

/** A document this old is no longer its writer's: that one crashed. */
const ABANDONED_AFTER_MS = 5_000;
const SWEEP_EVERY_MS = 1_000;
const SWEEP_SIZE = 200;
/** Beyond this age the bus has forgotten event ids (its window is two minutes), so the log itself is asked. */
const ASK_LOG_AFTER_MS = 90_000;
/** What the log said is believed for this long: less than is left of the window. */
const SWEEP_AT_MOST_MS = 20_000;
/** The clocks of writer and bus may differ by so much. */
const CLOCK_SKEW_MS = 60_000;
const CLEAR_EVERY_MS = 50;
const CLEAR_SIZE = 200;
/** Documents that are remembered while the relay catches up. */
const MAX_WAITING = 1_000;
const STOP_WITHIN_MS = 5_000;

/**
 * Inserts a document and publishes its events in one commit; resolves when both are durable. Rejects as `insertOne`, and as a
 * bus that is closed, and then there is neither.
 */
export type InsertWithEvents = <T extends StoredDocument>(
  collection: Pick<Collection<T>, 'insertOne'>,
  doc: T,
  events: readonly BusEvent[],
) => Promise<void>;

export interface OutboxDeps<T extends WithPendingEvents> {
  collection: Pick<Collection<T, AnyDocument>, 'find' | 'insertOne' | 'updateMany'>;
  bus: Pick<EventBus, 'publish' | 'publishedSince'>;
  /** The event with its body, made from the document as it was stored. */
  render: (doc: T, pending: PendingEvent) => BusEvent;
  /**
   * What has to be stored before a document's events may go out, for those that the relay found: who calls `publish` has done
   * it. They wait while it rejects.
   */
  prepare?: (doc: T) => Promise<void>;
  /** Where store and bus share a database. */
  insertWithEvents?: InsertWithEvents | undefined;
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** How often the relay looks for what was left behind; milliseconds. */
  sweepEveryMs?: number;
}

export interface Outbox<T> {
  /**
   * Stores a new document and publishes its events: in one commit where store and bus share a database (such a document owes
   * nothing), else one after the other. Resolves when the document is durable. @throws StoreError as `insertOne`
   */
  insert(doc: T): Promise<void>;
  /** Call when `doc` is stored, and what its events are about: publishes its events in order, at once. Never rejects: what fails stays in the document. */
  publish(doc: T): void;
  /** Starts the relay, which publishes what was left behind by a crash or while the bus was down. */
  start(): void;
  /** How long ago the oldest event that still waits for the bus was owed, in seconds; 0 where none does. */
  ageSeconds(): Promise<number>;
  /** Waits a moment for what is under way; the rest is the next relay's. */
  stop(): Promise<void>;
}

type Owing = Filter<WithPendingEvents>;

/** By account: ids that the log was found to hold. */
type Logs = Map<string, Promise<ReadonlySet<string>>>;

/**
 * Events leave a document for the bus: at once by the process that stored it, else by the relay. An event is published at
 * least once; the bus drops repetitions by event id. Order is kept per account: also while the bus is away and after.
 */
export function createOutbox<T extends WithPendingEvents>(deps: OutboxDeps<T>): Outbox<T> {
  const { collection, bus, render, prepare, log, now = Date.now, sweepEveryMs = SWEEP_EVERY_MS } = deps;
  /** Documents whose events this process is publishing, or has published and not yet cleared: not the relay's. */
  const held = new Map<string, Promise<boolean>>();
  let published: T[] = [];
  let clearing: Promise<boolean> = Promise.resolve(true);
  let clearTimer: NodeJS.Timeout | undefined;
  let sweepTimer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> = Promise.resolve();
  let stopped = false;
  /** The bus has refused something: the relay alone publishes until it has caught up, so that nothing is overtaken. */
  let isBehind = false;
  /** While behind, what was stored since the relay last looked into the store, in order. */
  let waiting: T[] = [];

  function publish(doc: T): void {
    if (!knowsEventsOf(doc)) return;
    if (isBehind) {
      if (waiting.length < MAX_WAITING) waiting.push(doc);
      return;
    }
    const publishing = publishEvents(doc);
    held.set(doc._id, publishing);
    void publishing.then((ok) => !ok && held.delete(doc._id));
  }

  async function insert(doc: T): Promise<void> {
    const { pendingEvents = [], pendingKey: _, ...owesNothing } = doc;
    // While behind, these would overtake what waits.
    if (deps.insertWithEvents && !isBehind && pendingEvents.length > 0) {
      const events = pendingEvents.map((event) => render(doc, event));
      await deps.insertWithEvents(collection, owesNothing as unknown as T, events);
    } else {
      await collection.insertOne(doc);
      publish(doc);
    }
  }

  /** Whether the bus has them all. */
  async function publishEvents(doc: T, skip?: ReadonlySet<string>): Promise<boolean> {
    const events = (doc.pendingEvents ?? []).filter(({ id }) => !skip?.has(id));
    try {
      await Promise.all(events.map((event) => bus.publish(render(doc, event))));
    } catch (error) {
      if (!isBehind)
        log.warn({ event: 'outbox.waiting', err: error }, 'the bus takes no events; they wait in the store');
      isBehind = true;
      return false;
    }
    published.push(doc);
    if (published.length >= CLEAR_SIZE) void clear();
    else clearTimer ??= setTimeout(() => void clear(), CLEAR_EVERY_MS);
    return true;
  }

  /** Takes the published events out of their documents. Resolves with whether that was possible. */
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
        // One update for all. A key holds the id of its document, so it can only match there.
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
        'published events stay marked as pending; they are published again, under the same ids',
      );
      return false;
    } finally {
      for (const doc of docs) held.delete(doc._id);
    }
  }

  async function sweep(): Promise<void> {
    const beganAt = now();
    const logs: Logs = new Map();
    let after: string[] | undefined;
    while (!stopped && now() - beganAt < SWEEP_AT_MOST_MS) {
      const wasBehind = isBehind;
      if (wasBehind) {
        await Promise.all(held.values());
        await clear();
      }
      waiting = [];
      const before = wasBehind ? {} : { $lt: new Date(now() - ABANDONED_AFTER_MS).toISOString() };
      const found = await collection.find({ pendingKey: { $exists: true, ...before } } satisfies Owing, {
        sort: ['pendingKey'],
        limit: SWEEP_SIZE,
        ...(after && { after }),
      });
      const known = found.filter(knowsEventsOf);
      const left = known.filter(({ _id }) => !held.has(_id));
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

  /** All that was stored when the relay looked is published; what came since is in `waiting`, if that held it all. */
  function hasCaughtUp(relayed: readonly T[]): boolean {
    if (waiting.length >= MAX_WAITING) return false;
    isBehind = false;
    log.info({ event: 'outbox.resumed' }, 'the bus takes events again');
    const ids = new Set(relayed.map(({ _id }) => _id));
    for (const doc of waiting) if (!ids.has(doc._id)) publish(doc);
    waiting = [];
    return true;
  }

  /** Publishes the events of one account's documents, in their order. */
  async function relayAccount(docs: readonly T[], logs: Logs): Promise<boolean> {
    const [oldest] = docs;
    if (!oldest) return true;
    let inLog: ReadonlySet<string> | undefined;
    try {
      inLog = await askLog(oldest, logs);
      if (prepare) await Promise.all(docs.map(prepare));
    } catch {
      return false;
    }
    const outcomes = await Promise.all(docs.map((doc) => publishEvents(doc, inLog)));
    return !outcomes.includes(false);
  }

  /** What the log holds of that account since its oldest pending event, where that is old; asked once a sweep. */
  function askLog({ accountId, pendingEvents }: T, logs: Logs): Promise<ReadonlySet<string>> | undefined {
    const occurredAt = Date.parse(pendingEvents?.[0]?.timestamp ?? '');
    if (!logs.has(accountId) && now() - occurredAt > ASK_LOG_AFTER_MS) {
      logs.set(accountId, bus.publishedSince(accountId, new Date(occurredAt - CLOCK_SKEW_MS).toISOString()));
    }
    return logs.get(accountId);
  }

  function scheduleSweep(): void {
    sweepTimer = setTimeout(() => {
      sweeping = sweep()
        .catch((error: unknown) =>
          log.warn(
            { event: 'outbox.sweep_failed', err: error },
            'the store can not be swept for pending events',
          ),
        )
        .finally(() => {
          if (!stopped) scheduleSweep();
        });
    }, sweepEveryMs);
  }

  return {
    insert,
    publish,
    start: scheduleSweep,
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
      clearTimeout(sweepTimer);
      let timer: NodeJS.Timeout | undefined;
      const deadline = new Promise((resolve) => (timer = setTimeout(resolve, STOP_WITHIN_MS)));
      await Promise.race([Promise.all([...held.values(), sweeping]), deadline]);
      clearTimeout(timer);
      await clear();
    },
  };
}

/** A newer version beside this one, or before it, may have stored events of types that only it can publish: they are its own. */
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
