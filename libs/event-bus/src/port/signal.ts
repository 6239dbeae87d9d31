/** Wakes waiters each time an event occurs. */
export interface Signal {
  send(): void;
  /** Resolves at the next `send`, or as soon as `stop` aborts. */
  next(stop: AbortSignal): Promise<void>;
}

export function createSignal(): Signal {
  const waiting = new Set<() => void>();
  return {
    send() {
      for (const wake of waiting) wake();
    },
    next(stop) {
      return new Promise((resolve) => {
        if (stop.aborted) return resolve();
        const wake = () => {
          waiting.delete(wake);
          stop.removeEventListener('abort', wake);
          resolve();
        };
        waiting.add(wake);
        stop.addEventListener('abort', wake);
      });
    },
  };
}
