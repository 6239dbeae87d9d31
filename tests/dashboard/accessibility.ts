import type { Page } from 'playwright-core';
import { violations } from '../browser/accessibility.ts';

/** Rules of axe that look at colours; to all others, light and dark are the same. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** What axe finds wrong in light and in dark colours, on a page that follows the system's. */
export async function violationsInBoth(page: Page): Promise<string[]> {
  await showIn(page, 'light');
  const inLight = await violations(page);
  await showIn(page, 'dark');
  const inDark = await violations(page, { runOnly: COLOUR_RULES });
  return [...inLight, ...inDark.map((line) => `dark: ${line}`)];
}

/** The page follows the system by a script, which runs later: axe would see the text of one and the ground of the other. */
async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
}

/** The same in a narrower window, when what follows its size by a script has done so. */
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
    // What it is then is told.
    .catch(() => {});
  return overflow(page);
}

/** How many pixels the page is wider than the window; 0 where nothing has to be scrolled sideways. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
