import { root } from '@svcforms/test-kit';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const axe = readFileSync(`${root}node_modules/axe-core/axe.min.js`, 'utf8');

/** Rules of axe that look at colours; to all others, light and dark are the same. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

interface Axe {
  run(options: {
    runOnly?: readonly string[];
  }): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>;
}

/** What axe finds wrong on the page as it is now, a line a rule. */
export async function violations(
  page: Page,
  options: { runOnly?: readonly string[] } = {},
): Promise<string[]> {
  await page.evaluate(axe);
  // What is still fading in is half transparent. One that is cancelled, as by what has gone, is over, too.
  await page.evaluate(() =>
    Promise.allSettled(document.getAnimations().map((animation) => animation.finished)),
  );
  const found = await page.evaluate(
    (given) => (window as unknown as { axe: Axe }).axe.run(given),
    options as { runOnly?: string[] },
  );
  return found.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary = '' }) => `${html.slice(0, 160)} (${failureSummary.slice(0, 200)})`).join(' | ')}`,
  );
}

/** The same in light and in dark colours, on a page that follows the system's. */
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
