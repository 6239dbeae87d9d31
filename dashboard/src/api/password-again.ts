import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
/** Of the question that is open: ends it. */
let answer: ((isGiven: boolean) => void) | undefined;
let asking: Promise<boolean> | undefined;

function changed(): void {
  for (const listener of listeners) listener();
}

/** Calls that need a recent login wait here for the password; the shell shows the question. */
export const passwordAgain = {
  /** Resolves with whether the password was given. Calls that ask at the same time share one question. */
  ask(): Promise<boolean> {
    asking ??= new Promise((resolve) => {
      answer = resolve;
    });
    changed();
    return asking;
  },
  end(isGiven: boolean): void {
    answer?.(isGiven);
    answer = asking = undefined;
    changed();
  },
};

export function usePasswordAgain(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asking !== undefined,
  );
}
