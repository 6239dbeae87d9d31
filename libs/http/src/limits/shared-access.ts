import { TimeoutError, type Clock, type Logger } from '@svcforms/primitives';
import type { SharedValues } from './shared-values.ts';

/**
 * A request waits for the shared values no longer than this many times this long; it is then
 * counted locally.
 */
const CHECKS = 8;
const CHECK_MS = 250;
const PROBE_EVERY_MS = 500;
const PROBE_KEY = 'probe';
const PROBE_TTL_MS = 5_000;
const LOG_FULL_EVERY_MS = 60_000;

/** The shared values while they respond. */
export interface SharedAccess {
  readonly values: Pick<SharedValues, 'read' | 'replace'>;
  readonly now: Clock;
  /** Whether the shared values don't respond. Then callers count locally and don't wait. */
  isAway(): boolean;
  /**
   * Runs `work` for two seconds at most. `isOver` tells it that nobody waits for it anymore: it
   * must then change no state. Rejects if the shared values don't respond in time or reject.
   */
  run<T>(work: (isOver: () => boolean) => Promise<T>): Promise<T>;
}

/**
 * Remembers when the shared values stop responding, so that one request waits for them and not each
 * one. ADR 0050
 */
export function createSharedAccess(values: SharedValues, log: Pick<Logger, 'info' | 'warn'>): SharedAccess {
  let away = false;
  let isProbing = false;
  let probeAt = 0;
  let fullLoggedAt = -Infinity;

  function noteFailure(error: unknown): void {
    const at = performance.now();
    if (isFull(error)) {
      // Values that exist can still change, so only new ones are counted locally.
      if (at - fullLoggedAt < LOG_FULL_EVERY_MS) return;
      fullLoggedAt = at;
      log.warn(
        { event: 'limits.full', err: error },
        'no room for more shared counters; counting some locally',
      );
      return;
    }
    if (away) return;
    away = true;
    probeAt = at + PROBE_EVERY_MS;
    log.warn({ event: 'limits.local', err: error }, 'shared counters are not available; counting locally');
  }

  /** A write, because a backend may still serve reads when it can't write. */
  async function probe(): Promise<void> {
    isProbing = true;
    try {
      const found = await inTime(values.read(PROBE_KEY));
      const revision = found?.revision ?? null;
      await inTime(values.replace(PROBE_KEY, '', { revision, ttlMs: PROBE_TTL_MS }));
      away = false;
      log.info({ event: 'limits.shared' }, 'shared counters are available again');
    } catch {
      probeAt = performance.now() + PROBE_EVERY_MS;
    } finally {
      isProbing = false;
    }
  }

  return {
    values,
    now: () => values.now(),
    isAway() {
      if (away && !isProbing && performance.now() >= probeAt) void probe();
      return away;
    },
    async run(work) {
      let over = false;
      try {
        return await inTime(work(() => over));
      } catch (error) {
        noteFailure(error);
        throw error;
      } finally {
        over = true;
      }
    },
  };
}

/**
 * Rejects when `work` takes too long. Only time in which this process runs counts: on a busy
 * machine, a late timer says nothing about the backend, whose response may wait to be read.
 * @throws TimeoutError
 */
function inTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let left = CHECKS;
    let timer = setTimeout(check, CHECK_MS);
    function check(): void {
      left -= 1;
      if (left > 0) timer = setTimeout(check, CHECK_MS);
      // Responses that have arrived are read before this.
      else setImmediate(() => reject(new TimeoutError(`no response within ${CHECKS * CHECK_MS} ms`)));
    }
    void work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FULL';
}
