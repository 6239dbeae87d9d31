import { root } from '@svcforms/test-kit';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const axe = readFileSync(`${root}node_modules/axe-core/axe.min.js`, 'utf8');

interface Axe {
  run(context: { exclude: string[] }): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

/** What axe finds wrong on the page as it is now, a line a rule; not in the elements that `except` selects. */
export async function violations(page: Page, except: string[] = []): Promise<string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate(
    (exclude) => (window as never as { axe: Axe }).axe.run({ exclude }),
    except,
  );
  return found.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 100)).join(' | ')}`,
  );
}
