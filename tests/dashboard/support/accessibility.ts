import type { Page } from 'playwright-core';
import { violations } from '../../browser/accessibility.ts';

/** The axe rules that depend on colors. The others give the same result in both color schemes. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Returns axe's violations in both color schemes, on a page that follows the system's scheme. */
export async function violationsInBoth(page: Page): Promise<string[]> {
  await showIn(page, 'light');
  const inLight = await violations(page);
  await showIn(page, 'dark');
  const inDark = await violations(page, { runOnly: COLOR_RULES });
  return [...inLight, ...inDark.map((line) => `dark: ${line}`)];
}

/**
 * Waits for the page's script, because axe would otherwise combine the text color of one scheme
 * with the background of the other.
 */
async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
}

/** The overflow in a window of this size, after the page's scripts have adapted to it. */
export async function overflowIn(page: Page, viewport: { width: number; height: number }): Promise<number> {
  await page.setViewportSize(viewport);
  await page
    .waitForFunction(
      () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
      null,
      {
        timeout: 5_000,
      },
    )
    // The function returns the remaining overflow.
    .catch(() => {});
  return overflow(page);
}

/** The pixels by which the page is wider than the window; 0 without horizontal scrolling. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
