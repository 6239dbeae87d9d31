import { StreamState, type OnGap } from '../events/state.ts';
import { EventStream } from '../events/stream.ts';
import * as api from '../http/request.ts';
import { readList } from '../http/responses.ts';
import type { Transport } from '../http/transport.ts';
import type { EventType, RequestOptions, StreamEventType } from '../types.ts';

/** An event type of the stream. `hitl.task.*`, `form.*` and `*` are wildcards. */
export type StreamFilter = StreamEventType | 'hitl.task.*' | 'form.*' | '*' | (string & {});

/** Options of `events.stream`. */
export interface StreamOptions {
  /**
   * Continue after this event (`event.id`, `stream.lastEventId`, `task.eventCursor`). Default: only
   * events after the stream has connected.
   */
  lastEventId?: string | null | undefined;
  /** Ends the stream. The iterator throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Whether to throw or continue when the server no longer has some of the events. Default:
   * `throw`.
   */
  onGap?: OnGap | undefined;
}

/** `client.events`. Scope of the stream: `events:read`. */
export class Events {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Returns every event type with examples and the JSON Schema of the payload that webhooks get.
   */
  async types(options?: RequestOptions): Promise<EventType[]> {
    return readList(await this.#transport.send(api.get('/api/event-types', undefined, options)));
  }

  /**
   * Opens an endless stream of events of one or more types. The stream connects when you ask for
   * the first event, reconnects, continues after the last event and returns each event once.
   *
   * During iteration it throws `StreamGapError` if the server no longer has some of the events,
   * `APIStatusError` if the API key is invalid or an event type doesn't exist, and
   * `APIConnectionError` if the first connection failed.
   *
   * @example
   * const events = client.events.stream('hitl.task.completed', { lastEventId: saved });
   * for await (const event of events) {
   *   await handle(event);
   *   saved = event.id;
   * }
   */
  stream(types: StreamFilter | readonly StreamFilter[] = '*', options: StreamOptions = {}): EventStream {
    const state = new StreamState(types, options.lastEventId, options.onGap ?? 'throw');
    return new EventStream(this.#transport, state, options.signal);
  }
}
