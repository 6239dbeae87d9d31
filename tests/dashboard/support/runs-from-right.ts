import type { Locator } from 'playwright-core';

/** Whether the last character of a text of one line is to the left of the first one. */
export function runsFromRight(element: Locator): Promise<boolean> {
  return element.evaluate((shown) => {
    const text = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT).nextNode();
    if (!text) throw new Error('the element has no text');
    const leftOf = (start: number) => {
      const range = document.createRange();
      range.setStart(text, start);
      range.setEnd(text, start + 1);
      return range.getBoundingClientRect().left;
    };
    return leftOf((text.nodeValue ?? '').length - 1) < leftOf(0);
  });
}
