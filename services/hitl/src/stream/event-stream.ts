import { maySeeForm, type EventType } from '@svcforms/contracts';
import { formatPosition, readPosition, type EventBus, type EventBusError } from '@svcforms/event-bus';
import type { Caller } from '@svcforms/identity';
import { isoTime, pause, type Clock, type Logger } from '@svcforms/primitives';
import type { ServerResponse } from 'node:http';
import { comment, frame, frameOf, type FrameFormat, type FrameSources } from './frame.ts';
import type { Hub } from './hub.ts';
import type { Offset, Subscriber } from './subscribers.ts';

/** The most frames and bytes that are buffered for one reader. */
const MAX_BUFFERED_FRAMES = 1_000;
const MAX_BUFFERED_BYTES = 1024 * 1024;
/** A stream with a full buffer is closed when no frame has left it for this time. */
const STALLED_AFTER_MS = 5_000;
/** How long an ended stream may take to send the rest of its buffer. */
const END_TIMEOUT_MS = 5_000;
const RETRY_MS = 500;
/**
 * How long a stream that catches up may hold messages that it has read. It then reads the rest
 * again, because some may have been erased from the log.
 */
const MAX_HELD_MS = 2_000;
/** The reconnection delay that readers are asked to use. */
const READER_RETRY_MS = 3_000;

export interface EventStreamDeps {
  hub: Hub;
  bus: Pick<EventBus, 'position' | 'oldest' | 'tail'>;
  sources: FrameSources;
  log: Pick<Logger, 'warn'>;
  now: Clock;
  /** For durations. See `steadyClock`. */
  steadyNow: Clock;
}

export interface StreamRequest {
  caller: Caller;
  types: ReadonlySet<EventType>;
  format: FrameFormat;
  /** The id of the last event that the reader has; absent: only new events. */
  lastEventId: string | undefined;
  /** The end of the event log when the request arrived; `null` if unknown. */
  openedAt: Offset | null;
}

/**
 * One reader of events. A live stream gets frames from the hub. A stream that resumes or whose
 * reader is slow reads the event log at its own pace until it has caught up. No event is skipped: a
 * stream whose reader stops reading is closed, and the reader gets everything when it resumes.
 * docs/reference/events.md#resume
 */
export class EventStream implements Subscriber {
  readonly caller: Caller;
  readonly accountId: string;
  readonly memberOf: ReadonlySet<string> | undefined;
  readonly types: ReadonlySet<EventType>;
  readonly format: FrameFormat;
  offset: Offset;

  readonly #deps: EventStreamDeps;
  readonly #response: ServerResponse;
  /** The requested event id, until it is checked against the log. */
  #unchecked: string | undefined;
  #isClosed = false;
  /** While the stream catches up. */
  #closing: AbortController | undefined;
  /** The reader knows that it has everything up to here: its first position, or its last frame. */
  #knownSeq: number;
  #bufferedFrames = 0;
  #lastSentAt: number;
  #onBufferSpace: (() => void) | undefined;
  readonly #onSent = (): void => {
    this.#bufferedFrames -= 1;
    this.#lastSentAt = this.#deps.steadyNow();
    if (!this.#isFull()) this.#onBufferSpace?.();
  };

