/** Where an event happened, also inside an open shadow root. */
export function targetOf(event: Event): Element | undefined {
  const [target] = event.composedPath();
  return target instanceof Element ? target : undefined;
}

/** Not a click on a link by which the visitor asks for something else: another tab or window, a download. */
export function keepsPage(event: MouseEvent): boolean {
  const link = targetOf(event)?.closest<HTMLAnchorElement>('a[href]');
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
