import { useSyncExternalStore } from 'react';
import { createSubscribers } from './subscribers.ts';

const { subscribe, notify } = createSubscribers();
let pending: { promise: Promise<boolean>; resolve: (isConfirmed: boolean) => void } | undefined;

/** Connects requests that need a recent login with the dialog that asks for the password. */
export const reauthentication = {
  /**
   * Resolves with whether the user confirmed the password. Concurrent requests share one dialog.
   */
  ask(): Promise<boolean> {
    if (!pending) {
      let resolve: (isConfirmed: boolean) => void = () => {};
      const promise = new Promise<boolean>((resolver) => {
        resolve = resolver;
      });
      pending = { promise, resolve };
      notify();
    }
    return pending.promise;
  },
  end(isConfirmed: boolean): void {
    pending?.resolve(isConfirmed);
    pending = undefined;
    notify();
  },
};

export function useReauthenticationNeeded(): boolean {
  return useSyncExternalStore(subscribe, () => pending !== undefined);
}
