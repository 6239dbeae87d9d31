import { useEffect } from 'react';

/** Keys that may be held down, because they change nothing. */
const MOVES: readonly string[] = ['j', 'k'];

/** Where the user types or fills in something. A checkbox of the list only selects tasks. */
const TYPING = 'input:not(.inbox-list [type=checkbox]),textarea,select,[contenteditable]';

/**
 * Handles keyboard shortcuts, except while the user types, holds a modifier, or has a dialog open.
 */
export function useShortcuts(actions: Readonly<Record<string, (() => void) | undefined>>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      // A key held for a moment too long would decide the next tasks, which nobody has read.
      if (event.repeat && !MOVES.includes(event.key)) return;
      if (event.target instanceof Element && event.target.closest(TYPING)) return;
      // Enter activates a focused link or button.
      if (event.key === 'Enter' && event.target instanceof Element && event.target.closest('a,button'))
        return;
      if (document.querySelector('[role=dialog],[role=menu]')) return;
      const action = actions[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
}
