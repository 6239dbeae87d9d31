/**
 * Gives the focus back to the button that had it, once it's enabled again: a button is disabled
 * while its request runs, and browsers take the focus from what is disabled.
 */
export function keepButtonFocus(): void {
  let last: EventTarget | null = null;
  document.addEventListener('focusin', ({ target }) => (last = target));
  new MutationObserver((changes) => {
    const button = changes.find(({ target }) => target === last)?.target;
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (isLost && button instanceof HTMLButtonElement) button.focus({ preventScroll: true });
  }).observe(document, { subtree: true, attributeFilter: ['disabled'] });
}
