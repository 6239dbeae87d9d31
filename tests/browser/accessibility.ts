import { root } from '@svcforms/test-kit';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const axe = readFileSync(`${root}node_modules/axe-core/axe.min.js`, 'utf8');

interface Axe {
  run(
    context: { exclude: string[] },
    options: { iframes: boolean; runOnly?: string[] },
  ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>;
}

/**
 * Returns the axe violations of the page in its current state, one line per rule, ignoring the
 * elements that `except` selects. Sandboxed previews in frames are left out: no script can get in.
 */
export async function violations(
  page: Page,
  { except = [], runOnly }: { except?: string[]; runOnly?: string[] } = {},
): Promise<string[]> {
  await page.evaluate(axe);
  // An element that fades in is still translucent. A cancelled animation, for example of a removed
  // element, has ended as well.
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
    [except, { iframes: false, ...(runOnly && { runOnly }) }] as const,
  );
  return found.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary = '' }) => `${html.slice(0, 160)} (${failureSummary.slice(0, 200)})`).join(' | ')}`,
  );
}
