/**
 * Returns the innermost matching element on the event's path, including elements in open shadow
 * roots and their hosts. Takes the method from the prototype, because a form of the page may have a
 * control named `matches`.
 */
export function closest(event: Event, selector: string): Element | undefined {
  return event
    .composedPath()
    .find(
      (node): node is Element => node instanceof Element && Element.prototype.matches.call(node, selector),
    );
}

/** Links of the page, including those in image maps and drawings. */
const LINKS = ':any-link';

/**
 * How long a clicked link waits for the form, in milliseconds. Browsers let a page open a tab for
 * about 5 seconds after a click.
 */
const PATIENCE_MS = 4000;

/** Whether the form is no longer wanted because the link was followed in the meantime. */
export type IsLate = () => boolean;

/**
 * Opens a form instead of following the clicked link. If no form opens, follows the link after all,
 * through a copy that no other script listens to. Ignores clicks that ask for a new tab, a new
 * window, or a download. `open` returns nothing if the click isn't meant for it; otherwise it
 * resolves with whether the form opened. ADR 0036
 */
export function openInstead(
  event: Event,
  open: (isLate: IsLate) => Promise<boolean> | false | undefined,
): void {
  const click = event as MouseEvent;
  const link = closest(event, LINKS);
  if (
    link &&
    (click.button ||
      click.ctrlKey ||
      click.metaKey ||
      click.shiftKey ||
      click.altKey ||
      link.hasAttribute('download'))
  )
    return;
  let isLate = false;
  let isTaken = false;
  const opening = open(() => isLate);
  // Another script has already handled the link.
  if (!link || !opening || event.defaultPrevented) return;
  event.preventDefault();
  // If a handler of the page cancels the click from here on, it has handled the link too.
  event.preventDefault = () => void (isTaken = true);
  const end = (isOpen?: boolean) => {
    clearTimeout(timer);
    if (isOpen || isLate || isTaken) return;
    isLate = true;
    const copy = document.createElement('a');
    for (const name of ['href', 'target', 'rel', 'referrerpolicy', 'ping']) {
      const value = link.getAttribute(name) ?? link.getAttribute(`xlink:${name}`);
      if (value) copy.setAttribute(name, value);
    }
    copy.click();
  };
  const timer = setTimeout(end, PATIENCE_MS);
  void opening.then(end);
}
