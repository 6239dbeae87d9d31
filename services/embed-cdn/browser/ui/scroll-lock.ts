import { createSheet } from './dom.ts';
import { parts } from './parts.ts';

/**
 * Stops the page behind from scrolling, by a style sheet of its own, so that the attributes of the
 * page stay as they are. Returns a function that removes it.
 */
export function lockScroll(): () => void {
  const touch = parts.touch?.lockBody();
  // The space of the scroll bar stays, so that the page doesn't move.
  const gutter = innerWidth > document.documentElement.clientWidth ? 'scrollbar-gutter:stable!important' : '';
  // An id outweighs what the page says about its own classes.
  const sheet = createSheet(`html:not(#_){overflow:hidden!important;${gutter}}${touch?.styles ?? ''}`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    touch?.undo();
  };
}
