import type { EventType } from '@svcforms/contracts';
import { formatPosition, readPosition, type EventBus, type EventBusError } from '@svcforms/event-bus';
import type { Caller } from '@svcforms/identity';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { frame, frameOf, type FrameSources } from './frame.ts';
import type { Hub, Place, Subscriber } from './hub.ts';

/** So much may wait for a reader … */
const MAX_WAITING_FRAMES = 1_000;
const MAX_WAITING_BYTES = 1024 * 1024;
/** … and if none of it goes for so long, the stream is cut. */
const STALLED_AFTER_MS = 5_000;
/** What was ended properly may take so long to be sent. */
const END_WITHIN_MS = 5_000;
const RETRY_MS = 500;
/** What a reader waits before it connects again, in milliseconds. */
const READER_RETRY_MS = 3_000;

export interface EventStreamDeps {
  hub: Hub;
  bus: Pick<EventBus, 'position' | 'oldest' | 'tail'>;
  sources: FrameSources;
  log: { warn(fields: object, message: string): void };
  now: () => number;
}

export interface StreamRequest {
  caller: Caller;
  types: ReadonlySet<EventType>;
  /** The id of the last event that the reader has; absent: it wants only what comes. */
  lastEventId: string | undefined;
  /** Where the log was when the reader came. */
  openedAt: Place | null;
}

/**
 * One reader of events. Live, it gets what the hub has for it; behind (it resumes, or reads too slowly), it reads the log at
 * its own pace until it has caught up. What was not sent is never left out: a reader that doesn't read is cut off, and finds
 * everything when it resumes. contract: tasks.md, Stream
 */
export class EventStream implements Subscriber {
  readonly caller: Caller;
  readonly accountId: string;
  readonly types: ReadonlySet<EventType>;
  place: Place;

  readonly #deps: EventStreamDeps;
  readonly #response: ServerResponse;
  /** What the reader asked for, while it isn't known whether the log has it. */
  #unproven: string | undefined;
  #isOver = false;
  #over: AbortController | undefined;
  #waitingFrames = 0;
  #lastSentAt: number;
  #onRoom: (() => void) | undefined;
  readonly #onSent = (): void => {
    this.#waitingFrames -= 1;
    this.#lastSentAt = this.#deps.now();
    if (!this.#isFull()) this.#onRoom?.();
  };

