import type { BusEvent } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import type { PendingEvent, WithPendingEvents } from './pending.ts';

/** A document this old is no longer its writer's: it crashed, or the bus was down. */
const ABANDONED_AFTER_MS = 5_000;
const SWEEP_EVERY_MS = 1_000;
const SWEEP_SIZE = 200;
/** Beyond this age the bus has forgotten event ids (its window is two minutes), so the log itself is asked. */
const ASK_LOG_AFTER_MS = 90_000;
const CLEAR_EVERY_MS = 50;
const CLEAR_SIZE = 500;
const STOP_WITHIN_MS = 5_000;

export interface OutboxDeps<T extends WithPendingEvents> {
  collection: Collection<T>;
  bus: Pick<EventBus, 'publish' | 'publishedSince'>;
  /** The event with its body, made from the document as it was stored. */
  render: (doc: T, pending: PendingEvent) => BusEvent;
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  /** Milliseconds since the epoch. */
  now?: () => number;
}

export interface Outbox<T> {
  /** Call when `doc` is stored: publishes its events in order, at once. Never rejects: what fails stays in the document. */
  publish(doc: T): void;
  /** Starts the relay, which publishes what was left behind by a crash or while the bus was down. */
  start(): void;
  /** Waits a moment for what is under way; the rest is the next relay's. */
  stop(): Promise<void>;
}

/**
 * Events leave a document for the bus: at once by the process that stored it, else by the relay. An event is published at
 * least once; the bus drops repetitions by event id. Order is kept per account.
 */
export function createOutbox<T extends WithPendingEvents>(deps: OutboxDeps<T>): Outbox<T> {
  const { collection, bus, render, log, now = Date.now } = deps;
  /** Documents whose events this process is publishing, or has published and not yet cleared: not the relay's. */
  const held = new Map<string, Promise<boolean>>();
  let published: T[] = [];
  let clearTimer: NodeJS.Timeout | undefined;
  let sweepTimer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> = Promise.resolve();
  let stopped = false;
  let busIsDown = false;

  const ageOf = (doc: T) => now() - Date.parse(doc.pendingKey?.split('|')[0] ?? '');

  async function publishEvents(doc: T, skip?: ReadonlySet<string>): Promise<boolean> {
    const events = (doc.pendingEvents ?? []).filter(({ id }) => !skip?.has(id));
    try {
      await Promise.all(events.map((event) => bus.publish(render(doc, event))));
      if (busIsDown) log.info({ event: 'outbox.resumed' }, 'the bus takes events again');
      busIsDown = false;
      published.push(doc);
      if (published.length >= CLEAR_SIZE) void clear();
      else clearTimer ??= setTimeout(() => void clear(), CLEAR_EVERY_MS);
      return true;
    } catch (error) {
      if (!busIsDown)
        log.warn({ event: 'outbox.waiting', err: error }, 'the bus takes no events; they wait in the store');
      busIsDown = true;
      held.delete(doc._id);
      return false;
    }
  }

  /** Takes the published events out of their documents. What can't be cleared is published again, under the same id. */
  async function clear(): Promise<void> {
    clearTimeout(clearTimer);
    clearTimer = undefined;
    const docs = published;
    published = [];
    if (docs.length === 0) return;
    const operations = docs.map((doc) => ({
      filter: { _id: doc._id, pendingKey: doc.pendingKey ?? null },
      update: { $unset: { pendingEvents: true, pendingKey: true } as const },
    }));
    try {
      await collection.bulkUpdate(operations);
    } catch (error) {
      log.warn(
        { event: 'outbox.not_cleared', err: error, documents: docs.length },
        'published events stay marked as pending',
      );
    }
    for (const doc of docs) held.delete(doc._id);
  }

  async function sweep(): Promise<void> {
    for (;;) {
      const before = new Date(now() - ABANDONED_AFTER_MS).toISOString();
      const found = await collection.find(
        { pendingKey: { $exists: true, $lt: before } },
        { sort: ['pendingKey'], limit: SWEEP_SIZE },
      );
      const byAccount = new Map<string, T[]>();
      for (const doc of found) {
        if (!held.has(doc._id)) byAccount.set(doc.accountId, [...(byAccount.get(doc.accountId) ?? []), doc]);
      }
      const outcomes = await Promise.all([...byAccount.values()].map(relayAccount));
      await clear();
      if (stopped || found.length < SWEEP_SIZE || outcomes.includes(false)) return;
    }
  }

  async function relayAccount(docs: T[]): Promise<boolean> {
    const oldest = docs[0];
    if (!oldest) return true;
    let inLog: ReadonlySet<string> | undefined;
    if (ageOf(oldest) > ASK_LOG_AFTER_MS) {
      try {
        inLog = await bus.publishedSince(oldest.accountId, oldest.pendingEvents?.[0]?.timestamp ?? '');
      } catch {
        return false;
      }
    }
    for (const doc of docs) {
      if (!(await publishEvents(doc, inLog))) return false;
    }
    return true;
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
    }, SWEEP_EVERY_MS);
  }

  return {
    publish(doc) {
      // While the bus is down the relay alone tries, so that nothing new overtakes what has been waiting.
      if (busIsDown) return;
      held.set(doc._id, publishEvents(doc));
    },
    start: scheduleSweep,
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
