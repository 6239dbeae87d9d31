import { Client, type buildConnector } from 'undici';
import type { Dial } from './dial.ts';
import { Failure } from './failure.ts';
import type { Target } from './judge-url.ts';

/** One connection to one origin, in the hands of one exchange at a time. */
export interface Lane {
  readonly client: Client;
  readonly origin: string;
  readonly openedAt: number;
  /** How long the exchange that has the lane waits for a connection, milliseconds. */
  connectTimeoutMs: number;
  /** For whom the exchange that has the lane looks the name up. */
  accountId: string | undefined;
  /** Ends the dialling that goes on now. */
  dialing: AbortController | null;
}

type LaneUse = Pick<Lane, 'connectTimeoutMs' | 'accountId'>;

/** Idle connections are closed after this, unless the server announced less. Many servers close theirs after 5 s. */
const IDLE_MS = 4000;
const MAX_ANNOUNCED_IDLE_MS = 60_000;
/** A busy connection isn't kept for ever, so that a name that has moved is followed. */
const MAX_AGE_MS = 60_000;

/**
 * Connections that are kept alive between exchanges. Why not undici's Agent: a lane belongs to one exchange, also while
 * it dials, so that giving up ends the dialling at once, and how long it may take is up to the exchange.
 */
export class ConnectionPool {
  readonly #dial: Dial;
  readonly #lanes = new Set<Lane>();
  /** By origin; the one used last is the last. */
  readonly #idle = new Map<string, Lane[]>();

  constructor(dial: Dial) {
    this.#dial = dial;
  }

  /** An idle connection to the target's origin, or a new one, which dials when it is first used. */
  take(target: Target, use: LaneUse): Lane {
    const { origin } = target.url;
    for (let lane = this.#popIdle(origin); lane; lane = this.#popIdle(origin)) {
      if (performance.now() - lane.openedAt < MAX_AGE_MS) {
        return Object.assign(lane, use);
      }
      this.drop(lane);
    }
    return this.#open(target, use);
  }

  giveBack(lane: Lane): void {
    const idle = this.#idle.get(lane.origin);
    if (idle) idle.push(lane);
    else this.#idle.set(lane.origin, [lane]);
  }

  /** Closes the connection or stops dialling; an exchange that goes on ends with `reason`. */
  drop(lane: Lane, reason: Error = new Failure('reset', 'given up')): void {
    this.#forget(lane);
    lane.dialing?.abort(reason);
    void lane.client.destroy(reason);
  }

  close(reason: Error): void {
    for (const lane of this.#lanes) this.drop(lane, reason);
  }

  #popIdle(origin: string): Lane | undefined {
    return this.#idle.get(origin)?.pop();
  }

  #open(target: Target, use: LaneUse): Lane {
    const client = new Client(target.url.origin, {
      connect: (_options, done) => void this.#connect(lane, target, done),
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: MAX_ANNOUNCED_IDLE_MS,
      // The exchange has one deadline for everything.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const lane: Lane = {
      client,
      origin: target.url.origin,
      openedAt: performance.now(),
      ...use,
      dialing: null,
    };
    client.on('disconnect', () => {
      if (this.#idle.get(lane.origin)?.includes(lane)) this.#forget(lane);
    });
    this.#lanes.add(lane);
    return lane;
  }

  async #connect(lane: Lane, target: Target, done: buildConnector.Callback): Promise<void> {
    const dialing = new AbortController();
    const ms = lane.connectTimeoutMs;
    const timer = setTimeout(
      () => dialing.abort(new Failure('timeout', `no connection within ${ms} ms`)),
      ms,
    );
    lane.dialing = dialing;
    try {
      const { signal } = dialing;
      const socket = await this.#dial(target, { signal, accountId: lane.accountId });
      done(null, socket);
    } catch (error) {
      done(error as Error, null);
    } finally {
      clearTimeout(timer);
      lane.dialing = null;
    }
  }

  #forget(lane: Lane): void {
    this.#lanes.delete(lane);
    const others = this.#idle.get(lane.origin)?.filter((each) => each !== lane) ?? [];
    if (others.length > 0) this.#idle.set(lane.origin, others);
    else this.#idle.delete(lane.origin);
  }
}
