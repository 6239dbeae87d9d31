import type { Load } from './chunks.ts';

/** The exports of the chunk that is loaded in browsers without the Navigation API. */
export interface NavigationChunk {
  watchHistory: (onChange: () => void) => void;
}

/**
 * Calls back when scripts navigate to another page: when the path changes within the document.
 * Query and hash are mostly details of a page, and tools rewrite them at any time.
 */
export function onNavigation(run: () => void, load: Load<'navigation'>): void {
  const { navigation } = window as { navigation?: EventTarget & { currentEntry?: unknown } };
  let path = location.pathname;
  const check = () => {
    if (path !== (path = location.pathname)) run();
  };
  // A variable or an element of the page may have this name. Only the API has a current entry; it's
  // null in a sandboxed frame.
  if (navigation?.currentEntry !== undefined) navigation.addEventListener('currententrychange', check);
  else
    load('navigation').then(
      ({ watchHistory }) => watchHistory(check),
      () => {},
    );
}
