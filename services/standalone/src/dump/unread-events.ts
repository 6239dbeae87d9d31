import type { BusEvent } from '@svcforms/contracts';
import { sequenceOf, type BusMessage, type EventBus, type Position } from '@svcforms/event-bus';
import { waitAtMost } from '@svcforms/primitives';

/** Often enough that the log still has the events, however long the rest of the documents takes. */
const DOCUMENTS_BETWEEN = 500;
/** The events are stored already, so reading the next one takes little time. */
const NEXT_EVENT_TIMEOUT_MS = 30_000;
/** After this long without an event, check whether one is left. */
const CHECK_AFTER_MS = 2_000;

export type LogReader = Pick<EventBus, 'unread' | 'position' | 'tail' | 'hasEventAfter'>;

export interface UnreadEvents {
  /**
   * To call after each document. Returns the events since the last time, up to the newest one now,
   * if it is time for that.
   */
  afterDocument(): AsyncGenerator<BusEvent>;
  /** Returns the events since the last time, up to the newest one now. */
  upToNow(): AsyncGenerator<BusEvent>;
}

/**
 * Reads the events that some consumer hasn't read now, and those that follow. To call just before
 * reading the first collection that consumers write: what they read before is in there. The log
 * keeps only a limited number of events that all consumers have read, so these are read between the
 * documents.
 */
export async function unreadEvents(bus: LogReader): Promise<UnreadEvents> {
  let read = await bus.unread();
  let documents = 0;

  async function* upToNow(): AsyncGenerator<BusEvent> {
    const newest = await bus.position();
    for await (const message of messagesBetween(bus, read, newest)) {
      read = message.position;
      yield message.event;
    }
    // The newest ones may have been erased. Others may have followed them meanwhile.
    if (sequenceOf(read) < sequenceOf(newest)) read = newest;
  }

  return {
    async *afterDocument() {
      documents += 1;
      if (documents % DOCUMENTS_BETWEEN === 0) yield* upToNow();
    },
    upToNow,
  };
}

async function* messagesBetween(
  bus: LogReader,
  after: Position,
  newest: Position,
): AsyncGenerator<BusMessage> {
  const stop = new AbortController();
  const messages = bus.tail({ after, signal: stop.signal })[Symbol.asyncIterator]();
  try {
    for (let read = after; sequenceOf(read) < sequenceOf(newest);) {
      const message = await nextMessage(bus, { read, arriving: messages.next() });
      if (!message) return;
      yield message;
      read = message.position;
    }
  } finally {
    stop.abort();
    await messages.return?.();
  }
}

/** `undefined`: no event is left, because the newest ones were erased. */
async function nextMessage(
  bus: LogReader,
  { read, arriving }: { read: Position; arriving: Promise<IteratorResult<BusMessage, unknown>> },
): Promise<BusMessage | undefined> {
  for (let waitedMs = 0; waitedMs < NEXT_EVENT_TIMEOUT_MS; waitedMs += CHECK_AFTER_MS) {
    if (await waitAtMost(arriving, CHECK_AFTER_MS)) {
      const { done, value } = await arriving;
      if (!done) return value;
      break;
    }
    // During an outage, the tail continues when the bus is back.
    if (!(await bus.hasEventAfter(read).catch(() => true))) return undefined;
  }
  throw new Error('reading the event log timed out; try again');
}
