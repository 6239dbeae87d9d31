import { root } from '@svcforms/test-kit';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const axe = readFileSync(`${root}node_modules/axe-core/axe.min.js`, 'utf8');

interface Axe {
  run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>;
}

/** What axe finds wrong on the page as it is now, a line a rule. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  // What is still fading in is half transparent.
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)));
  const found = await page.evaluate(() => (window as unknown as { axe: Axe }).axe.run());
  return found.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary = '' }) => `${html.slice(0, 160)} (${failureSummary.slice(0, 200)})`).join(' | ')}`,
  );
}

/** How many pixels the page is wider than the window; 0 where nothing has to be scrolled sideways. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
