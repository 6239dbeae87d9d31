import type { BusEvent } from '@svcforms/contracts';
import type { JoinOptions } from './embedded/append.ts';
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
  type Position,
} from './port/port.ts';
import { formatPosition, sequenceOf, type LogBounds } from './port/position.ts';
import { createSignal } from './port/signal.ts';

export interface EmbeddedBus extends EventBus {
  /**
   * Publishes events in a write of the caller to the same database: call `write` in each run of
   * that write, and `committed` when it is durable. The write is stored with all events or not at
   * all.
   *
   * `withoutBody` selects events whose body the log doesn't store, because the write stores a
   * document from which consumers build it. Readers get the body while the message is in memory,
   * and `null` when they read it from the table.
   * @throws EventBusError `UNAVAILABLE` if the bus is closed
   */
  join(events: readonly BusEvent[], options?: JoinOptions): { write(): void; committed(): void };
}

/**
 * The event bus in one process: a table in the database of the document store. Publishers wake
 * consumers through this object, so all of them must use the same one. `ackWaitMs` has no effect:
 * the next process gets the unacknowledged messages. `shared`: the process that runs the product
 * appends, and this one reads what it has appended, but isn't woken by it.
 * @throws the error of the database if it can't create the tables
 */
export function createEmbeddedBus(
  database: LogDatabase,
  { log: report = SILENT, shared = false }: { log?: BusLog; shared?: boolean } = {},
): EmbeddedBus {
  const log = openLog(database, { shared });
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
    join(events, options) {
      assertOpen();
      const { write, committed } = log.join(events, options);
      return {
        write,
        committed() {
          committed();
          available.send();
        },
      };
    },
    publishTogether: (events) =>
      attempt(async () => {
        if (events.length === 0) return;
        const { write, committed } = log.join(events);
        await database.write(write);
        committed();
        available.send();
      }),
    consume: (name, { batch, only, untilReady }, handler) =>
      attempt(async () => {
        const durable = await durables.get(name);
        assertOpen();
        const deps = { durable, available, onAcknowledged: () => durables.changed(), report };
        const running = startConsumer(deps, {
          name,
          batch,
          ...(only && { only }),
          ...(untilReady && { untilReady }),
          handler,
        });
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
    position: () => attempt(() => newestIn(log.bounds())),
    hasEventAfter: (position) => attempt(() => log.hasEventAfter(sequenceOf(position))),
    lag: (name) =>
      attempt(() => {
        const { first, last } = log.bounds();
        return last - (durables.acknowledged(name) ?? first - 1);
      }),
    oldest: () => attempt(() => startOf(log.bounds())),
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
    serverTime: () => attempt(() => null),
    sharedValues: null,
    ping: () => attempt(() => log.check()),
    async close() {
      closing.abort();
      listeners.clear();
      await Promise.all([...consumptions].map((consumption) => consumption.stop()));
      await durables.save();
    },
  };
}

const newestIn = ({ epoch, last }: LogBounds): Position => formatPosition(epoch, last);
const startOf = ({ epoch, first }: LogBounds): Position => formatPosition(epoch, first - 1);

/** Converts an error of the database to one of the port. */
function busErrorFrom(error: unknown): EventBusError {
  if (error instanceof EventBusError) return error;
  const isFull = error instanceof Error && 'code' in error && error.code === 'DISK_FULL';
  const reason = error instanceof Error ? error.message : String(error);
  return new EventBusError(isFull ? 'FULL' : 'UNAVAILABLE', reason, { cause: error });
}
