import { useSyncExternalStore } from 'react';
import { createSubscribers } from './subscribers.ts';

const { subscribe, notify, areAny } = createSubscribers();
/** The requests that are sent again after the login. */
const waiting: (() => void)[] = [];
let ended = false;

/**
 * Whether the session of this page has ended. Connects requests with the dialog that asks to log in
 * again.
 */
export const sessionEnded = {
  start(): void {
    ended = true;
    notify();
  },
  /**
   * Asks the user to log in again, and resolves once they have. Resolves with false where no dialog
   * can ask, which is outside the shell.
   */
  ask(): Promise<boolean> {
    if (!areAny()) return Promise.resolve(false);
    return new Promise((resolve) => {
      waiting.push(() => resolve(true));
      sessionEnded.start();
    });
  },
  /** Resumes the waiting requests, but only for the same user. */
  end({ isSameUser }: { isSameUser: boolean }): void {
    ended = false;
    const requests = waiting.splice(0);
    notify();
    if (isSameUser) for (const resume of requests) resume();
  },
};

export const useSessionEnded = (): boolean => useSyncExternalStore(subscribe, () => ended);

/** Whether a change of the user waits for the login. */
export const useHasWaiting = (): boolean => useSyncExternalStore(subscribe, () => waiting.length > 0);
