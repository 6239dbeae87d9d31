import type { ExitSignal } from './signal.ts';

/** Cmd+L moves the focus to the address bar on macOS. Ctrl+L is deliberately ignored. */
export const addressBarKey: ExitSignal = ({ scope }, leave) => {
  scope.on(window, 'keydown', (event) => {
    const { key, metaKey, ctrlKey, altKey, shiftKey } = event as KeyboardEvent;
    if (!metaKey || ctrlKey || altKey || shiftKey || !/^l$/i.test(key)) return;
    // The first read of `platform` takes longer than adding all listeners, so it isn't read while
    // arming.
    if (navigator.platform.startsWith('Mac')) leave();
  });
};
