import { useEffect, useState } from 'react';

/**
 * What had the focus on the page before a dialog. A dialog that follows another one returns it
 * there.
 */
let opener: Element | null = null;

/** Returns the focus at the end of the component to what had it at the start. */
export function useReturnedFocus(): void {
  const [before] = useState(() => {
    const active = document.activeElement;
    const isOnPage = active !== document.body && !active?.closest('[role="dialog"]');
    if (isOnPage) opener = active;
    return [active, opener];
  });
  useEffect(
    () => () => {
      // Another dialog, or the next screen, may take the focus first.
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        const target = before.find((one) => one?.isConnected && one !== document.body);
        if (target instanceof HTMLElement) target.focus({ preventScroll: true });
      });
    },
    [before],
  );
}
