import { pause, waitAtMost } from '@svcforms/primitives';
import {
  EventBusError,
  type BroadcastListener,
  type BusLog,
  type Consumption,
  type EventBus,
  type SharedValues,
} from '../port/port.ts';

/** The longest that opening waits for a server, so that a process can start while none responds. */
const WAIT_MS = 5_000;
const RETRY_MS = 500;

/**
 * Opens a bus with `connect`. If no server responds within 5 s, returns a bus that connects in the
 * background: until then, consumers wait, and every other call rejects as `UNAVAILABLE`, as in an
 * outage.
 * @throws EventBusError if a server responds and refuses: `DENIED`, `FULL`, `UNSUPPORTED`
 */
export async function openLateBus(connect: () => Promise<EventBus>, log: BusLog): Promise<EventBus> {
  const first = connect();
  let latest: EventBusError;
  try {
    if (await waitAtMost(first, WAIT_MS)) return await first;
    latest = new EventBusError('UNAVAILABLE', `NATS doesn't respond within ${WAIT_MS} ms`);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    latest = error;
  }
  log.warn({ event: 'bus.absent', err: latest }, 'the event bus is not available; starting without it');

  let bus: EventBus | undefined;
  /** The listeners from before the connection, and how each ends once it listens. */
  const listeners = new Map<BroadcastListener, (() => void) | undefined>();
  const closing = new AbortController();
  const logged = new Set([latest.message]);

  function note(error: unknown): void {
    latest = error as EventBusError;
    // The servers of a list may fail for different reasons, in turn.
    if (logged.has(latest.message)) return;
    logged.add(latest.message);
    const fields = { event: 'bus.absent', err: latest };
    if (isUnavailable(latest)) log.warn(fields, 'the event bus is still not available; retrying');
    else log.error(fields, 'the event bus refuses this process; retrying');
  }

  async function connectInBackground(): Promise<void> {
    for (let attempt = first; ; attempt = connect()) {
      try {
        const connected = await attempt;
        if (closing.signal.aborted) return await connected.close();
        for (const listener of listeners.keys()) {
          listeners.set(listener, connected.listen(listener));
          // Broadcasts of other processes before the connection are lost.
          listener.onGap();
        }
        bus = connected;
        log.info({ event: 'bus.resumed' }, 'the event bus is available');
        return;
      } catch (error) {
        note(error);
        await pause(RETRY_MS, closing.signal);
      }
      if (closing.signal.aborted) return;
    }
  }

  /** @throws EventBusError `UNAVAILABLE` */
  function opened(): EventBus {
    if (bus) return bus;
    throw new EventBusError('UNAVAILABLE', latest.message, { cause: latest });
  }

  /** @throws EventBusError `UNAVAILABLE` */
  function sharedValues(): SharedValues {
    const values = opened().sharedValues;
    if (!values) throw new EventBusError('UNAVAILABLE', 'this event bus has no shared values');
    return values;
  }

  void connectInBackground();
  return {
    publish: async (event) => opened().publish(event),
    publishTogether: async (events) => opened().publishTogether(events),
    async consume(durable, options, handler) {
      if (bus) return bus.consume(durable, options, handler);
      const stop = new AbortController();
      const stopping = AbortSignal.any([stop.signal, closing.signal]);
      const beginning = beginLater(() => opened().consume(durable, options, handler), stopping);
      return {
        async stop() {
          stop.abort();
          await (await beginning)?.stop();
        },
      };
    },
    async *tail(options) {
      yield* opened().tail(options);
    },
    publishedSince: async (accountId, since) => opened().publishedSince(accountId, since),
    position: async () => opened().position(),
    hasEventAfter: async (position) => opened().hasEventAfter(position),
    lag: async (durable) => opened().lag(durable),
    oldest: async () => opened().oldest(),
    unread: async () => opened().unread(),
    trim: async (limits) => opened().trim(limits),
    erase: async (accountId, which) => opened().erase(accountId, which),
    broadcast: async (message) => opened().broadcast(message),
    listen(listener) {
      if (bus) return bus.listen(listener);
      listeners.set(listener, undefined);
      return () => {
        listeners.get(listener)?.();
        listeners.delete(listener);
      };
    },
    serverTime: async () => opened().serverTime(),
    sharedValues: {
      read: async (key) => sharedValues().read(key),
      replace: async (key, text, options) => sharedValues().replace(key, text, options),
      now: () => bus?.sharedValues?.now() ?? Date.now(),
    },
    ping: async () => opened().ping(),
    async close() {
      closing.abort();
      await bus?.close();
    },
  };
}

/** Repeats `begin` until it succeeds; `undefined` if `stopping` aborts first. */
async function beginLater(
  begin: () => Promise<Consumption>,
  stopping: AbortSignal,
): Promise<Consumption | undefined> {
  while (!stopping.aborted) {
    try {
      return await begin();
    } catch {
      // The connection in the background logs why.
      await pause(RETRY_MS, stopping);
    }
  }
  return undefined;
}

function isUnavailable(error: unknown): error is EventBusError {
  return error instanceof EventBusError && error.code === 'UNAVAILABLE';
}
