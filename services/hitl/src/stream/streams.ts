import { AppError } from '@svcforms/contracts';
import type { Caller } from '@svcforms/identity';
import { EventStream, type EventStreamDeps, type StreamRequest } from './event-stream.ts';
import { steadyClock } from './steady-clock.ts';
import type { StreamCounts } from './stream-counts.ts';
import type { ServerResponse } from 'node:http';

const MAX_PER_CALLER = 10;
const MAX_PER_ACCOUNT = 100;
const TICK_MS = 1_000;
const KEEPALIVE_MS = 15_000;
/** Streams of a deleted key must end within 5 s, including one tick and one query. */
const CHECK_INTERVAL_MS = 3_000;
const LIFETIME_MS = 30 * 60_000;
const LIFETIME_JITTER = 0.1;
/** The share of the server's drain time after which the last stream ends. */
const DRAIN_SHARE = 0.75;

interface StreamsDeps extends Omit<EventStreamDeps, 'steadyNow'> {
  counts: StreamCounts;
  /** Whether the caller may still read events. */
  mayStill: (caller: Caller) => Promise<boolean>;
  random?: () => number;
}

export interface Streams {
  /** Counts a stream of the caller before it is open. @throws AppError `TOO_MANY_STREAMS` */
  reserve(caller: Caller): Promise<Reservation>;
  /** The number of open streams of this process. */
  open(): number;
  start(): void;
  /** Ends all streams, spread over `withinMs` so that they don't all reconnect at once. */
  drain(withinMs: number): void;
  stop(): Promise<void>;
}

interface Reservation {
  open(request: StreamRequest, response: ServerResponse): void;
  cancel(): void;
}

interface Entry {
  stream: EventStream;
  keepAliveAt: number;
  checkAt: number;
  endAt: number;
}

/**
 * The streams of a process: their limits, lifetime and keepalive.
 * docs/reference/events.md#stream-limits
 */
export function createStreams(deps: StreamsDeps): Streams {
  const { counts, mayStill, log, random = Math.random } = deps;
  const now = steadyClock(deps.now);
  const entries = new Set<Entry>();
  let timer: NodeJS.Timeout | undefined;
  let isDraining = false;

  function tick(): void {
    const at = now();
    for (const entry of entries) {
      const { stream } = entry;
      if (stream.closeIfStalled()) {
        log.warn(
          { event: 'stream.stalled', accountId: stream.accountId, callerId: stream.caller.id },
          'the reader of a stream stopped reading; the stream was closed',
        );
      } else if (at >= entry.endAt) {
        stream.end();
      } else {
        if (at >= entry.keepAliveAt) {
          entry.keepAliveAt = at + KEEPALIVE_MS;
          stream.keepAlive();
        }
        if (at >= entry.checkAt) {
          entry.checkAt = at + CHECK_INTERVAL_MS;
          void check(stream);
        }
      }
    }
  }

  async function check(stream: EventStream): Promise<void> {
    try {
      if (!(await mayStill(stream.caller))) stream.end();
    } catch {
      // An unavailable store doesn't end streams; the next check tries again.
    }
  }

  function open(request: StreamRequest, response: ServerResponse, release: () => void): void {
    const at = now();
    const stream = new EventStream({ ...deps, steadyNow: now }, request, response);
    const lifetime = LIFETIME_MS * (1 + LIFETIME_JITTER * (2 * random() - 1));
    const entry: Entry = {
      stream,
      keepAliveAt: at + KEEPALIVE_MS,
      checkAt: at + CHECK_INTERVAL_MS,
      endAt: isDraining ? at : at + lifetime,
    };
    entries.add(entry);
    timer ??= setInterval(tick, TICK_MS);
    const close = () => {
      if (!entries.delete(entry)) return;
      release();
      if (entries.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
    response.on('close', close);
    if (response.destroyed) close();
    void stream.run();
  }

  return {
    async reserve(caller) {
      const { accountId, id } = caller;
      if (!(await counts.add(id, MAX_PER_CALLER))) throw tooMany(`You have ${MAX_PER_CALLER}`);
      if (!(await counts.add(accountId, MAX_PER_ACCOUNT))) {
        counts.remove(id);
        throw tooMany(`This account has ${MAX_PER_ACCOUNT}`);
      }
      let isCounted = true;
      const release = () => {
        if (!isCounted) return;
        isCounted = false;
        counts.remove(id);
        counts.remove(accountId);
      };
      return { open: (request, response) => open(request, response, release), cancel: release };
    },
    open: () => entries.size,
    start: () => counts.start(),
    drain(withinMs) {
      isDraining = true;
      const at = now();
      for (const entry of entries) {
        const left = withinMs * DRAIN_SHARE * random();
        entry.endAt = Math.min(entry.endAt, at + left);
        setTimeout(() => entry.stream.end(), left);
      }
    },
    async stop() {
      for (const { stream } of entries) stream.end();
      clearInterval(timer);
      await counts.stop();
    },
  };
}

function tooMany(whose: string): AppError {
  return new AppError('TOO_MANY_STREAMS', `${whose} streams open; close one first`, {
    headers: { 'Retry-After': '5' },
  });
}
