import { atEnd, describeWith, poll, root } from '@svcforms/test-kit';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { leaveByTop, scrollDownTo } from './gestures.ts';
import { launchBrowser } from './launch-browser.ts';

jest.setTimeout(60_000);
// A noisy machine may need a second try; the summary lists every retried test: ADR 0016.
jest.retryTimes(1, { logErrorsBeforeRetry: true });

const GUARD_MS = 15_000;

interface Visited {
  page: Page;
  pass(ms: number): Promise<void>;
}

/** The gesture that opens the form of each page. */
const TRIGGERS: Readonly<Record<string, (visit: Visited) => Promise<unknown>>> = {
  exit: async (visit) => {
    await visit.pass(GUARD_MS);
    await leaveByTop(visit);
  },
  delay: ({ pass }) => pass(5000),
  inactivity: ({ pass }) => pass(5000),
  scroll: async (visit) => {
    await visit.pass(GUARD_MS);
    await scrollDownTo(visit, 1000);
  },
  click: ({ page }) => page.click('.offer'),
  visible: async ({ page, pass }) => {
    await pass(GUARD_MS);
    await page.locator('#prices').scrollIntoViewIfNeeded();
  },
  intent: async ({ page, pass }) => {
    await pass(GUARD_MS);
    await page.click('#hot');
  },
  all: async ({ page, pass }) => {
    await page.click('#more');
    await pass(10_000);
  },
  open: ({ page }) => page.click('text=By script'),
};

describeWith(['chromium'], 'npm run example', () => {
  let siteUrl = '';
  let browser: Browser | undefined;

  beforeAll(async () => {
    const example = spawn(process.execPath, ['tools/run.mjs', 'dev/example'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    atEnd(async () => {
      const ended = once(example, 'exit');
      if (example.exitCode === null && example.kill('SIGTERM')) await ended;
    });
    let printed = '';
    example.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
    siteUrl = await poll(
      () => {
        if (example.exitCode !== null) throw new Error(`it exited with ${example.exitCode}`);
        return /http:\S+\//.exec(printed)?.[0];
      },
      { what: 'the address of the example site', timeoutMs: 120_000 },
    );
    browser = await launchBrowser();
  }, 180_000);

  const visit = async (name: string): Promise<Visited & { problems: string[] }> => {
    const page = await (browser as Browser).newPage({ viewport: { width: 1000, height: 700 } });
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => problems.push(message.text()));
    // The clock runs until it is paused, which needs a time in the future.
    await page.clock.install({ time: Date.parse('2026-03-14T08:00:00Z') });
    await page.clock.pauseAt(Date.parse('2026-03-14T09:00:00Z'));
    const hasForm = page.waitForResponse(/\/embed\/forms\/frm_\w+\.json$/);
    expect((await page.goto(`${siteUrl}${name}`))?.status()).toBe(200);
    await hasForm;
    await page.waitForLoadState('networkidle');
    return { page, problems, pass: (ms) => page.clock.runFor(ms) };
  };

  it('has a page for every trigger, one that opens from the page, and two inline', async () => {
    const pages = Object.keys(JSON.parse(readFileSync(`${root}examples/site/forms.json`, 'utf8')) as object);
    expect(pages.sort()).toEqual([...Object.keys(TRIGGERS), 'inline', 'logic'].sort());
    const { page } = await visit('');
    const links = await page
      .locator('nav a')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(links.sort()).toEqual(pages.map((name) => `/${name}`));
    await page.close();
  });

  it.each(Object.entries(TRIGGERS))(
    'opens the form of /%s by its trigger, not before',
    async (name, trigger) => {
      const { page, pass, problems } = await visit(name);
      expect(await page.locator('dialog').count()).toBe(0);
      await trigger({ page, pass });
      await page.waitForSelector('dialog[open]');
      expect(await page.locator('dialog h2').textContent()).toBe(await page.locator('main h1').textContent());
      await page.fill('input[type=email]', 'ada@example.com');
      await page.click('.primary');
      await page.waitForSelector('.done');
      expect(problems).toEqual([]);
      await page.close();
    },
  );

  it('opens the form of /open by attribute and by event', async () => {
    const { page } = await visit('open');
    for (const text of ['By attribute', 'By event']) {
      await page.click(`text=${text}`);
      await page.waitForSelector('dialog[open]');
      await page.keyboard.press('Escape');
      await page.waitForSelector('dialog', { state: 'detached' });
    }
    await page.close();
  });

  it('opens ready themes of /gallery in every placement', async () => {
    const page = await (browser as Browser).newPage({ reducedMotion: 'reduce' });
    await page.goto(`${siteUrl}gallery`);
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toHaveLength(6);
    const midnight = page.locator('h2:text("Midnight") + p');
    for (const name of ['Modal', 'Slide-in', 'Bar', 'Full screen']) {
      await midnight.getByRole('button', { name }).click();
      const dialog = page.locator(`dialog[open].${name.toLowerCase().replace(' ', '')}`);
      await dialog.waitFor();
      expect(await dialog.evaluate((one) => getComputedStyle(one).backgroundColor)).toBe('rgb(20, 22, 43)');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    await midnight.getByRole('link', { name: 'Hosted page' }).click();
    await page.waitForSelector('svc-form.svc-inline form');
    await page.close();
  });

  it('jumps, ends and speaks by the answers in /logic', async () => {
    for (const [score, ending] of [
      ['10', 'You made our day, Ada!'],
      ['3', 'Thank you, Ada'],
    ] as const) {
      const { page, problems } = await visit('logic');
      await page.fill('input[type=text]', 'Ada');
      await page.click('.primary');
      await page.getByText('How likely are you to recommend us, Ada?').waitFor();
      await page.getByRole('radio', { name: score, exact: true }).check({ force: true });
      await page.click('.primary');
      if (score === '3') {
        await page.fill('textarea', 'Opening hours');
        await page.click('.primary');
      }
      await page.locator('input[type=email]').waitFor();
      await page.click('.primary');
      expect(await page.locator('.done h2').textContent()).toBe(ending);
      expect(problems).toEqual([]);
      await page.close();
    }
  });

  it('shows the form of /inline in the page', async () => {
    const { page, problems } = await visit('inline');
    await page.fill('input[type=email]', 'ada@example.com');
    await page.click('.primary');
    await page.waitForSelector('.done');
    expect(problems).toEqual([]);
    await page.close();
  });
});
