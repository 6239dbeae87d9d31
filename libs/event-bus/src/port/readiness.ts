import type { ConsumeOptions } from './port.ts';

/** Whether a consumer takes messages. */
export interface Readiness {
  /** Aborted while the consumer takes no messages. Another signal each time that it's ready. */
  lost(): AbortSignal;
  /** Resolves when the consumer is ready. */
  regained(): Promise<void>;
  /** Call it after a rejected batch: the consumer isn't ready until `untilReady` resolves. */
  lose(): void;
}

export function createReadiness(untilReady: ConsumeOptions['untilReady'], stopping: AbortSignal): Readiness {
  let losing = new AbortController();
  let regaining = Promise.resolve();

  async function regain(): Promise<void> {
    // What it waits for is unavailable; the next rejected batch waits again.
    await untilReady?.(stopping).catch(() => {});
    losing = new AbortController();
  }

  return {
    lost: () => losing.signal,
    regained: () => regaining,
    lose() {
      if (!untilReady || losing.signal.aborted) return;
      losing.abort();
      regaining = regain();
    },
  };
}
