import { poll } from '@svcforms/test-kit';
import type { Locator, Page } from 'playwright-core';

/** Hides and shows the window, which loads again what isn't fresh, until the page shows `shown`. */
export async function comeBack(page: Page, shown: Locator): Promise<void> {
  await poll(
    async () => {
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
      return (await shown.count()) > 0;
    },
    { what: 'what is loaded again' },
  );
}
