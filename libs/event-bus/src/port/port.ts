import type { BusEvent, EventType } from '@svcforms/contracts';
import type { Logger } from '@svcforms/primitives';

/**
 * The event-bus port: a durable, ordered log of events with shared consumers. Two adapters
 * implement it, `embedded` (a table in the embedded database) and `nats` (JetStream). The suite in
 * `test/conformance` specifies both.
 */

/**
 * A position in the log: `<epoch>-<sequence>`. The epoch changes when the log is recreated.
 * Sequence 0 is before the first message. If a message has two events, the first one has the
 * sequence minus one half: `…-9.5` and `…-10`.
 */
export type Position = string;

export interface BusMessage {
  event: BusEvent;
  position: Position;
}

/** A message as it is delivered to a consumer. */
export interface DeliveredMessage extends BusMessage {
  /**
   * True only if no consumer of this durable name has had the message before. `false` if that isn't
   * known.
   */
  isNew: boolean;
}

/**
 * Returned by a handler that can take the next batch before this one is durable. The batch is
 * acknowledged when `ackAfter` resolves, and delivered again if it rejects.
 */
export interface DeferredAck {
  ackAfter: Promise<void>;
}

export interface ConsumeOptions {
  /** The most messages in one call of the handler. A message can have two events. */
  batch: number;
  /**
   * If the process of a handler dies, its messages are delivered to another process after this many
   * milliseconds. The embedded bus delivers them again when it is opened next.
   */
  ackWaitMs: number;
  /**
   * Only events of these types that aren't quiet. Default: all events. All consumers of a durable
   * name need the same.
   */
  only?: readonly EventType[];
  /**
   * Called after the handler has rejected a batch. Until it resolves, this consumer takes no
   * messages, and other consumers of the durable name get those that it has received. It resolves
   * when `stopping` aborts at the latest. Default: the consumer continues after a pause.
   */
  untilReady?: (stopping: AbortSignal) => Promise<void>;
}

export interface Consumption {
  /**
   * Takes no more messages, then waits for the running handler and for deferred acknowledgements.
   */
  stop(): Promise<void>;
}

/**
 * Which events to erase: those with these ids, none of which was published before `since` (ISO
 * 8601; clocks may differ by an hour); the events of these forms; or all events of the account.
 */
export type ErasedEvents = { ids: readonly string[]; since: string } | { formIds: readonly string[] } | 'all';

export interface BroadcastListener {
  onMessage(message: string): void;
  /** Earlier messages may have been lost: the connection was interrupted and is back. */
  onGap(): void;
}

/** A text under a key, and which of its versions it is. */
export interface SharedValue {
  text: string;
  revision: string;
}

/**
 * Short texts that the connected processes share for seconds or minutes, to count together. They
 * are kept in the memory of the backend: a restart may lose all of them. Keys consist of letters,
 * digits, `-` and `_`.
 * @throws EventBusError `UNAVAILABLE`; `FULL` (no more values fit)
 */
export interface SharedValues {
  /** `null`: there is no value, or it has expired. */
  read(key: string): Promise<SharedValue | null>;
  /**
   * Stores the value for `ttlMs` milliseconds (rounded up to seconds) if the current one still has
   * this revision; `null` stands for no value. Returns the new revision, or `null` if another
   * process was faster.
   */
  replace(
    key: string,
    text: string,
    options: { revision: string | null; ttlMs: number },
  ): Promise<string | null>;
  /**
   * The clock of the backend in milliseconds since the epoch, which agrees between processes within
   * some milliseconds.
   */
  now(): number;
}

