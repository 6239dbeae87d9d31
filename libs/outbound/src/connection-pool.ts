import { Client, type buildConnector } from 'undici';
import type { Dial } from './dial.ts';
import { Failure } from './failure.ts';
import type { Target } from './check-url.ts';

/** A connection to one origin that one request at a time uses. */
export interface PooledConnection {
  readonly client: Client;
  readonly origin: string;
  readonly openedAt: number;
  /** How long the current request waits for the connection to open. */
  connectTimeoutMs: number;
  /** The account of the current request, for the name lookup. */
  accountId: string | undefined;
  /** Aborts the current attempt to connect. */
  dialing: AbortController | null;
}

type ConnectionUse = Pick<PooledConnection, 'connectTimeoutMs' | 'accountId'>;

/**
 * Idle connections are closed after this, unless the server announced a time. Some servers close
 * theirs after 2 s, and a request that is on its way by then would be lost.
 */
const IDLE_MS = 1800;
const MAX_ANNOUNCED_IDLE_MS = 60_000;
/** Connections are replaced after this time, so that changes of DNS records take effect. */
const MAX_AGE_MS = 60_000;

/**
 * Keeps connections alive between requests. Unlike in undici's Agent, a connection belongs to one
 * request from the start, so the request's own timeout and signal also apply to dialing.
 */
export class ConnectionPool {
  readonly #dial: Dial;
  readonly #connections = new Set<PooledConnection>();
  /** By origin, in the order of their last use. */
  readonly #idle = new Map<string, PooledConnection[]>();

  constructor(dial: Dial) {
    this.#dial = dial;
  }

  /**
   * Returns an idle connection to the target's origin, or a new one, which dials at its first
   * request.
   */
  acquire(target: Target, use: ConnectionUse): PooledConnection {
    const { origin } = target.url;
    for (let connection = this.#popIdle(origin); connection; connection = this.#popIdle(origin)) {
      if (performance.now() - connection.openedAt < MAX_AGE_MS) {
        return Object.assign(connection, use);
      }
      this.discard(connection);
    }
    return this.#open(target, use);
  }

  /** Keeps the connection for another request, unless the server has closed it. */
  release(connection: PooledConnection): void {
    if (!connection.client.stats.connected) return this.discard(connection);
    const idle = this.#idle.get(connection.origin);
    if (idle) idle.push(connection);
    else this.#idle.set(connection.origin, [connection]);
  }

  /** Closes the connection or stops dialing; the current request fails with `reason`. */
  discard(
    connection: PooledConnection,
    reason: Error = new Failure('reset', 'the connection was discarded'),
  ): void {
    this.#forget(connection);
    connection.dialing?.abort(reason);
    void connection.client.destroy(reason);
  }

  close(reason: Error): void {
    for (const connection of this.#connections) this.discard(connection, reason);
  }

  #popIdle(origin: string): PooledConnection | undefined {
    return this.#idle.get(origin)?.pop();
  }

  #open(target: Target, use: ConnectionUse): PooledConnection {
    const client = new Client(target.url.origin, {
      connect: (_options, done) => void this.#connect(connection, target, done),
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: MAX_ANNOUNCED_IDLE_MS,
      // The request has one timeout for everything.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const connection: PooledConnection = {
      client,
      origin: target.url.origin,
      openedAt: performance.now(),
      ...use,
      dialing: null,
    };
    client.on('disconnect', () => {
      if (this.#idle.get(connection.origin)?.includes(connection)) this.#forget(connection);
    });
    this.#connections.add(connection);
    return connection;
  }

  async #connect(connection: PooledConnection, target: Target, done: buildConnector.Callback): Promise<void> {
    const dialing = new AbortController();
    const ms = connection.connectTimeoutMs;
    const timer = setTimeout(
      () => dialing.abort(new Failure('timeout', `no connection within ${ms} ms`)),
      ms,
    );
    connection.dialing = dialing;
    try {
      const { signal } = dialing;
      const socket = await this.#dial(target, { signal, accountId: connection.accountId });
      done(null, socket);
    } catch (error) {
      done(error as Error, null);
    } finally {
      clearTimeout(timer);
      connection.dialing = null;
    }
  }

  #forget(connection: PooledConnection): void {
    this.#connections.delete(connection);
    const others = this.#idle.get(connection.origin)?.filter((each) => each !== connection) ?? [];
    if (others.length > 0) this.#idle.set(connection.origin, others);
    else this.#idle.delete(connection.origin);
  }
}
