/** The innermost matching element that the event passes, also inside open shadow roots, and their hosts. */
export function closest<E extends Element = Element>(event: Event, selector: string): E | undefined {
  return event.composedPath().find((node): node is E => node instanceof Element && node.matches(selector));
}

/**
 * How long a link that was clicked waits for a form, in milliseconds. Browsers let a page open a tab for about 5 seconds
 * after a click.
 */
const PATIENCE_MS = 4000;

/** Whether an opening that a click asked for is no longer wanted, because the link was followed meanwhile. */
export type IsLate = () => boolean;

/**
 * Opens a form in place of what the browser does at a click on a link. Where nothing opens, the link is followed after
 * all, by a copy that no other script of the page listens to. Clicks that ask the browser for a new tab, a new window or a
 * download are left alone. `open` gives nothing where the click isn't for it, else whether the form could be opened.
 * docs/adr/0036
 */
export function openInstead(
  event: Event,
  open: (isLate: IsLate) => Promise<boolean> | false | undefined,
): void {
  const { button, ctrlKey, metaKey, shiftKey, altKey } = event as MouseEvent;
  const link = closest<HTMLAnchorElement>(event, 'a[href]');
  if (link && (button || ctrlKey || metaKey || shiftKey || altKey || link.hasAttribute('download'))) return;
  let isLate = false;
  let isTaken = false;
  const opening = open(() => isLate);
  // Another script has taken care of the link.
  if (!link?.click || !opening || event.defaultPrevented) return;
  event.preventDefault();
  // A handler of the page that cancels the click from here on has taken care of the link, too.
  event.preventDefault = () => void (isTaken = true);
  const end = (isOpen?: boolean) => {
    clearTimeout(timer);
    if (isOpen || isLate || isTaken) return;
    isLate = true;
    const copy = link.cloneNode() as HTMLAnchorElement;
    copy.onclick = null;
    copy.click();
  };
  const timer = setTimeout(end, PATIENCE_MS);
  void opening.then(end);
}
