const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

/** Runs `work` until the store takes it. What isn't the store's state (a mistake of ours) rejects at once. */
export type StoreRetry = <T>(work: () => Promise<T>) => Promise<T>;

/** Whether the store can't at the moment, but will again. */
export function isStoreFailure(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'UNAVAILABLE' || code === 'DISK_FULL';
}

/**
 * Retries with a growing pause, without end: what is to be written has happened already, and nothing else remembers it. Says
 * once that the store is away, and once that it is back. After `signal` has aborted, the next failure is final.
 */
export function createStoreRetry(options: {
  signal: AbortSignal;
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
}): StoreRetry {
  const { signal, log } = options;
  let isAway = false;

  return async (work) => {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        const result = await work();
        if (isAway) log.info({ event: 'store.back' }, 'the store takes work again');
        isAway = false;
        return result;
      } catch (error) {
        if (signal.aborted || !isStoreFailure(error)) throw error;
        if (!isAway)
          log.warn({ event: 'store.away', err: error }, 'the store takes no work; it is tried again');
        isAway = true;
      }
      await pauseUnless(signal, pause);
    }
  };
}

async function pauseUnless(signal: AbortSignal, ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
