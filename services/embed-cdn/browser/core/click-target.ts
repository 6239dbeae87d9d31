/** The innermost matching element that the event passes, also inside open shadow roots, and their hosts. */
export function closest<E extends Element = Element>(event: Event, selector: string): E | undefined {
  return event.composedPath().find((node): node is E => node instanceof Element && node.matches(selector));
}

/** Not a click on a link by which the visitor asks for something else: another tab or window, a download. */
export function keepsPage(event: MouseEvent): boolean {
  const link = closest<HTMLAnchorElement>(event, 'a[href]');
  return (
    !link ||
    !(
      event.button ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      link.target === '_blank' ||
      link.hasAttribute('download')
    )
  );
}
