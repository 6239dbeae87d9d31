import { isStoreFailure, type DocumentStore } from '@svcforms/document-store';
import { pause, type Clock, type Logger } from '@svcforms/primitives';

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;
/**
 * How long this process keeps an event that it can't store. Others may reach the store, and get the
 * event then, as if this process had died.
 */
export const EVENT_WAIT_MS = 30_000;

/**
 * Runs `work` until the store accepts it. Rejects at once if the error isn't an outage of the
 * store.
 */
export type StoreRetry = <T>(work: () => Promise<T>) => Promise<T>;

export interface StoreRetries {
  /** Gives up after {@link EVENT_WAIT_MS} without the store, or when the service stops. */
  intake: StoreRetry;
  /** Gives up when the service stops. */
  started: StoreRetry;
  /** Gives up when the attempts of the service have ended. */
  results: StoreRetry;
}

/**
 * Retries with a growing pause, until the store has been unavailable for `giveUpAfterMs`. Without
 * it, there is no limit, because nothing else remembers what must be written. Logs when the store
 * becomes unavailable and when it is back. When `signal` has aborted, the next failure is final.
 */
export function createStoreRetry({
  signal,
  log,
  now,
  giveUpAfterMs = Infinity,
}: {
  signal: AbortSignal;
  log: Pick<Logger, 'info' | 'warn'>;
  now: Clock;
  giveUpAfterMs?: number;
}): StoreRetry {
  let unavailableSince: number | undefined;

  return async (work) => {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      try {
        const result = await work();
        if (unavailableSince !== undefined)
          log.info({ event: 'store.back' }, 'the document store is available again');
        unavailableSince = undefined;
        return result;
      } catch (error) {
        if (signal.aborted || !isStoreFailure(error)) throw error;
        if (unavailableSince === undefined)
          log.warn({ event: 'store.away', err: error }, 'the document store is unavailable; retrying');
        unavailableSince ??= now();
        if (now() - unavailableSince >= giveUpAfterMs) throw error;
      }
      await pause(pauseMs, signal);
    }
  };
}

/**
 * Returns a function that resolves when the store responds, or when its signal aborts. Consumers
 * take no events until then. `retry` learns that the store is available, too.
 */
export function createUntilStoreResponds(
  store: Pick<DocumentStore, 'ping'>,
  retry: StoreRetry,
): (stopping: AbortSignal) => Promise<void> {
  return async (stopping) => {
    while (!stopping.aborted) {
      try {
        return await retry(() => store.ping());
      } catch {
        await pause(MAX_PAUSE_MS, stopping);
      }
    }
  };
}
