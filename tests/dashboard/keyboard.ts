import type { Locator, Page } from 'playwright-core';

/** More than any screen has. */
const MOST_STOPS = 400;

/**
 * Goes through the page by Tab, until the focus comes back to where it began, and gives what can be used by the pointer but was
 * never reached: by its role and name. Of a group of radio buttons, one stop stands for all.
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
    const isRound = await page.evaluate(() => {
      const { reached, last } = window as unknown as { reached: Set<Element>; last: Element };
      const focused = document.activeElement ?? document.body;
      // An input of a date has several stops of its own.
      if (focused === last && focused !== document.body) return false;
      Object.assign(window, { last: focused });
      // Stops inside a frame are one, seen from here.
      const isAgain = reached.has(focused) && !(focused instanceof HTMLIFrameElement);
      if (focused === document.body || isAgain) return reached.size > 0;
      reached.add(focused);
      return false;
    });
    if (isRound) break;
  }
  return page.evaluate(() => {
    const { reached } = window as unknown as { reached: Set<Element> };
    const usable = 'a[href],button,input,select,textarea,summary,[role=button],[role=tab],[role=option]';
    const isSeen = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.matches(':disabled,[aria-hidden=true],[aria-hidden=true] *,[inert] *,[tabindex="-1"]');
    const isOfReachedGroup = (element: Element) =>
      element instanceof HTMLInputElement &&
      element.type === 'radio' &&
      [...reached].some((other) => other instanceof HTMLInputElement && other.name === element.name);
    return [...document.querySelectorAll(usable)]
      .filter((element) => isSeen(element) && !reached.has(element) && !isOfReachedGroup(element))
      .map((element) => element.outerHTML.slice(0, 120));
  });
}

/** Goes to it by Tab alone. @throws Error where that leads past it */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${String(target)}`);
}
