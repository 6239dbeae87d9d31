import type { JetStreamManager, StreamInfo } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { pause, waitAtMost } from '@svcforms/primitives';
import { EventBusError, type BusLog } from '../port/port.ts';
import type { LogBounds } from '../port/position.ts';
import { hostsOf } from './address.ts';
import {
  connectTo,
  inboxPrefix,
  RECONNECT_EVERY_MS,
  watchConnection,
  type ConnectOptions,
} from './connection.ts';
import { busErrorFrom, isForbidden } from './errors.ts';
import { createPendingRequests } from './requests.ts';
import { createSessions, type Session } from './session.ts';
import { createStreamLookup } from './stream-lookup.ts';
import { boundsOf, clockOffset, resizeStream, type StreamSize } from './stream.ts';

const CLOSE_WITHIN_MS = 5_000;

/** The connection, which reconnects forever, and the stream, which is recreated if it is absent. */
export interface Link {
  readonly nc: NatsConnection;
  /** See `inboxPrefix`. */
  readonly inboxPrefix: string;
  readonly jsm: JetStreamManager;
  /** See `clockOffset`; as of the start. */
  readonly clockOffsetMs: number;
  /** The current session, if any. */
  session(): Session | null;
  /** @throws EventBusError `UNAVAILABLE` without a current session. */
  needSession(): Session;
  /** The current session or the next one; `null` if `signal` aborts first. */
  nextSession(signal: AbortSignal): Promise<Session | null>;
  /**
   * Returns the result of `work`. Rejects as soon as the connection is lost; the client library
   * would wait for its timeout.
   */
  whileUp<T>(work: () => Promise<T>): Promise<T>;
  /** The range of sequences in the stream, as the server knows it. @throws EventBusError */
  bounds(): Promise<LogBounds>;
  /** Waits for the pending requests. */
  close(): Promise<void>;
}

export interface LinkOptions extends ConnectOptions, StreamSize {
  /** Whether an existing stream gets the size and the replicas of these options. Default: yes. */
  resize?: boolean;
  log: BusLog;
}

/**
 * Connects to a server, and creates the stream if it is absent.
 * @throws EventBusError `UNAVAILABLE` (no response), `DENIED`, `FULL` (no room for the stream),
 * `UNSUPPORTED`
 */
export async function openLink({
  maxBytes,
  replicas,
  resize = true,
  log,
  ...address
}: LinkOptions): Promise<Link> {
  const host = hostsOf(address.url);
  const size = { maxBytes, replicas };
  const { nc, jsm } = await connectTo(address);
  const requests = createPendingRequests();
  const sessions = createSessions();
  const findOrCreateStream = createStreamLookup(jsm, {
    size,
    existed: () => sessions.current() !== null,
  });
  let connected = true;
  let closing = false;
  let knownEpoch: string | undefined;
  const { unavailable, noteRefusal, takeEnding, forgetRefusals } = createRefusals(log, host);

  function loseConnection(): void {
    connected = false;
    sessions.end();
    requests.rejectAll(() => unavailable('the connection was lost'));
  }

  function whileUp<T>(work: () => Promise<T>): Promise<T> {
    if (closing) return Promise.reject(unavailable('the event bus is closed'));
    if (!connected) return Promise.reject(unavailable('there is no connection'));
    return requests.add(work());
  }

  async function streamInfo(): Promise<StreamInfo> {
    const info = await findOrCreateStream();
    const { epoch } = boundsOf(info);
    if (knownEpoch !== undefined && epoch !== knownEpoch) reportLostLog(log, host);
    knownEpoch = epoch;
    if (connected) sessions.start(epoch);
    return info;
  }

  /** After a reconnect: the server may still be loading its streams. */
  async function resume(): Promise<void> {
    for (let tries = 0; connected && !sessions.current(); tries += 1) {
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

  void watchConnection(nc, {
    onDisconnect() {
      // A server that refuses the credentials ends the connection again, at each attempt.
      const wasConnected = connected;
      loseConnection();
      const fields = { event: 'bus.lost', server: host, err: takeEnding() };
      if (wasConnected && !nc.isClosed()) log.warn(fields, 'lost the connection to NATS; reconnecting');
    },
    onReconnect() {
      // The client library reports one reconnect for each attempt that a server refused.
      if (connected) return;
      connected = true;
      forgetRefusals();
      void resume();
    },
    onRefusal: (error) => noteRefusal(error, connected),
    onClose: loseConnection,
  });

  let clockOffsetMs: number;
  try {
    const sentAt = performance.now();
    const info = await streamInfo();
    clockOffsetMs = clockOffset(info, sentAt);
    if (resize) {
      await resizeStream(jsm, info, size).catch((error: unknown) => acceptForbidden(error, { log, host }));
    }
  } catch (error) {
    await nc.close();
    throw busErrorFrom(error, `can't open the stream of the NATS server at ${host}`);
  }

  return {
    nc,
    inboxPrefix: inboxPrefix(address.name),
    jsm,
    clockOffsetMs,
    session: sessions.current,
    needSession() {
      const session = sessions.current();
      if (session) return session;
      throw unavailable('there is no connection');
    },
    nextSession: sessions.next,
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
        const drained = requests.ended().then(() => nc.drain());
        await waitAtMost(drained, CLOSE_WITHIN_MS).catch(() => {});
      }
      loseConnection();
      await nc.close();
    },
  };
}

/** Deliveries go on with the new stream, so nothing else shows that events are missing. */
function reportLostLog(log: BusLog, host: string): void {
  const line =
    'NATS has lost the event log, and a new one is in use: events that nobody had read are missing until the admin command publishes them again (events republish); see "NATS has lost its data" in docs/operations.md';
  log.error({ event: 'bus.log_lost', server: host }, line);
}

/**
 * The permissions of most services don't include changes of the stream: another process applies the
 * same settings.
 */
function acceptForbidden(error: unknown, { log, host }: { log: BusLog; host: string }): void {
  if (!isForbidden(error)) throw error;
  const fields = { event: 'bus.resize_forbidden', server: host };
  log.info(fields, 'the NATS user may not change the stream; the dispatcher applies its settings');
}

/**
 * Why the servers have refused this process since the connection was lost. Logs each reason once.
 */
function createRefusals(log: BusLog, host: string) {
  /**
   * The last one is the latest: the servers of a list may refuse for different reasons, in turn.
   */
  const reasons = new Set<string>();

  /** What a server said before it ended the connection. */
  let ending: Error | undefined;

  function noteRefusal(error: Error, isConnected: boolean): void {
    // The end of a connection may be ordinary: its token has expired, or the machine was asleep.
    if (isConnected) ending = error;
    else logNew(error);
  }

  function logNew(error: Error): void {
    const isNew = !reasons.delete(error.message);
    reasons.add(error.message);
    if (!isNew) return;
    const fields = { event: 'bus.refused', server: host, err: error };
    log.error(fields, 'NATS refuses the connection of this process; retrying');
  }

  /** An error that names the latest reason, if there is one. */
  function unavailable(why: string): EventBusError {
    const said = [why, ...[...reasons].slice(-1)].join(': ');
    return new EventBusError('UNAVAILABLE', `${said} (NATS at ${host})`);
  }

  function takeEnding(): Error | undefined {
    const error = ending;
    ending = undefined;
    return error;
  }

  return { unavailable, noteRefusal, takeEnding, forgetRefusals: () => reasons.clear() };
}
