import { AppError } from '@svcforms/contracts';
import type { Caller } from '@svcforms/identity';
import { EventStream, type EventStreamDeps, type StreamRequest } from './event-stream.ts';
import type { ServerResponse } from 'node:http';

const MAX_OF_CALLER = 10;
const MAX_OF_ACCOUNT = 100;
const TICK_MS = 1_000;
const KEEPALIVE_MS = 15_000;
/** A deleted key has to be noticed within 5 s, the tick and the question included. */
const CHECK_EVERY_MS = 3_000;
const LIFETIME_MS = 30 * 60_000;
const LIFETIME_SPREAD = 0.1;
/** Of the time that the server gives, so that the last one is gone in time. */
const DRAIN_SHARE = 0.75;

export interface StreamsDeps extends EventStreamDeps {
  /** Whether a caller who was let in may still read events. */
  mayStill: (caller: Caller) => Promise<boolean>;
  /** From 0 to 1. */
  random?: () => number;
}

export interface Streams {
  /** Takes a place for a stream of the caller. @throws AppError `TOO_MANY_STREAMS` */
  reserve(caller: Caller): { open(request: StreamRequest, response: ServerResponse): void; giveUp(): void };
  /** How many there are. */
  open(): number;
  /** Ends all streams, spread over this time. */
  drain(withinMs: number): void;
  stop(): void;
}

interface Entry {
  stream: EventStream;
  keepAliveAt: number;
  checkAt: number;
  endAt: number;
}

/** All streams of a process: how many there may be, and how long each lasts. contract: tasks.md, Stream */
export function createStreams(deps: StreamsDeps): Streams {
  const { mayStill, now, log, random = Math.random } = deps;
  const entries = new Set<Entry>();
  const counts = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let isDraining = false;

  const count = (who: string, by: 1 | -1) => {
    const next = (counts.get(who) ?? 0) + by;
    if (next > 0) counts.set(who, next);
    else counts.delete(who);
  };

  function tick(): void {
    const at = now();
    for (const entry of entries) {
      const { stream } = entry;
      if (stream.cutIfStalled()) {
        log.warn(
          { event: 'stream.stalled', accountId: stream.accountId, callerId: stream.caller.id },
          'the reader of a stream has stopped reading; it is cut off',
        );
      } else if (at >= entry.endAt) {
        stream.end();
      } else {
        if (at >= entry.keepAliveAt) {
          entry.keepAliveAt = at + KEEPALIVE_MS;
          stream.keepAlive();
        }
        if (at >= entry.checkAt) {
          entry.checkAt = at + CHECK_EVERY_MS;
          void check(stream);
        }
      }
    }
  }

  async function check(stream: EventStream): Promise<void> {
    try {
      if (!(await mayStill(stream.caller))) stream.end();
    } catch {
      // A store that is away says nothing about the key.
    }
  }

  function open(request: StreamRequest, response: ServerResponse, giveUp: () => void): void {
    const at = now();
    const stream = new EventStream(deps, request, response);
    const lifetime = LIFETIME_MS * (1 + LIFETIME_SPREAD * (2 * random() - 1));
    const entry: Entry = {
      stream,
      keepAliveAt: at + KEEPALIVE_MS,
      checkAt: at + CHECK_EVERY_MS,
      endAt: isDraining ? at : at + lifetime,
    };
    entries.add(entry);
    timer ??= setInterval(tick, TICK_MS);
    const close = () => {
      if (!entries.delete(entry)) return;
      giveUp();
      if (entries.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
    response.on('close', close);
    if (response.destroyed) close();
    void stream.run();
  }

  return {
    reserve(caller) {
      const { accountId, id } = caller;
      const [ofCaller, ofAccount] = [counts.get(id) ?? 0, counts.get(accountId) ?? 0];
      if (ofCaller >= MAX_OF_CALLER || ofAccount >= MAX_OF_ACCOUNT) {
        const whose =
          ofCaller >= MAX_OF_CALLER ? `This key has ${MAX_OF_CALLER}` : `This account has ${MAX_OF_ACCOUNT}`;
        throw new AppError('TOO_MANY_STREAMS', `${whose} streams open; close one first`, {
          headers: { 'Retry-After': '5' },
        });
      }
      count(id, 1);
      count(accountId, 1);
      let isTaken = true;
      const giveUp = () => {
        if (!isTaken) return;
        isTaken = false;
        count(id, -1);
        count(accountId, -1);
      };
      return { open: (request, response) => open(request, response, giveUp), giveUp };
    },
    open: () => entries.size,
    drain(withinMs) {
      isDraining = true;
      const at = now();
      for (const entry of entries) {
        const left = withinMs * DRAIN_SHARE * random();
        entry.endAt = Math.min(entry.endAt, at + left);
        setTimeout(() => entry.stream.end(), left);
      }
    },
    stop() {
      for (const { stream } of entries) stream.end();
      clearInterval(timer);
    },
  };
}