  constructor(deps: EventStreamDeps, request: StreamRequest, response: ServerResponse) {
    this.#deps = deps;
    this.#response = response;
    this.caller = request.caller;
    this.accountId = request.caller.accountId;
    this.types = request.types;
    this.place = request.openedAt ?? { epoch: '', seq: 0 };
    this.#unproven = request.lastEventId;
    this.#lastSentAt = deps.now();
    // So that a reader that loses its connection before the first event misses nothing either.
    const id = request.lastEventId === undefined && request.openedAt ? `id: ${this.#id()}\n` : '';
    response.write(`retry: ${READER_RETRY_MS}\n: connected\n${id}\n`);
    response.on('close', () => this.#finish());
  }

  /** Runs until the stream is over. */
  async run(): Promise<void> {
    if (this.#response.destroyed) this.#finish();
    while (!this.#isOver) {
      try {
        if (await this.#begin()) await this.#catchUp();
        // The hub, or the need to read on, wakes it.
        return;
      } catch (error) {
        if ((error as EventBusError).code === 'POSITION_GONE') this.#unproven = this.#id();
        else {
          const fields = { event: 'stream.waiting', err: error };
          if ((error as EventBusError).code !== 'UNAVAILABLE')
            this.#deps.log.warn(fields, 'a stream must wait');
          await delay(RETRY_MS);
        }
      }
    }
  }

  deliver(place: Place, text: string): void {
    this.place = place;
    this.#write(text);
    if (!this.#isFull()) return;
    // From here on at its own pace, so that what waits in memory has an end.
    this.#deps.hub.remove(this);
    void this.run();
  }

  lost(place: Place): void {
    if (place.seq > this.place.seq) this.place = place;
    if (!this.#isOver) void this.run();
  }

  keepAlive(): void {
    if (!this.#isFull()) this.#write(': keepalive\n\n');
  }

  /** Cuts a reader that has stopped reading. */
  cutIfStalled(): boolean {
    const isStalled = this.#isFull() && this.#deps.now() - this.#lastSentAt >= STALLED_AFTER_MS;
    if (isStalled) this.#response.destroy();
    return isStalled;
  }

  /** Ends it properly: what was written is sent, and the reader knows where to go on. */
  end(): void {
    if (this.#isOver) return;
    const hubPlace = this.#over === undefined ? this.#deps.hub.place() : null;
    this.#finish();
    const place =
      hubPlace && hubPlace.epoch === this.place.epoch && hubPlace.seq > this.place.seq ? hubPlace : null;
    if (place) this.#response.write(`id: ${formatPosition(place.epoch, place.seq)}\n\n`);
    this.#response.end();
    const cut = setTimeout(() => this.#response.destroy(), END_WITHIN_MS);
    this.#response.once('close', () => clearTimeout(cut));
  }

  #finish(): void {
    this.#isOver = true;
    this.#deps.hub.remove(this);
    this.#over?.abort();
    this.#onRoom?.();
  }

  /** Finds out where to begin. Whether there is anything to do. */
  async #begin(): Promise<boolean> {
    const { hub, bus } = this.#deps;
    const over = (this.#over ??= new AbortController());
    await hub.start(over.signal);
    if (this.#unproven !== undefined) await this.#prove(this.#unproven);
    else if (this.place.epoch === '') this.place = readPosition(await bus.position()) ?? this.place;
    this.#unproven = undefined;
    return !this.#isOver;
  }

  /** Whether the log has what follows; else the reader is told, and begins with the first that there is. */
  async #prove(id: string): Promise<void> {
    const { bus, now } = this.#deps;
    const asked = readPosition(id);
    const [newest, oldest] = (await Promise.all([bus.position(), bus.oldest()])).map(readPosition);
    if (!newest || !oldest) throw new TypeError('the bus has positions that can not be read');
    const isOfLog = asked?.epoch === newest.epoch;
    if (asked && isOfLog && asked.seq >= oldest.seq && asked.seq <= newest.seq) {
      this.place = asked;
      return;
    }
    this.place = oldest;
    const data = {
      reason: asked && isOfLog && asked.seq < oldest.seq ? 'expired' : 'unknown',
      requestedId: id,
      firstAvailableId: formatPosition(oldest.epoch, oldest.seq + 1),
    };
    const type = 'stream.reset';
    const event = { type, timestamp: new Date(now()).toISOString(), data };
    this.#write(frame({ id: this.#id(), type, data: JSON.stringify(event) }));
  }

  /** Reads until it has what the hub has, and joins it. */
  async #catchUp(): Promise<void> {
    const { hub } = this.#deps;
    for (;;) {
      await this.#room();
      if (this.#isOver) return;
      const messages = hub.since(this.place);
      if (messages === null) {
        await this.#readLog();
      } else if (messages.length === 0) {
        this.#over = undefined;
        hub.add(this);
        return;
      } else {
        for (const { event, seq } of messages) {
          await this.#take(event, { epoch: this.place.epoch, seq });
          if (this.#isOver) return;
        }
      }
    }
  }

  /** Until the hub can take over. */
  async #readLog(): Promise<void> {
    const { hub, bus } = this.#deps;
    const over = (this.#over ??= new AbortController());
    // It may have given up meanwhile, as nobody was live.
    await hub.start(over.signal);
    for await (const { event, position } of bus.tail({ after: this.#id(), signal: over.signal })) {
      await this.#take(event, readPosition(position) ?? this.place);
      if (this.#isOver || hub.place() === null || hub.since(this.place) !== null) return;
    }
  }

  async #take(event: Parameters<typeof frameOf>[0], place: Place): Promise<void> {
    if (event.accountId === this.accountId && this.types.has(event.type)) {
      const text = await frameOf(event, formatPosition(place.epoch, place.seq), this.#deps.sources);
      await this.#room();
      if (this.#isOver) return;
      if (text !== null) this.#write(text);
    }
    this.place = place;
  }

  #id(): string {
    return formatPosition(this.place.epoch, this.place.seq);
  }

  #write(text: string): void {
    if (this.#isOver) return;
    if (this.#waitingFrames === 0) this.#lastSentAt = this.#deps.now();
    this.#waitingFrames += 1;
    this.#response.write(text, this.#onSent);
  }

  #isFull(): boolean {
    return this.#waitingFrames >= MAX_WAITING_FRAMES || this.#response.writableLength >= MAX_WAITING_BYTES;
  }

  /** Resolves when something more may be written, or never will. */
  async #room(): Promise<void> {
    while (this.#isFull() && !this.#isOver) await new Promise<void>((resolve) => (this.#onRoom = resolve));
    this.#onRoom = undefined;
  }
}
