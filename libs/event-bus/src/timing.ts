import { setTimeout as delay } from 'node:timers/promises';

/** What a rejected batch, and the consumer that rejected it, wait before the next try. */
export const RETRY_PAUSE_MS = 1_000;

/** Resolves after that time, or as soon as `signal` aborts. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {});
}

/** Waits for `work` to end, well or badly, but no longer than that. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([work.catch(() => {}), pause(ms, timer.signal)]);
  timer.abort();
}

/** Something to wait for that happens again and again. */
export interface Bell {
  ring(): void;
  /** Resolves at the next ring, or as soon as `signal` aborts. */
  next(signal: AbortSignal): Promise<void>;
}

export function createBell(): Bell {
  const waiting = new Set<() => void>();
  return {
    ring() {
      for (const wake of waiting) wake();
    },
    next(signal) {
      return new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const wake = () => {
          waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        waiting.add(wake);
        signal.addEventListener('abort', wake);
      });
    },
  };
}
