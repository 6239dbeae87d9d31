import { createSheet } from './dom.ts';
import { parts } from './parts.ts';

/**
 * Stops the page behind from scrolling, by a style sheet of its own, so that the attributes of the
 * page stay as they are. Returns a function that removes it.
 */
export function lockScroll(): () => void {
  const touch = parts.touch?.lockBody();
  const { documentElement: page } = document;
  // The space of the scroll bar stays, so that the page doesn't move.
  const gutter = innerWidth > page.clientWidth ? 'scrollbar-gutter:stable!important' : '';
  // While the overflow of `html` is visible, the window has that of `body`. Once it's hidden, the
  // body would be a scroll container of its own, and at its top.
  const body =
    getComputedStyle(page).overflow === 'visible' ? 'body:not(#_){overflow:visible!important}' : '';
  // An id outweighs what the page says about its own classes.
  const sheet = createSheet(`html:not(#_){overflow:hidden!important;${gutter}}${body}${touch?.styles ?? ''}`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    touch?.undo();
  };
}
