/** Those who watch a value outside of React, for `useSyncExternalStore`. */
export function createSubscribers() {
  const all = new Set<() => void>();
  return {
    /** Returns what ends it. */
    subscribe: (subscriber: () => void): (() => void) => {
      all.add(subscriber);
      return () => void all.delete(subscriber);
    },
    notify: (): void => {
      for (const subscriber of all) subscriber();
    },
    areAny: (): boolean => all.size > 0,
  };
}