  constructor(deps: EventStreamDeps, request: StreamRequest, response: ServerResponse) {
    this.#deps = deps;
    this.#response = response;
    this.caller = request.caller;
    this.accountId = request.caller.accountId;
    this.memberOf = request.caller.memberOf;
    this.types = request.types;
    this.format = request.format;
    this.offset = request.openedAt ?? { epoch: '', seq: 0 };
    this.#unchecked = request.lastEventId;
    this.#knownSeq = this.offset.seq;
    this.#lastSentAt = deps.steadyNow();
    const position = request.lastEventId === undefined && request.openedAt ? positionOf(this.offset) : '';
    response.write(`retry: ${READER_RETRY_MS}\n${comment('connected')}${position}`);
    response.on('close', () => this.#finish());
  }

  /**
   * Catches up and hands over to the hub. The hub calls back when the stream must read the log
   * again.
   */
  async run(): Promise<void> {
    if (this.#response.destroyed) this.#finish();
    while (!this.#isClosed) {
      try {
        if (await this.#begin()) await this.#catchUp();
        return;
      } catch (error) {
        if ((error as EventBusError).code === 'POSITION_GONE') this.#unchecked = this.#id();
        else {
          const fields = { event: 'stream.waiting', err: error };
          if ((error as EventBusError).code !== 'UNAVAILABLE')
            this.#deps.log.warn(fields, 'reading events for a stream failed; retrying');
          await pause(RETRY_MS);
        }
      }
    }
  }

  deliver(offset: Offset, text: string): void {
    this.offset = offset;
    this.#knownSeq = offset.seq;
    this.#write(text);
    if (!this.#isFull()) return;
    // Continues from the log at the reader's pace, so that the buffer stays bounded.
    this.#deps.hub.remove(this);
    void this.run();
  }

  detached(offset: Offset): void {
    if (offset.seq > this.offset.seq) this.offset = offset;
    if (!this.#isClosed) void this.run();
  }

  /**
   * With the position, from which a reader resumes whose connection breaks: what the stream has
   * read since the last frame isn't read again, however rare its events are.
   */
  keepAlive(): void {
    if (!this.#isFull()) this.#write(this.#position() + comment('keepalive'));
  }

  /** Closes the connection of a reader that has stopped reading. Returns whether it did. */
  closeIfStalled(): boolean {
    const isStalled = this.#isFull() && this.#deps.steadyNow() - this.#lastSentAt >= STALLED_AFTER_MS;
    if (isStalled) this.#response.destroy();
    return isStalled;
  }

  /** Ends the stream after the buffer is sent, with the position to resume from. */
  end(): void {
    if (this.#isClosed) return;
    const position = this.#position();
    this.#finish();
    if (position !== '') this.#response.write(position);
    this.#response.end();
    const timeout = setTimeout(() => this.#response.destroy(), END_TIMEOUT_MS);
    this.#response.once('close', () => clearTimeout(timeout));
  }

  /** The position of the stream if the reader doesn't know it; otherwise empty. */
  #position(): string {
    const { epoch, seq } = this.offset;
    if (this.#unchecked !== undefined || epoch === '') return '';
    const hubOffset = this.#closing === undefined ? this.#deps.hub.offset() : null;
    const reached = { epoch, seq: hubOffset?.epoch === epoch ? Math.max(hubOffset.seq, seq) : seq };
    return reached.seq > this.#knownSeq ? positionOf(reached) : '';
  }

  #finish(): void {
    this.#isClosed = true;
    this.#deps.hub.remove(this);
    this.#closing?.abort();
    this.#onBufferSpace?.();
  }

  /** Determines the first offset. Returns whether the stream is still open. */
  async #begin(): Promise<boolean> {
    const { hub, bus } = this.#deps;
    const closing = (this.#closing ??= new AbortController());
    await hub.start(closing.signal);
    if (this.#unchecked !== undefined) await this.#checkId(this.#unchecked);
    else if (this.offset.epoch === '') this.offset = readPosition(await bus.position()) ?? this.offset;
    this.#unchecked = undefined;
    return !this.#isClosed;
  }

  /**
   * Resumes after `id` if the log has the events that follow; otherwise sends `stream.reset` and
   * starts at the oldest event.
   */
  async #checkId(id: string): Promise<void> {
    const { bus, now } = this.#deps;
    const requested = readPosition(id);
    const [newest, oldest] = (await Promise.all([bus.position(), bus.oldest()])).map(readPosition);
    if (!newest || !oldest) throw new TypeError('the bus returned a position that cannot be parsed');
    const isOfLog = requested?.epoch === newest.epoch;
    if (requested && isOfLog && requested.seq >= oldest.seq && requested.seq <= newest.seq) {
      this.offset = requested;
      this.#knownSeq = requested.seq;
      return;
    }
    this.offset = oldest;
    this.#knownSeq = oldest.seq;
    const data = {
      reason: requested && isOfLog && requested.seq < oldest.seq ? 'expired' : 'unknown',
      requestedId: id,
      firstAvailableId: formatPosition(oldest.epoch, oldest.seq + 1),
    };
    const type = 'stream.reset';
    const event = { type, timestamp: isoTime(now()), data };
    this.#write(frame({ id: this.#id(), type, data: JSON.stringify(event) }));
  }

  /** Reads the hub's recent messages, or the log, until the stream can join the hub. */
  async #catchUp(): Promise<void> {
    const { hub } = this.#deps;
    for (;;) {
      await this.#waitForBufferSpace();
      if (this.#isClosed) return;
      const messages = hub.since(this.offset);
      if (messages === null) {
        await this.#readLog();
      } else if (messages.length === 0) {
        this.#closing = undefined;
        hub.add(this);
        return;
      } else {
        const readAt = this.#deps.steadyNow();
        for (const { event, seq } of messages)
          if (!(await this.#send(event, { epoch: this.offset.epoch, seq }, readAt))) break;
      }
    }
  }

  /** Reads the log until the hub has the messages that follow. */
  async #readLog(): Promise<void> {
    const { hub, bus } = this.#deps;
    const closing = (this.#closing ??= new AbortController());
    // An idle hub stops, and this stream isn't one of its subscribers.
    await hub.start(closing.signal);
    let readAt: number | undefined;
    for await (const { event, position } of bus.tail({ after: this.#id(), signal: closing.signal })) {
      // A tail reads ahead, at the earliest when it has read its first message.
      readAt ??= this.#deps.steadyNow();
      if (!(await this.#send(event, readPosition(position) ?? this.offset, readAt))) return;
      if (this.#isClosed || hub.offset() === null || hub.since(this.offset) !== null) return;
    }
  }

  /**
   * Returns false without sending the event if the stream is closed, or if the event was read too
   * long ago.
   */
  async #send(event: Parameters<typeof frameOf>[0], offset: Offset, readAt: number): Promise<boolean> {
    const hasWaited = await this.#waitForBufferSpace();
    if (this.#isClosed || (hasWaited && this.#deps.steadyNow() - readAt >= MAX_HELD_MS)) return false;
    const isOurs = event.accountId === this.accountId && this.types.has(event.type);
    if (isOurs && (await this.#maySee(event.formId))) {
      const position = formatPosition(offset.epoch, offset.seq);
      const text = await frameOf(event, position, this.format, this.#deps.sources);
      if (text !== null) {
        this.#knownSeq = offset.seq;
        this.#write(text);
      }
    }
    this.offset = offset;
    return true;
  }

  async #maySee(formId: string): Promise<boolean> {
    return this.memberOf === undefined || maySeeForm(this, await this.#deps.sources.findForm(formId));
  }

  #id(): string {
    return formatPosition(this.offset.epoch, this.offset.seq);
  }

  #write(text: string): void {
    if (this.#isClosed) return;
    if (this.#bufferedFrames === 0) this.#lastSentAt = this.#deps.steadyNow();
    this.#bufferedFrames += 1;
    this.#response.write(text, this.#onSent);
  }

  #isFull(): boolean {
    return this.#bufferedFrames >= MAX_BUFFERED_FRAMES || this.#response.writableLength >= MAX_BUFFERED_BYTES;
  }

  /**
   * Resolves when the buffer has space or the stream is closed. Returns whether the reader was too
   * slow for an event right now.
   */
  async #waitForBufferSpace(): Promise<boolean> {
    const isSlow = this.#isFull();
    while (this.#isFull() && !this.#isClosed)
      await new Promise<void>((resolve) => (this.#onBufferSpace = resolve));
    this.#onBufferSpace = undefined;
    return isSlow;
  }
}

/**
 * Tells a reader from where it misses nothing, apart from the ids of frames. In a comment, because
 * some clients turn a frame that has an id and no data into an event, which isn't JSON.
 */
const positionOf = ({ epoch, seq }: Offset): string => comment(`position ${formatPosition(epoch, seq)}`);
