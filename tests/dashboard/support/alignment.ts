import type { Page } from 'playwright-core';

/** What differs by less is a rounding. */
const MOST_PX = 1;

/**
 * Returns the labels of inputs that aren't aligned although their labels are.
 * A hint or an error of one of them must not move it.
 */
export function misaligned(page: Page): Promise<string[]> {
  return page.evaluate((mostPx) => {
    const wrappers = [...document.querySelectorAll('.mantine-InputWrapper-root')];
    const inputOf = (wrapper: Element) => wrapper.querySelector('.mantine-Input-input');
    const topOf = (element: Element) => element.getBoundingClientRect().top;
    const isBeside = (one: Element, other: Element) =>
      one.parentElement === other.parentElement && Math.abs(topOf(one) - topOf(other)) <= mostPx;
    return wrappers.flatMap((wrapper) => {
      const input = inputOf(wrapper);
      const others = wrappers.filter((other) => isBeside(wrapper, other)).map(inputOf);
      const isAligned = others.every(
        (other) => !input || !other || Math.abs(topOf(input) - topOf(other)) <= mostPx,
      );
      return isAligned ? [] : [wrapper.querySelector('label')?.textContent ?? wrapper.outerHTML];
    });
  }, MOST_PX);
}
