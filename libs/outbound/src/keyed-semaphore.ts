/** Returns the permit. */
type Release = () => void;

/**
 * Limits concurrency per key: at most `permits` holders of one key, and a queue in order of
 * arrival. A key at its limit doesn't delay other keys.
 */
export function createKeyedSemaphore(
  permits: number,
): (key: string, signal?: AbortSignal) => Promise<Release> {
  const states = new Map<string, { count: number; waiting: (() => void)[] }>();

  function release(key: string): void {
    const state = states.get(key);
    if (!state) return;
    const next = state.waiting.shift();
    if (next) return next();
    state.count -= 1;
    if (state.count === 0) states.delete(key);
  }

  /** Rejects with the signal's reason if it aborts before a permit is free. */
  return async function acquire(key, signal) {
    signal?.throwIfAborted();
    const state = states.get(key) ?? { count: 0, waiting: [] };
    states.set(key, state);
    if (state.count < permits) {
      state.count += 1;
    } else {
      await new Promise<void>((resolve, reject) => {
        const onAbort = () => {
          state.waiting.splice(state.waiting.indexOf(onFree), 1);
          reject(signal?.reason as Error);
        };
        const onFree = () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        state.waiting.push(onFree);
      });
    }
    let isReleased = false;
    return () => {
      if (!isReleased) release(key);
      isReleased = true;
    };
  };
}
