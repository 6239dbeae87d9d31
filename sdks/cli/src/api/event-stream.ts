import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../failure.ts';
import type { Api } from './api.ts';
import { ApiError, ConnectionError } from './api-error.ts';
import { FrameDecoder, type StreamItem } from './frames.ts';

/** The server sends a line every 15 seconds, so a connection without three of them is dead. */
const SILENCE_MS = 45_000;
const OPEN_TIMEOUT_MS = 30_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

interface EventStreamOptions {
  /** Types and patterns, separated by commas. */
  events: string;
  format?: 'webhook';
  /** The position to continue after. Absent: only new events. */
  after: string | undefined;
  /** Ends the stream. */
  signal: AbortSignal;
  /**
   * Called with `null` when the stream is open, and with the reason when it is lost, including at
   * the first attempt.
   */
  onConnection: (lost: string | null) => void;
}

/**
 * Reads the events of the account and connects again until the signal ends it. Each next item is
 * read after the caller has processed the one before, so a connection never continues after
 * something that wasn't processed.
 * @throws Failure if the server refuses the stream
 */
export async function* readEventStream(api: Api, options: EventStreamOptions): AsyncGenerator<StreamItem> {
  const { signal, onConnection } = options;
  let { after } = options;
  let failures = 0;
  while (!signal.aborted) {
    let pauseMs = FIRST_PAUSE_MS;
    try {
      for await (const item of readConnection(api, { ...options, after })) {
        // One chunk can contain many events, and the next start gets those that are left.
        if (signal.aborted) return;
        failures = 0;
        yield item;
        after = item.position;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isTransient(error)) throw error;
      const asked = error instanceof ApiError ? error.retryAfterMs : null;
      onConnection(error instanceof ConnectionError ? error.reason : error.message);
      // A proxy can ask for 0 seconds.
      pauseMs = asked || Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
      failures += 1;
    }
    await sleep(pauseMs * (0.8 + 0.4 * Math.random()), undefined, { signal }).catch(() => {});
  }
}

/** One connection, until the server ends it. */
async function* readConnection(api: Api, options: EventStreamOptions): AsyncGenerator<StreamItem> {
  const { events, format, after, signal, onConnection } = options;
  const closing = new AbortController();
  const close = () => closing.abort(signal.reason);
  signal.addEventListener('abort', close, { once: true });
  let timer: NodeJS.Timeout | undefined;
  const within = async <T>(ms: number, work: Promise<T>): Promise<T> => {
    timer = setTimeout(() => closing.abort(new Failure(`nothing received for ${ms / 1000} s`)), ms);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  };
  try {
    const opening = api.open(`/api/mcp/events/${events.split(',').map(encodeURIComponent).join(',')}`, {
      query: { format },
      accept: 'text/event-stream',
      headers: after === undefined ? {} : { 'Last-Event-ID': after },
      signal: closing.signal,
    });
    const response = await within(OPEN_TIMEOUT_MS, opening);
    onConnection(null);
    const decoder = new FrameDecoder();
    const reader = response.body?.getReader();
    while (reader) {
      const { value } = await within(SILENCE_MS, reader.read()).catch((error: unknown) => {
        throw new ConnectionError(api.baseUrl, error);
      });
      if (!value) return;
      yield* decoder.feed(value);
    }
  } finally {
    signal.removeEventListener('abort', close);
    closing.abort();
  }
}

/**
 * Whether a later try can succeed: the server is unavailable, busy, or has too many streams for the
 * moment.
 */
function isTransient(error: unknown): error is Failure {
  if (error instanceof ApiError) return error.status === 429 || error.status >= 500;
  return error instanceof ConnectionError;
}
