import type { MeOut } from '@svcforms/contracts';
import { useSyncExternalStore } from 'react';
import { sessionEnded } from './session-ended.ts';
import { createSubscribers } from './subscribers.ts';

/**
 * All tabs of a browser share one session, so a login in one tab changes the user of all others.
 */
const CHANNEL = 'svcforms.user';
const { subscribe, notify } = createSubscribers();
let isOther = false;

/** Says whether the session belongs to a user other than the one this page shows. */
export function setOtherUser(hasOther: boolean): void {
  if (hasOther === isOther) return;
  isOther = hasOther;
  // The dialog that asks this user to log in again would hide the input.
  if (hasOther) sessionEnded.end({ isSameUser: false });
  notify();
}

/** Tells the other tabs that this user is logged in now. */
export function announceUser(userId: string): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(userId);
  channel.close();
}

/**
 * Calls `listener` with the id of each user that another tab announces. Returns a function that
 * removes it.
 */
export function onAnnouncedUser(listener: (userId: string) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }: MessageEvent<string>) => listener(data));
  return () => channel.close();
}

/** Watches whether another tab logs in as a user other than this one. Returns what ends it. */
export function watchOtherTabs(userId: string, fetchMe: () => Promise<MeOut>): () => void {
  const end = onAnnouncedUser((announcedId) => {
    if (announcedId !== userId) setOtherUser(true);
    // A tab may have loaded its user before another one logged in, so the server decides.
    void fetchMe().then(
      ({ id }) => setOtherUser(id !== userId),
      () => {},
    );
  });
  return () => {
    end();
    setOtherUser(false);
  };
}

/** Whether the session belongs to a user other than the one this page shows. */
export const hasOtherUser = (): boolean => isOther;

export const useHasOtherUser = (): boolean => useSyncExternalStore(subscribe, hasOtherUser);
