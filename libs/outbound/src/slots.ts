/** Gives the slot back. */
type Release = () => void;

/**
 * Bounds how many things are done at the same time for each key; who finds no free slot waits in order. A key that is at its bound
 * doesn't delay the others.
 */
export function createSlots(perKey: number): (key: string, signal?: AbortSignal) => Promise<Release> {
  const used = new Map<string, { count: number; waiting: (() => void)[] }>();

  function release(key: string): void {
    const slots = used.get(key);
    if (!slots) return;
    const next = slots.waiting.shift();
    if (next) return next();
    slots.count -= 1;
    if (slots.count === 0) used.delete(key);
  }

  /** Rejects with the signal's reason when that comes before a slot is free. */
  return async function take(key, signal) {
    signal?.throwIfAborted();
    const slots = used.get(key) ?? { count: 0, waiting: [] };
    used.set(key, slots);
    if (slots.count < perKey) {
      slots.count += 1;
    } else {
      await new Promise<void>((resolve, reject) => {
        const onAbort = () => {
          slots.waiting.splice(slots.waiting.indexOf(onFree), 1);
          reject(signal?.reason as Error);
        };
        const onFree = () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        slots.waiting.push(onFree);
      });
    }
    let isHeld = true;
    return () => {
      if (isHeld) release(key);
      isHeld = false;
    };
  };
}
