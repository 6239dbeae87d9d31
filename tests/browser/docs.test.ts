import { ERROR_TEXTS, ERRORS } from '@svcforms/contracts';
import { describeWith, root } from '@svcforms/test-kit';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { startStandalone } from '../e2e/stack.ts';
import { violations } from './accessibility.ts';
import { openFixture, type Fixture } from './fixture.ts';

jest.setTimeout(60_000);
// A noisy machine may need a second try; the summary lists every retried test: ADR 0016.
jest.retryTimes(1, { logErrorsBeforeRetry: true });

interface Reader {
  page: Page;
  /**
   * Page errors and console messages; the browser reports violations of the content security policy
   * there.
   */
  problems: string[];
  /** Requested URLs on other hosts. */
  foreign: string[];
}

describeWith(['chromium'], 'the API reference in a browser', () => {
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await openFixture(await startStandalone());
  }, 120_000);

  afterEach(() => fixture?.endVisits());

  async function open(path: string): Promise<Reader> {
    const page = await (await fixture.newContext()).newPage();
    const problems: string[] = [];
    const foreign: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => problems.push(`${message.type()}: ${message.text()}`));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(`${fixture.baseUrl}/`) && !url.startsWith('data:')) foreign.push(url);
    });
    await page.goto(fixture.baseUrl + path);
    return { page, problems, foreign };
  }

  describe('/docs', () => {
    it('shows every operation and event, and loads nothing from other origins', async () => {
      const { page, problems, foreign } = await open('/docs');
      await page.waitForSelector('.opblock');
      const shown = await page.$$eval('.opblock-summary', (rows) =>
        rows.map(
          (row) =>
            `${row.querySelector('.opblock-summary-method')?.textContent} ${row.querySelector('[data-path]')?.getAttribute('data-path')}`,
        ),
      );
      const { paths, webhooks } = JSON.parse(readFileSync(`${root}docs/openapi.json`, 'utf8')) as {
        paths: Record<string, object>;
        webhooks: Record<string, object>;
      };
      const documented = Object.entries({ ...paths, ...webhooks }).flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
      );
      expect(shown.sort()).toEqual(documented.sort());
      expect({ problems, foreign }).toEqual({ problems: [], foreign: [] });
    });

    it('opens an operation, sends a request, and shows the response', async () => {
      const { page, problems, foreign } = await open('/docs');
      const operation = page.locator('.opblock-get', { has: page.locator('[data-path="/api/auth/me"]') });
      await operation.locator('.opblock-summary-control').click();
      await operation.getByRole('button', { name: 'Try it out' }).click();
      await operation.getByRole('button', { name: 'Execute' }).click();
      await operation.locator('.live-responses-table').getByText('UNAUTHORIZED').first().waitFor();
      expect(foreign).toEqual([]);
      expect(problems).toEqual([expect.stringContaining('the server responded with a status of 401')]);
    });
  });

  describe('/docs/errors', () => {
    it('shows every code with its status, title and meaning', async () => {
      const { page, problems, foreign } = await open('/docs/errors');
      const sections = await page.$$eval('section', (all) =>
        all.map((section) => [section.id, section.querySelector('p')?.textContent ?? '']),
      );
      const expected = Object.entries(ERRORS).map(([code, { status, title }]) => [
        code,
        `${status}: ${title}. ${ERROR_TEXTS[code as keyof typeof ERRORS].replaceAll('`', '')}`,
      ]);
      expect(sections).toEqual(expected);
      expect({ problems, foreign }).toEqual({ problems: [], foreign: [] });
    });

    it('is the target of the `type` of a problem, at its code', async () => {
      const problem = (await (await fetch(`${fixture.baseUrl}/api/forms`)).json()) as { type: string };
      const { pathname, hash } = new URL(problem.type);
      const { page } = await open(pathname + hash);
      expect(await page.textContent('section:target h2')).toBe('UNAUTHORIZED');
    });
  });

  // The markup of the API viewer is third-party.
  it.each([
    ['/docs', ['#viewer']],
    ['/docs/errors', []],
  ])('have no axe violations: %s', async (path, except) => {
    const { page } = await open(path);
    expect(await violations(page, { except })).toEqual([]);
  });
});
