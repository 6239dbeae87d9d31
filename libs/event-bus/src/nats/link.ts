import { jetstreamManager, type JetStreamManager, type StreamInfo } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { pause, waitAtMost } from '@svcforms/primitives';
import { EventBusError, type BusLog } from '../port/port.ts';
import type { LogBounds } from '../port/position.ts';
import { createSignal } from '../port/signal.ts';
import { addressOptions } from './address.ts';
import { busErrorFrom } from './errors.ts';
import { boundsOf, createStream, findStream, resizeStream } from './stream.ts';

/** The timeout of a request, and so the longest that a publish takes in an outage. */
export const REQUEST_TIMEOUT_MS = 5_000;
const RECONNECT_EVERY_MS = 500;
/** A connection counts as lost after two of these without a response. */
const PING_EVERY_MS = 10_000;
const CLOSE_WITHIN_MS = 5_000;
/**
 * A server reports a stream as deleted before it has removed the files. A stream of the same name that is created right away
 * can have the old messages, or lose its own files (seen with 2.15).
 */
const REMOVAL_PAUSE_MS = 1_000;

/** A period in which the connection is up and the stream stays the same. */
export interface Session {
  epoch: string;
  /** Aborted when the session is over. */
  lost: AbortSignal;
}

/** The connection, which reconnects forever, and the stream, which is recreated if it is absent. */
export interface Link {
  readonly nc: NatsConnection;
  readonly jsm: JetStreamManager;
  /** The current session, if any. */
  session(): Session | null;
  /** @throws EventBusError `UNAVAILABLE` without a current session. */
  needSession(): Session;
  /** The current session or the next one; `null` if `signal` aborts first. */
  nextSession(signal: AbortSignal): Promise<Session | null>;
  /** Returns the result of `work`. Rejects as soon as the connection is lost; the client library would wait for its timeout. */
  whileUp<T>(work: () => Promise<T>): Promise<T>;
  /** The range of sequences in the stream, as the server knows it. @throws EventBusError */
  bounds(): Promise<LogBounds>;
  /** Waits for the pending requests. */
  close(): Promise<void>;
}

interface LinkOptions {
  url: string;
  name: string;
  maxBytes?: number;
  log: BusLog;
}

/** @throws EventBusError `UNAVAILABLE` (no response), `FULL` (no room for the stream) */
export async function openLink({ url, name, maxBytes, log }: LinkOptions): Promise<Link> {
  const { host } = new URL(url);
  const nc = await connect({
    ...addressOptions(url),
    name,
    timeout: REQUEST_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_EVERY_MS,
    // A server that is being set up may refuse the credentials for a while, which must not end the connection forever.
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
  let creating: Promise<StreamInfo> | undefined;
  const sessionStarted = createSignal();
  /** Pending requests, and the functions that reject them before the client library does. */
  const requests = new Map<Promise<unknown>, (reason: EventBusError) => void>();

  function endSession(): void {
    current?.end.abort();
    current = undefined;
  }

  function loseConnection(): void {
    connected = false;
    endSession();
    for (const reject of requests.values()) reject(unavailable('the connection was lost'));
    requests.clear();
  }

  function unavailable(why: string): EventBusError {
    return new EventBusError('UNAVAILABLE', `${why} (NATS at ${host})`);
  }

  function whileUp<T>(work: () => Promise<T>): Promise<T> {
    if (closing) return Promise.reject(unavailable('the event bus is closed'));
    if (!connected) return Promise.reject(unavailable('there is no connection'));
    const running = work();
    return new Promise((resolve, reject) => {
      requests.set(running, reject);
      void running.then(resolve, reject).then(() => requests.delete(running));
    });
  }

  async function recreateStream(): Promise<StreamInfo> {
    if (current) await pause(REMOVAL_PAUSE_MS);
    return createStream(jsm, maxBytes);
  }

  async function streamInfo(): Promise<StreamInfo> {
    let info = await findStream(jsm);
    if (!info) {
      // Concurrent callers share one creation.
      creating ??= recreateStream().finally(() => (creating = undefined));
      info = await creating;
    }
    const { epoch } = boundsOf(info);
    if (connected && current?.session.epoch !== epoch) {
      endSession();
      const end = new AbortController();
      current = { session: { epoch, lost: end.signal }, end };
      sessionStarted.send();
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
        if (tries === 0) log.warn(fields, 'NATS is back, but its stream is not available yet; retrying');
        await pause(RECONNECT_EVERY_MS);
      }
    }
  }

  async function watchConnection(): Promise<void> {
    for await (const status of nc.status()) {
      if (status.type === 'disconnect') {
        loseConnection();
        if (!nc.isClosed())
          log.warn({ event: 'bus.lost', server: host }, 'lost the connection to NATS; reconnecting');
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
    throw busErrorFrom(error, `can't open the stream of the NATS server at ${host}`);
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
      while (!current && !signal.aborted) await sessionStarted.next(signal);
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
        const drained = Promise.allSettled(requests.keys()).then(() => nc.drain());
        await waitAtMost(drained, CLOSE_WITHIN_MS).catch(() => {});
      }
      loseConnection();
      await nc.close();
    },
  };
}
