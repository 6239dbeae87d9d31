import type { Locator, Page } from 'playwright-core';

/** More than the tab stops of any screen. */
const MOST_STOPS = 400;

/**
 * Tabs through the whole page and returns the elements that the pointer can use, but Tab doesn't
 * reach. One tab stop covers a group of radio buttons.
 */
export async function unreachableByTab(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
    Object.assign(window, { reached: new Set<Element>(), last: document.body });
  });
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    await page.keyboard.press('Tab');
    const isFinished = await page.evaluate(() => {
      const { reached, last } = window as unknown as { reached: Set<Element>; last: Element };
      const focused = document.activeElement ?? document.body;
      // A date input has several tab stops.
      if (focused === last && focused !== document.body) return false;
      Object.assign(window, { last: focused });
      // All tab stops inside a frame look like one from outside.
      const isRepeated = reached.has(focused) && !(focused instanceof HTMLIFrameElement);
      if (focused === document.body || isRepeated) return reached.size > 0;
      reached.add(focused);
      return false;
    });
    if (isFinished) break;
  }
  return page.evaluate(() => {
    const { reached } = window as unknown as { reached: Set<Element> };
    const usable = 'a[href],button,input,select,textarea,summary,[role=button],[role=tab],[role=option]';
    const isVisible = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.matches(':disabled,[aria-hidden=true],[aria-hidden=true] *,[inert] *,[tabindex="-1"]');
    const isInReachedGroup = (element: Element) =>
      element instanceof HTMLInputElement &&
      element.type === 'radio' &&
      [...reached].some((other) => other instanceof HTMLInputElement && other.name === element.name);
    return [...document.querySelectorAll(usable)]
      .filter((element) => isVisible(element) && !reached.has(element) && !isInReachedGroup(element))
      .map((element) => element.outerHTML.slice(0, 120));
  });
}

/** Focuses the target with Tab only. @throws Error if Tab doesn't reach it */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${String(target)}`);
}
