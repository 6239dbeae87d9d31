import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let ended = false;

/** Whether the product has refused the login that this page began with. */
export const sessionEnded = {
  set(value: boolean): void {
    ended = value;
    for (const listener of listeners) listener();
  },
};

export function useSessionEnded(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => ended,
  );
}