/** @throws EventBusError from every method; match by `code`. */
export interface EventBus {
  /**
   * Appends the event. Resolves when it is durable: it survives a restart of the backend. An event
   * id that is repeated within the deduplication window (2 minutes) is accepted and not appended
   * again.
   * @throws EventBusError `UNAVAILABLE` (no connection; the event may have been stored), `FULL`
   * (refused).
   */
  publish(event: BusEvent): Promise<Position>;
  /**
   * Appends the events of one document, if there are any, in this order, and resolves when all are
   * durable. If the backend can, two events whose bodies are nearly the same become one message, as
   * soon as every consumer can read such messages; it is erased as a whole. Deduplicates like
   * `publish` if the same events are published together again. Rejects if one of them may not have
   * been stored.
   * @throws EventBusError `UNAVAILABLE`, `FULL`
   */
  publishTogether(events: readonly BusEvent[]): Promise<void>;
  /**
   * Delivers the log to `handler` in batches, from the last acknowledged message of this durable
   * name; a new name starts at the beginning of the log. All consumers of one durable name share
   * the messages. A batch is acknowledged when the handler resolves (see {@link DeferredAck}); if
   * it rejects, the batch is delivered again after a pause. A handler may run for any time: its
   * messages aren't delivered to others while the process lives. The handler gets one batch at a
   * time, with all messages that arrived meanwhile, up to about 8 MiB, so a quiet bus delivers
   * single events without delay. Some dozens of batches of 32 MiB together may be unacknowledged.
   */
  consume(
    durable: string,
    options: ConsumeOptions,
    handler: (batch: DeliveredMessage[]) => Promise<DeferredAck | void>,
  ): Promise<Consumption>;
  /**
   * The log in order, without a durable name: from the message after `after`, or else from the
   * messages that are published after the first `next()`. Continues even after outages of the
   * backend, until `signal` aborts or the bus is closed.
   * @throws EventBusError `POSITION_GONE` if `after` is older than the log or of another epoch,
   * also later if the next message has been dropped or the log was recreated; `UNAVAILABLE` if it
   * can't start.
   */
  tail(options: { after?: Position; signal: AbortSignal }): AsyncIterable<BusMessage>;
  /**
   * The ids of the account's events that the log has stored since that time (ISO 8601). May include
   * events of up to a minute before, which allows for clocks that differ by as much.
   */
  publishedSince(accountId: string, since: string): Promise<Set<string>>;
  /** The position of the newest message. */
  position(): Promise<Position>;
  /** Whether the log has an event after that position. Erased ones don't count. */
  hasEventAfter(position: Position): Promise<boolean>;
  /**
   * The number of events that the durable name hasn't acknowledged; for a new name, the number of
   * messages in the log.
   */
  lag(durable: string): Promise<number>;
  /**
   * The position before the oldest message in the log: a tail that starts there gets the whole log.
   */
  oldest(): Promise<Position>;
  /**
   * The position before the oldest message that some durable name hasn't acknowledged. Without any
   * durable name, nothing counts as read.
   */
  unread(): Promise<Position>;
  /**
   * Drops messages that every durable name has acknowledged and that are older than `maxAgeMs` or
   * beyond `maxBytes` (an adapter may estimate the size by the average message, and keeps less if
   * that would fill half of a log with a limit of its own). Without any durable name, nothing is
   * dropped.
   */
  trim(limits: { maxAgeMs: number; maxBytes: number }): Promise<void>;
  /**
   * Erases events of an account from the log: consumers and tails don't get them anymore; those
   * that had an event before keep it. Overwrites the bytes if the backend can do that. Positions
   * don't change. Returns the number of erased events.
   */
  erase(accountId: string, which: ErasedEvents): Promise<number>;
  /**
   * Sends a short text to the listeners of every process that is connected now, this one included.
   * Nothing is stored: a process without a connection doesn't get it. Resolves when the backend has
   * forwarded it; events that are published after that arrive at those processes later than the
   * text.
   * @throws EventBusError `UNAVAILABLE` (some listeners may have received it)
   */
  broadcast(message: string): Promise<void>;
  /**
   * Calls the listener for each broadcast until the bus is closed or the returned function is
   * called.
   */
  listen(listener: BroadcastListener): () => void;
  /**
   * The clock of the backend now, in milliseconds since the epoch; `null` if it has only that of
   * this process.
   */
  serverTime(): Promise<number | null>;
  /** `null` for a bus that only one process can use. */
  readonly sharedValues: SharedValues | null;
  /** Resolves when the bus responds. @throws EventBusError `UNAVAILABLE` */
  ping(): Promise<void>;
  /**
   * Stops the consumers, ends the tails and waits for running calls. Every later call rejects with
   * `UNAVAILABLE`.
   */
  close(): Promise<void>;
}

/** Where an adapter logs the faults that it recovers from. */
export type BusLog = Pick<Logger, 'info' | 'warn' | 'error'>;

export const SILENT: BusLog = { info() {}, warn() {}, error() {} };

/**
 * `DENIED` (wrong credentials) and `UNSUPPORTED` (a setting that the backend can't have) only occur
 * while a bus is opened.
 */
type EventBusErrorCode = 'UNAVAILABLE' | 'FULL' | 'POSITION_GONE' | 'DENIED' | 'UNSUPPORTED';

/** The error of every adapter. `cause` holds the error of the backend. */
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
