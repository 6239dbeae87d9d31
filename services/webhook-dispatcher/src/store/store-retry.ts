import { isStoreFailure } from '@svcforms/document-store';
import { pause, type Logger } from '@svcforms/primitives';

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;

/**
 * Runs `work` until the store accepts it. Rejects at once if the error isn't an outage of the
 * store.
 */
export type StoreRetry = <T>(work: () => Promise<T>) => Promise<T>;

/** `intake` gives up when the service stops, `results` when its attempts have ended. */
export interface StoreRetries {
  intake: StoreRetry;
  results: StoreRetry;
}

/**
 * Retries with a growing pause and without a limit, because nothing else remembers what must be
 * written. Logs when the store becomes unavailable and when it is back. When `signal` has aborted,
 * the next failure is final.
 */
export function createStoreRetry({
  signal,
  log,
}: {
  signal: AbortSignal;
  log: Pick<Logger, 'info' | 'warn'>;
}): StoreRetry {
  let isAvailable = true;

  return async (work) => {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      try {
        const result = await work();
        if (!isAvailable) log.info({ event: 'store.back' }, 'the document store is available again');
        isAvailable = true;
        return result;
      } catch (error) {
        if (signal.aborted || !isStoreFailure(error)) throw error;
        if (isAvailable)
          log.warn({ event: 'store.away', err: error }, 'the document store is unavailable; retrying');
        isAvailable = false;
      }
      await pause(pauseMs, signal);
    }
  };
}
