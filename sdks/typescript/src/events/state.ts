import {
  APIConnectionError,
  APIStatusError,
  StreamGapError,
  SvcFormsError,
  UnexpectedAnswerError,
} from '../errors.ts';
import * as api from '../http/request.ts';
import { textOf } from '../http/responses.ts';
import { backoff, isTransient, requestedDelay } from '../http/retry.ts';
import type { StreamEvent } from '../types.ts';
import { FrameDecoder, type Frame } from './sse.ts';

/** Whether a stream throws or continues when the server no longer has some of the events. */
export type OnGap = 'throw' | 'continue';

/** The server sends a line every 15 seconds, so a connection without three of them is dead. */
const SILENCE_MS = 45_000;
const FIRST_RETRY_MS = 3000;
/** A connection of at least this length resets the backoff, even without events. */
const STABLE_MS = 5000;
const REMEMBERED_IDS = 4096;

/** The state of an event stream across its connections. */
export class StreamState {
  /** The position up to which the caller received every event. */
  lastDelivered: string | null;
  readonly #path: string;
  readonly #onGap: OnGap;
  /** The id after which the next connection continues. */
  #resumeAfter: string | null;
  readonly #seen = new Set<string>();
  #decoder = new FrameDecoder();
  #failures = 0;
  #openedAt = 0;

  constructor(types: string | readonly string[], lastEventId: string | undefined | null, onGap: OnGap) {
    const names = typeof types === 'string' ? [types] : types;
    if (names.length === 0) throw new TypeError('types must contain at least one event type, or be *');
    // The server treats an empty id as absent, which would skip all earlier events.
    if (lastEventId === '')
      throw new TypeError('lastEventId is empty; pass the id of an event, or leave it out');
    this.#path = api.path('/api/mcp/events/{}', names.join(',')).replaceAll('%2C', ',');
    this.#onGap = onGap;
    this.lastDelivered = this.#resumeAfter = lastEventId ?? null;
  }

  /** Builds the request that opens the next connection. */
  nextRequest(signal: AbortSignal): api.ApiRequest {
    this.#openedAt = performance.now();
    const headers: Record<string, string> = {
      Accept: 'text/event-stream',
      'Cache-Control': 'no-store',
    };
    if (this.#resumeAfter !== null) headers['Last-Event-ID'] = this.#resumeAfter;
    return { ...api.get(this.#path, undefined, { signal, timeoutMs: SILENCE_MS }), headers };
  }

  /** Starts to read a new connection. */
  onOpen(): void {
    this.#openedAt = performance.now();
    const { retryMs } = this.#decoder;
    this.#decoder = new FrameDecoder();
    this.#decoder.retryMs = retryMs;
  }

  /**
   * Returns the events that this chunk completes, without duplicates, and what ends the stream
   * after them: the server can't continue, or sent something else.
   */
  read(chunk: Uint8Array): { events: StreamEvent[]; failure: SvcFormsError | null } {
    const events: StreamEvent[] = [];
    try {
      for (const frame of this.#decoder.feed(chunk)) {
        const event = this.#parse(frame);
        if (event === null) continue;
        this.#failures = 0;
        events.push(event);
      }
    } catch (error) {
      if (!(error instanceof SvcFormsError)) throw error;
      return { events, failure: error };
    }
    this.#resumeAfter = this.#decoder.lastId || this.#resumeAfter;
    return { events, failure: null };
  }

  /** Moves to the position that the server reported last. The caller has received all events. */
  onDelivered(): void {
    this.lastDelivered = this.#resumeAfter;
  }

  #parse(frame: Frame): StreamEvent | null {
    let content: { data?: Record<string, unknown> };
    try {
      content = JSON.parse(frame.data) as typeof content;
      if (typeof content.data !== 'object' || content.data === null) throw new TypeError('data is missing');
    } catch (cause) {
      throw new UnexpectedAnswerError(`The stream sent an invalid event after ${frame.id}`, { cause });
    }
    const data = content.data;
    if (frame.event === 'stream.reset') {
      if (this.#onGap === 'throw') throw gapOf(data);
      return null;
    }
    if (this.#seen.has(frame.id)) return null;
    this.#seen.add(frame.id);
    if (this.#seen.size > REMEMBERED_IDS)
      for (const oldest of this.#seen) {
        this.#seen.delete(oldest);
        break;
      }
    const { taskId } = (data['decision'] ?? data) as { taskId?: unknown };
    return { ...content, id: frame.id, taskId: textOf(taskId) || null } as StreamEvent;
  }

  /**
   * Returns the milliseconds until the next connection. `error` is null when the server closed the
   * last one normally.
   * @throws SvcFormsError if a new connection would fail too.
   */
  reconnectDelay(error: SvcFormsError | null): number {
    // The server sends the start position when a stream opens, and this connection broke before
    // that.
    if (this.#resumeAfter === null && this.#onGap === 'throw')
      throw new StreamGapError('unknown', null, null, { cause: error });
    if (performance.now() - this.#openedAt > STABLE_MS) {
      this.#failures = 0;
      if (error === null) return 0;
    }
    if (error instanceof APIStatusError) {
      if (!isTransient(error)) throw error;
      const delay = requestedDelay(error);
      if (delay !== null) return delay;
    } else if (error !== null && !(error instanceof APIConnectionError)) throw error;
    this.#failures += 1;
    // The backoff starts below the requested delay, because a restarting server is back soon.
    return Math.min(this.#decoder.retryMs ?? FIRST_RETRY_MS, backoff(this.#failures));
  }
}

function gapOf({ reason, requestedId, firstAvailableId }: Record<string, unknown>): StreamGapError {
  return new StreamGapError(String(reason), textOf(requestedId) || null, textOf(firstAvailableId) || null);
}
