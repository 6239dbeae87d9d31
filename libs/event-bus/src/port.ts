import type { BusEvent } from '@svcforms/contracts';

/**
 * The event-bus port: a durable, ordered log of events with shared consumers. Two adapters speak it, `embedded`
 * (a table in the embedded database) and `nats` (JetStream); `conformance` is the description of what both must do.
 */

/** A place in the log: `<epoch>-<sequence>`. The epoch changes when the log was made anew; 0 is before the first message. */
export type Position = string;

export interface BusMessage {
  event: BusEvent;
  position: Position;
}

/** A message as a consumer gets it. */
export interface HandedMessage extends BusMessage {
  /** This durable name has surely not handed it out before, to nobody; `false` where that isn't known. */
  isNew: boolean;
}

/**
 * What a handler may resolve with when it can take the next batch, but has something of this one still to make durable: the
 * batch is acknowledged when `settled` resolves, and handed out again when it rejects.
 */
export interface Unsettled {
  settled: Promise<void>;
}

export interface ConsumeOptions {
  /** At most this many messages a call of the handler. */
  batch: number;
  /**
   * A message whose handler's process died is handed out again after this many milliseconds, where there is another
   * process; the embedded bus hands it out again when it is next opened.
   */
  ackWaitMs: number;
}

export interface Consumption {
  /** Takes no more messages, waits for the running handler and for what is unsettled, and lets go. */
  stop(): Promise<void>;
}

/**
 * Which events to erase: those with these ids, none of which was published before `since` (ISO 8601; clocks may differ by a
 * minute); those of these forms; or all of the account.
 */
export type ErasedEvents = { ids: readonly string[]; since: string } | { formIds: readonly string[] } | 'all';

/** @throws EventBusError from every method; match by `code`. */
export interface EventBus {
  /**
   * Appends the event. Resolves when it is durable (there after a restart of the engine). The same event id again
   * within the de-duplication window (2 minutes) is accepted and not appended twice.
   * @throws EventBusError `UNAVAILABLE` (not reachable; it may or may not have been stored), `FULL` (refused).
   */
  publish(event: BusEvent): Promise<Position>;
  /**
   * Hands the log to `handler` in batches, from where this durable name left off (a new name: from the beginning
   * of the log). All consumers of one durable name share the messages. A batch is acknowledged when the handler
   * resolves (see {@link Unsettled}); when it rejects, the batch is handed out again after a pause. A running handler may
   * take as long as it needs: its messages stay its own while the process lives. One batch at a time, gathered from what has
   * come meanwhile, so a quiet bus hands out single events at once; some dozens may be unsettled.
   */
  consume(
    durable: string,
    options: ConsumeOptions,
    handler: (batch: HandedMessage[]) => Promise<Unsettled | void>,
  ): Promise<Consumption>;
  /**
   * The log in order, without a durable name: from the message after `after`, or only what comes from now (the first
   * `next()`) on; goes on, over outages of the engine too, until `signal` aborts or the bus is closed.
   * @throws EventBusError `POSITION_GONE` when `after` is older than the log or of another epoch, also later on, when what
   * comes next has been dropped meanwhile or the log made anew; `UNAVAILABLE` when it can't begin.
   */
  tail(options: { after?: Position; signal: AbortSignal }): AsyncIterable<BusMessage>;
  /**
   * Ids of the account's events that the log holds from that time (ISO 8601) on, by the time at which it took them; it may
   * give some from up to a minute before, so that clocks may differ by as much.
   */
  publishedSince(accountId: string, since: string): Promise<Set<string>>;
  /** The place of the newest message. */
  position(): Promise<Position>;
  /** How many messages that durable name has not acknowledged yet; all that the log holds for a new name. */
  lag(durable: string): Promise<number>;
  /** The place before the oldest message that is still there: what comes after it is all that the log holds. */
  oldest(): Promise<Position>;
  /**
   * The place before the oldest message that some durable name has not acknowledged: what comes after it may still be unread.
   * Before there is a durable name, nothing has been read.
   */
  unread(): Promise<Position>;
  /**
   * Drops messages that every durable consumer has acknowledged and that are older than `maxAgeMs` or beyond `maxBytes`
   * (about: an adapter may go by their average size). Before there is a durable consumer, nothing is dropped.
   */
  trim(limits: { maxAgeMs: number; maxBytes: number }): Promise<void>;
  /**
   * Erases events of an account from the log: after it nobody is handed them, and no tail shows them; who was handed one before
   * keeps it. Their bytes are overwritten where the engine can do that. Positions stay
   * as they are. Gives how many there were.
   */
  erase(accountId: string, which: ErasedEvents): Promise<number>;
  /** Resolves when the bus answers. @throws EventBusError `UNAVAILABLE` */
  ping(): Promise<void>;
  /** Stops the consumers, ends the tails and waits for what is under way. Everything else then rejects as `UNAVAILABLE`. */
  close(): Promise<void>;
}

export type EventBusErrorCode = 'UNAVAILABLE' | 'FULL' | 'POSITION_GONE';

/** What every adapter rejects with. `cause` holds the engine's own error. */
export class EventBusError extends Error {
  override readonly name = 'EventBusError';
  constructor(
    readonly code: EventBusErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
