import { root } from '@svcforms/test-kit';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const axe = readFileSync(`${root}node_modules/axe-core/axe.min.js`, 'utf8');

interface Axe {
  run(
    context: { exclude: string[] },
    options: { runOnly?: string[] },
  ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>;
}

/** What axe finds wrong on the page as it is now, a line a rule; not in the elements that `except` selects. */
export async function violations(
  page: Page,
  { except = [], runOnly }: { except?: string[]; runOnly?: string[] } = {},
): Promise<string[]> {
  await page.evaluate(axe);
  // What is still fading in is half transparent. One that is cancelled, as by what has gone, is over, too.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
        .map(({ finished }) => finished),
    ),
  );
  const found = await page.evaluate(
    ([exclude, options]) => (window as never as { axe: Axe }).axe.run({ exclude }, options),
    [except, runOnly ? { runOnly } : {}] as const,
  );
  return found.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary = '' }) => `${html.slice(0, 160)} (${failureSummary.slice(0, 200)})`).join(' | ')}`,
  );
}
