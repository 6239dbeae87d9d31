import { useEffect } from 'react';

/**
 * Handles keyboard shortcuts, except while the user types, holds a modifier, or has a dialog open.
 */
export function useShortcuts(actions: Readonly<Record<string, (() => void) | undefined>>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest('input,textarea,select,[contenteditable]'))
        return;
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
