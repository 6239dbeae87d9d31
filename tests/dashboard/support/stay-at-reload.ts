import type { Page } from 'playwright-core';

/** Reloads the page, and stays on it when the browser asks. @throws Error if it doesn't ask */
export async function stayAtReload(page: Page): Promise<void> {
  const asking = page.waitForEvent('dialog');
  await page.evaluate(() => void setTimeout(() => location.reload()));
  const question = await asking;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
}
