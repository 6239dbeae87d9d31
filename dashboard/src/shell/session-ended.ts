import { useSyncExternalStore } from 'react';

const subscribers = new Set<() => void>();
let ended = false;

/** Whether the session of this page has ended. */
export const sessionEnded = {
  set(value: boolean): void {
    ended = value;
    for (const subscriber of subscribers) subscriber();
  },
};

export function useSessionEnded(): boolean {
  return useSyncExternalStore(
    (subscriber) => {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    () => ended,
  );
}
