import { parts } from './parts.ts';

/** Stops the page behind from scrolling. Returns a function that restores it. */
export function lockScroll(): () => void {
  const root = document.documentElement;
  const undos: (() => void)[] = [];
  const set = (element: HTMLElement, styles: Record<string, string>) => {
    const had = element.hasAttribute('style');
    const before = Object.keys(styles).map(
      (name) =>
        [name, element.style.getPropertyValue(name), element.style.getPropertyPriority(name)] as const,
    );
    Object.entries(styles).forEach(([name, value]) => element.style.setProperty(name, value, 'important'));
    undos.push(() => {
      before.forEach(([name, value, priority]) => element.style.setProperty(name, value, priority));
      // Read first, because Chromium leaves an empty attribute behind if only the style object
      // changed.
      if (!had && element.getAttribute('style') !== null) element.removeAttribute('style');
    });
  };

  const hasBar = innerWidth > root.clientWidth;
  set(root, { overflow: 'hidden', ...(hasBar && { 'scrollbar-gutter': 'stable' }) });
  parts.touch?.lockBody(set, undos);
  return () => undos.forEach((undo) => undo());
}
