import { jetstreamManager, type JetStreamManager, type StreamInfo } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { BusLog } from '../bus-log.ts';
import { EventBusError } from '../port.ts';
import type { LogBounds } from '../position.ts';
import { atMost, createBell, pause } from '../timing.ts';
import { addressOptions } from './address.ts';
import { busErrorFrom } from './errors.ts';
import { boundsOf, findStream, makeStream, resizeStream } from './stream.ts';

/** How long the server may take to answer a request; also the longest that a publish hangs in an outage. */
export const REQUEST_TIMEOUT_MS = 5_000;
const RECONNECT_EVERY_MS = 500;
/** A connection that died without a word is given up after two of these. */
const PING_EVERY_MS = 10_000;
const CLOSE_WITHIN_MS = 5_000;
/**
 * A server answers that a stream is deleted before its files are gone: a stream of the same name made right then was seen
 * with the old messages in it, or lost its own files (2.15).
 */
const REMOVAL_PAUSE_MS = 1_000;

/** A time during which the connection holds and the stream is the same one. */
export interface Session {
  epoch: string;
  /** Aborted when the session is over. */
  lost: AbortSignal;
}

/** The connection, which reconnects for ever, and the stream, which is made anew where it is absent. */
export interface Link {
  readonly nc: NatsConnection;
  readonly jsm: JetStreamManager;
  /** The running one, if any. */
  session(): Session | null;
  /** @throws EventBusError `UNAVAILABLE` when there is none now. */
  needSession(): Session;
  /** The running session or the next one; `null` when there is none and `signal` aborts. */
  nextSession(signal: AbortSignal): Promise<Session | null>;
  /** Settles as `work` does, or rejects as soon as the connection is lost, which the client library would wait out. */
  whileUp<T>(work: () => Promise<T>): Promise<T>;
  /** Asks the server what the stream holds. @throws EventBusError */
  bounds(): Promise<LogBounds>;
  /** Waits for the requests that are under way. */
  close(): Promise<void>;
}

export interface LinkOptions {
  url: string;
  name: string;
  maxBytes?: number;
  log: BusLog;
}

/** @throws EventBusError `UNAVAILABLE` (nothing answers), `FULL` (no room for the stream) */
export async function openLink({ url, name, maxBytes, log }: LinkOptions): Promise<Link> {
  const { host } = new URL(url);
  const nc = await connect({
    ...addressOptions(url),
    name,
    timeout: REQUEST_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_EVERY_MS,
    // Credentials that are refused for a while (a server being set up) must not end the connection for good.
    ignoreAuthErrorAbort: true,
    pingInterval: PING_EVERY_MS,
    noAsyncTraces: true,
  }).catch((error: unknown) => {
    throw busErrorFrom(error, `can't connect to NATS at ${host}`);
  });
  const jsm = await jetstreamManager(nc, { checkAPI: false, timeout: REQUEST_TIMEOUT_MS });

  let connected = true;
  let closing = false;
  let current: { session: Session; end: AbortController } | undefined;
  let making: Promise<StreamInfo> | undefined;
  const begun = createBell();
  /** Requests, and how to end them before the client library does. */
  const underWay = new Map<Promise<unknown>, (reason: EventBusError) => void>();

  function endSession(): void {
    current?.end.abort();
    current = undefined;
  }

  function loseConnection(): void {
    connected = false;
    endSession();
    for (const reject of underWay.values()) reject(unavailable('the connection was lost'));
    underWay.clear();
  }

  function unavailable(why: string): EventBusError {
    return new EventBusError('UNAVAILABLE', `${why} (NATS at ${host})`);
  }

  function whileUp<T>(work: () => Promise<T>): Promise<T> {
    if (closing) return Promise.reject(unavailable('the event bus is closed'));
    if (!connected) return Promise.reject(unavailable('there is no connection'));
    const running = work();
    return new Promise((resolve, reject) => {
      underWay.set(running, reject);
      void running.then(resolve, reject).then(() => underWay.delete(running));
    });
  }

  async function makeStreamAnew(): Promise<StreamInfo> {
    if (current) await pause(REMOVAL_PAUSE_MS);
    return makeStream(jsm, maxBytes);
  }

  async function streamInfo(): Promise<StreamInfo> {
    let info = await findStream(jsm);
    if (!info) {
      // Many may find it gone at once.
      making ??= makeStreamAnew().finally(() => (making = undefined));
      info = await making;
    }
    const { epoch } = boundsOf(info);
    if (connected && current?.session.epoch !== epoch) {
      endSession();
      const end = new AbortController();
      current = { session: { epoch, lost: end.signal }, end };
      begun.ring();
    }
    return info;
  }

  /** After a reconnect: the server may still be loading its streams. */
  async function resume(): Promise<void> {
    for (let tries = 0; connected && !current; tries += 1) {
      try {
        await whileUp(streamInfo);
        log.info({ event: 'bus.resumed', server: host }, 'the event bus is back');
      } catch (error) {
        const fields = { event: 'bus.waiting', server: host, err: error };
        if (tries === 0) log.warn(fields, 'NATS is back, its stream is not yet');
        await pause(RECONNECT_EVERY_MS);
      }
    }
  }

  async function watchConnection(): Promise<void> {
    for await (const status of nc.status()) {
      if (status.type === 'disconnect') {
        loseConnection();
        if (!nc.isClosed()) log.warn({ event: 'bus.lost', server: host }, 'the event bus is not reachable');
      } else if (status.type === 'reconnect') {
        connected = true;
        void resume();
      }
    }
    loseConnection();
  }
  void watchConnection();

  try {
    const info = await streamInfo();
    if (maxBytes !== undefined) await resizeStream(jsm, info, maxBytes);
  } catch (error) {
    await nc.close();
    throw busErrorFrom(error, `the stream of the NATS server at ${host} can't be had`);
  }

  function needSession(): Session {
    if (current) return current.session;
    throw unavailable('there is no connection');
  }

  return {
    nc,
    jsm,
    session: () => current?.session ?? null,
    needSession,
    async nextSession(signal) {
      while (!current && !signal.aborted) await begun.next(signal);
      return current?.session ?? null;
    },
    whileUp,
    async bounds() {
      try {
        return boundsOf(await whileUp(streamInfo));
      } catch (error) {
        throw busErrorFrom(error, `NATS at ${host}`);
      }
    },
    async close() {
      closing = true;
      if (connected) {
        await atMost(
          CLOSE_WITHIN_MS,
          Promise.allSettled(underWay.keys()).then(() => nc.drain()),
        );
      }
      loseConnection();
      await nc.close();
    },
  };
}
