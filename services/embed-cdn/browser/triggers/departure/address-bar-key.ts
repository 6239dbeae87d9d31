import type { WatchDeparture } from './departure.ts';

/** Cmd+L goes to the address bar, on macOS. Ctrl+L is deliberately not watched. */
export const addressBarKey: WatchDeparture = ({ scope }, leave) => {
  scope.on(window, 'keydown', (event) => {
    const { key, metaKey, ctrlKey, altKey, shiftKey } = event as KeyboardEvent;
    if (!metaKey || ctrlKey || altKey || shiftKey || !/^l$/i.test(key)) return;
    // Asked for only now: the first time, browsers take longer for it than for all of arming's listeners.
    if (navigator.platform.startsWith('Mac')) leave();
  });
};
