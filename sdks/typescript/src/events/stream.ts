import { SvcFormsError } from '../errors.ts';
import { firstLine, sleep, type StreamedResponse, type Transport } from '../http/transport.ts';
import type { StreamEvent } from '../types.ts';
import type { StreamState } from './state.ts';

/**
 * An endless iterator over events that reconnects and continues after the last event. Leaving a
 * `for await` loop closes it.
 */
export class EventStream implements AsyncIterableIterator<StreamEvent> {
  readonly #transport: Transport;
  readonly #state: StreamState;
  readonly #caller: AbortSignal | undefined;
  readonly #closing = new AbortController();
  readonly #onAbort = (): void => this.#closing.abort(this.#caller?.reason);
  #response: StreamedResponse | null = null;
  readonly #buffer: StreamEvent[] = [];
  #failure: SvcFormsError | null = null;
  #hasConnected = false;
  #isClosed = false;
  #last: Promise<unknown> = Promise.resolve();

  /** @internal */
  constructor(transport: Transport, state: StreamState, signal: AbortSignal | undefined) {
    this.#transport = transport;
    this.#state = state;
    this.#caller = signal;
    if (signal?.aborted) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /**
   * The id of the last event that you received, or a later position that the server reported since.
   * Pass it to `stream` to continue after it.
   */
  get lastEventId(): string | null {
    return this.#state.lastDelivered;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Waits for the next event. Concurrent calls wait for each other. */
  next(): Promise<IteratorResult<StreamEvent, undefined>> {
    const result = this.#last.then(() => this.#next());
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Closes the stream. */
  async return(): Promise<IteratorResult<StreamEvent, undefined>> {
    this.close();
    return { done: true, value: undefined };
  }

  /** Closes the connection and ends the iterator. */
  close(): void {
    this.#isClosed = true;
    this.#caller?.removeEventListener('abort', this.#onAbort);
    this.#disconnect();
    this.#closing.abort();
  }

  async #next(): Promise<IteratorResult<StreamEvent, undefined>> {
    try {
      for (;;) {
        // Even with events in the buffer: one chunk can contain many.
        this.#caller?.throwIfAborted();
        if (this.#isClosed) return { done: true, value: undefined };
        const value = this.#buffer.shift();
        if (value !== undefined) {
          this.#state.lastDelivered = value.id;
          return { done: false, value };
        }
        await this.#advance();
      }
    } catch (error) {
      this.#caller?.throwIfAborted();
      // `close` ended a wait.
      if (this.#isClosed) return { done: true, value: undefined };
      this.close();
      throw error;
    }
  }

  /** Connects, reads the next chunk, or waits before it reconnects. */
  async #advance(): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    this.#state.onDelivered();
    let problem: SvcFormsError | null = null;
    try {
      if (this.#response === null) {
        const request = this.#state.nextRequest(this.#closing.signal);
        this.#response = await this.#transport.open(request, 'text/event-stream');
        this.#state.onOpen();
        this.#hasConnected = true;
      }
      const chunk = await this.#response.next();
      if (chunk !== null) {
        const { events, failure } = this.#state.read(chunk);
        this.#buffer.push(...events);
        // The caller receives the events before the failure first.
        this.#failure = failure;
        return;
      }
    } catch (error) {
      if (!this.#hasConnected || !(error instanceof SvcFormsError)) throw error;
      problem = error;
    }
    this.#disconnect();
    const delay = this.#state.reconnectDelay(problem);
    const reason = problem === null ? 'closed by the server' : firstLine(problem);
    this.#transport.log(`event stream: ${reason}; reconnecting in ${Math.round(delay)} ms`);
    await sleep(delay, this.#closing.signal);
  }

  #disconnect(): void {
    this.#response?.close();
    this.#response = null;
  }
}
