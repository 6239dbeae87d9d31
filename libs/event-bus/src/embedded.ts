import type { BusEvent } from '@svcforms/contracts';
import { startConsumer } from './embedded/consume.ts';
import { createDurables } from './embedded/durables.ts';
import { openLog } from './embedded/log.ts';
import type { LogDatabase } from './embedded/tables.ts';
import { tailLog } from './embedded/tail.ts';
import {
  EventBusError,
  SILENT,
  type BroadcastListener,
  type BusLog,
  type Consumption,
  type EventBus,
} from './port/port.ts';
import { formatPosition } from './port/position.ts';
import { createSignal } from './port/signal.ts';

export interface EmbeddedBus extends EventBus {
  /**
   * Publishes events in a write of the caller to the same database: call `write` in each run of that write, and `committed`
   * when it is durable. The write is stored with all events or not at all.
   * @throws EventBusError `UNAVAILABLE` if the bus is closed
   */
  join(events: readonly BusEvent[]): { write(): void; committed(): void };
}

/**
 * The event bus in one process: a table in the database of the document store. Publishers wake consumers through this object,
 * so all of them must use the same one. `ackWaitMs` has no effect: the next process gets the unacknowledged messages.
 * @throws the error of the database if it can't create the tables
 */
export function createEmbeddedBus(
  database: LogDatabase,
  { log: report = SILENT }: { log?: BusLog } = {},
): EmbeddedBus {
  const log = openLog(database);
  const durables = createDurables(log, report);
  const available = createSignal();
  const closing = new AbortController();
  const consumptions = new Set<Consumption>();
  const listeners = new Set<BroadcastListener>();

  function assertOpen(): void {
    if (closing.signal.aborted) throw new EventBusError('UNAVAILABLE', 'the event bus is closed');
  }

  async function attempt<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      assertOpen();
      return await work();
    } catch (error) {
      throw busErrorFrom(error);
    }
  }

  return {
    publish: (event) =>
      attempt(async () => {
        const position = await log.append(event);
        available.send();
        return position;
      }),
    join(events) {
      assertOpen();
      const { write, committed } = log.join(events);
      return {
        write,
        committed() {
          committed();
          available.send();
        },
      };
    },
    consume: (name, { batch }, handler) =>
      attempt(async () => {
        const durable = await durables.get(name);
        assertOpen();
        const deps = { durable, available, onAcknowledged: () => durables.changed(), report };
        const running = startConsumer(deps, { name, batch, handler });
        const consumption: Consumption = {
          async stop() {
            await running.stop();
            consumptions.delete(consumption);
          },
        };
        consumptions.add(consumption);
        return consumption;
      }),
    async *tail({ after, signal }) {
      assertOpen();
      const until = AbortSignal.any([signal, closing.signal]);
      try {
        yield* tailLog(log, { after, signal: until, available });
      } catch (error) {
        throw busErrorFrom(error);
      }
    },
    publishedSince: (accountId, since) => attempt(() => log.idsSince(accountId, Date.parse(since))),
    position: () =>
      attempt(() => {
        const { epoch, last } = log.bounds();
        return formatPosition(epoch, last);
      }),
    lag: (name) =>
      attempt(() => {
        const { first, last } = log.bounds();
        return last - (durables.acknowledged(name) ?? first - 1);
      }),
    oldest: () =>
      attempt(() => {
        const { epoch, first } = log.bounds();
        return formatPosition(epoch, first - 1);
      }),
    unread: () =>
      attempt(async () => {
        await durables.save();
        const { epoch, first } = log.bounds();
        return formatPosition(epoch, Math.max(log.acknowledgedByAll(), first - 1));
      }),
    trim: (limits) =>
      attempt(async () => {
        await durables.save();
        await log.trim(limits);
      }),
    erase: (accountId, which) => attempt(() => log.erase(accountId, which)),
    broadcast: (message) =>
      attempt(() => {
        for (const listener of listeners) listener.onMessage(message);
      }),
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    ping: () => attempt(() => void log.bounds()),
    async close() {
      closing.abort();
      listeners.clear();
      await Promise.all([...consumptions].map((consumption) => consumption.stop()));
      await durables.save();
    },
  };
}

/** Converts an error of the database to one of the port. */
function busErrorFrom(error: unknown): EventBusError {
  if (error instanceof EventBusError) return error;
  const isFull = error instanceof Error && 'code' in error && error.code === 'DISK_FULL';
  const reason = error instanceof Error ? error.message : String(error);
  return new EventBusError(isFull ? 'FULL' : 'UNAVAILABLE', reason, { cause: error });
}
