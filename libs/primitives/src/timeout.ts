import { setTimeout as sleep } from 'node:timers/promises';

/** The work took longer than its limit. */
export class TimeoutError extends Error {
  override name = 'TimeoutError';
}

/**
 * Returns the result of `work`. The work isn't cancelled when the time is up.
 *
 * @param ms the limit in milliseconds
 * @throws TimeoutError when `work` takes longer than `ms`
 */
export async function withTimeout<T>(work: T | Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(`no response within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Waits for `work`, but no longer than `ms` milliseconds. Returns whether the work ended in time;
 * rejects if it rejected in time.
 */
export async function waitAtMost(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  try {
    return await Promise.race([work.then(() => true), expired]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves after `ms` milliseconds, or as soon as `signal` aborts. Never rejects. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
