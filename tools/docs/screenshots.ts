// npm run screenshots [-- name …]: the screenshots in docs/screenshots. Each screen is captured in
// a light and a dark color scheme, in a wide window and on a phone. A contact sheet shows the
// screens of the dashboard, and one each ready theme. The browser is Debian's Chromium, unless
// CHROMIUM_PATH names another.
import { root, runToEnd, startProcess, tempFolder } from '@svcforms/test-kit';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { post, type Created } from '../lib/api.ts';
import { launchChromium } from '../lib/chromium.ts';
import { serve } from '../lib/http-load.ts';
import { runTool } from '../lib/tool.ts';
import { buildProduct } from '../setup/install.mjs';
import { spreadOverWeeks } from './account-history.ts';
import { drawContactSheet } from './contact-sheet.ts';
import { DASHBOARD_ENV, DASHBOARD_SCREENS, fillAccount } from './dashboard-screens.ts';
import { saveScreenshot } from './save-screenshot.ts';
import type { Forms, Prepared, Screen } from './screen.ts';
import { captureThemes, SHEETS } from './theme-sheets.ts';

const MAX_BYTES = 100 * 1024;
/** Of a contact sheet, which has dozens of screenshots. */
const MAX_SHEET_BYTES = 300 * 1024;
/** Fixed, because a part of it is in the screenshots. */
const API_KEY = `svc_key_${'picture'.repeat(6)}x`;
const OWNER = { email: 'owner@example.com', password: 'a password for pictures' };
const WINDOWS = {
  wide: { viewport: { width: 1100, height: 720 } },
  phone: { viewport: { width: 390, height: 760 }, isMobile: true, hasTouch: true },
};

const COLOR_SCHEMES = ['light', 'dark'] as const;

const SCREENS: readonly Screen[] = [
  {
    name: 'popup',
    show: async (page, { siteUrl }) => {
      await page.goto(siteUrl, { waitUntil: 'networkidle' });
      await page.click('#news');
      await page.waitForSelector('dialog[open]');
    },
  },
  {
    name: 'inline',
    show: async (page, { siteUrl }) => {
      await page.goto(`${siteUrl}contact`);
      await page.waitForSelector('form');
    },
  },
  {
    name: 'hosted-page',
    show: async (page, { baseUrl, contact }) => {
      await page.goto(`${baseUrl}/f/${contact.id}`);
      await page.waitForSelector('form');
    },
  },
  ...DASHBOARD_SCREENS,
];

const GERMAN = {
  title: 'Neues aus der Backstube',
  intro: 'Einmal im Monat: neue Brote, **Öffnungszeiten** und was verbrannt ist.',
  submitLabel: 'Auf dem Laufenden bleiben',
  fields: {
    email: { label: 'E-Mail' },
    often: { label: 'Wie oft?', options: { week: 'Jede Woche', month: 'Einmal im Monat' } },
  },
};

const wanted = process.argv.slice(2);
const FOLDER = `${root}docs/screenshots`;
/** The origins in the screenshots; the browser resolves their names to the product and the site. */
const BASE_URL = 'http://forms.example.com';
const SITE_URL = 'http://bakery.example/';
const ENV = {
  SVC_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  SVC_BASE_URL: BASE_URL,
  SVC_BOOTSTRAP_API_KEY: API_KEY,
  SVC_BOOTSTRAP_EMAIL: OWNER.email,
  SVC_BOOTSTRAP_PASSWORD: OWNER.password,
  LOG_LEVEL: 'warn',
  ...DASHBOARD_ENV,
};

await runTool(async () => {
  buildProduct();
  mkdirSync(FOLDER, { recursive: true });
  const dump = join(tempFolder(), 'dump.ndjson');
  const [before, after] = [tempFolder(), tempFolder()];
  const prepared = await withProduct(before, async (baseUrl) => {
    const forms = await createForms(baseUrl);
    const ids = { newsId: forms.news.id, contactId: forms.contact.id };
    return { ...forms, dashboard: await fillAccount({ baseUrl, apiKey: API_KEY, ...ids }) };
  });
  await admin(before, 'dump', dump);
  spreadOverWeeks(dump);
  await admin(after, 'restore', dump);
  await withProduct(after, async (origin) => {
    const hosts = { [BASE_URL]: origin, [SITE_URL]: await startSite(prepared) };
    await capture({ ...prepared, baseUrl: BASE_URL, siteUrl: SITE_URL, owner: OWNER }, hosts);
    const themes = [...SHEETS].filter(([, name]) => isWanted({ name })).map(([theme]) => theme);
    await captureThemes(origin, API_KEY, themes, (name, sheet) =>
      saveScreenshot(`${FOLDER}/${name}.png`, sheet, MAX_SHEET_BYTES),
    );
  });
});

/** Runs `work` beside a product whose stores are in that folder. */
async function withProduct<T>(dataFolder: string, work: (baseUrl: string) => Promise<T>): Promise<T> {
  const product = await startProcess('standalone', {
    env: { ...ENV, SVC_DATA_DIR: dataFolder },
    output: 'errors-shown',
  });
  try {
    return await work(product.url);
  } finally {
    await product.stop();
  }
}

async function admin(dataFolder: string, ...args: string[]): Promise<void> {
  const { code, stderr } = await runToEnd('admin', { args, env: { ...ENV, SVC_DATA_DIR: dataFolder } });
  if (code !== 0) throw new Error(`admin ${args.join(' ')} ended with ${code}: ${stderr}`);
}

/** `hosts`: the address behind each origin. */
async function capture(prepared: Prepared, hosts: Readonly<Record<string, string>>): Promise<void> {
  const rules = Object.entries(hosts).map(
    ([name, address]) => `MAP ${new URL(name).hostname} ${new URL(address).host}`,
  );
  const browser = await launchChromium(`--host-resolver-rules=${rules.join(',')}`);
  for (const colorScheme of COLOR_SCHEMES) {
    for (const [size, window] of Object.entries(WINDOWS)) {
      const locale = { locale: 'en-GB', timezoneId: 'UTC' };
      const context = await browser.newContext({
        ...window,
        ...locale,
        colorScheme,
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      for (const { name, show } of SCREENS.filter(isWanted)) {
        await show(page, prepared);
        const screenshot = await page.screenshot({ animations: 'disabled', caret: 'hide' });
        await saveScreenshot(pathOf(name, colorScheme, size), screenshot, MAX_BYTES);
      }
      await context.close();
    }
  }
  if (DASHBOARD_SCREENS.some(isWanted)) await drawDashboardSheets(browser);
  await browser.close();
}

/** One sheet for each color scheme, of the screenshots in the folder. */
async function drawDashboardSheets(browser: Browser): Promise<void> {
  for (const colorScheme of COLOR_SCHEMES) {
    const entries = DASHBOARD_SCREENS.map(({ name, title }) => ({
      name: title,
      screenshots: Object.keys(WINDOWS).map((size) => readFileSync(pathOf(name, colorScheme, size))),
    }));
    const layout = { screenshotHeight: 190, columns: 3 };
    const sheet = await drawContactSheet(browser, `The dashboard, ${colorScheme}`, entries, layout);
    await saveScreenshot(`${FOLDER}/dashboard-${colorScheme}.png`, sheet, MAX_SHEET_BYTES);
  }
}

function pathOf(name: string, colorScheme: string, size: string): string {
  return `${FOLDER}/${name}-${colorScheme}-${size}.png`;
}

function isWanted({ name }: Pick<Screen, 'name'>): boolean {
  return wanted.length === 0 || wanted.includes(name);
}

async function createForms(baseUrl: string): Promise<Forms> {
  const create = (form: object) => post(baseUrl, API_KEY, '/api/forms', form);
  const theme = { accent: '#0b6e4f', radius: 10 };
  const news = await create({
    name: 'Newsletter',
    title: 'News from the bakery',
    intro: 'Once a month: new loaves, **opening hours**, and what we burned.',
    fields: [
      { name: 'name', type: 'text', label: 'Name' },
      { name: 'email', type: 'email', label: 'Email', required: true, placeholder: 'you@example.com' },
      {
        name: 'often',
        type: 'radio',
        label: 'How often?',
        options: [
          { value: 'week', label: 'Every week' },
          { value: 'month', label: 'Once a month' },
        ],
        defaultValue: 'month',
      },
    ],
    settings: {
      theme,
      submitLabel: 'Keep me posted',
      language: 'en',
      translations: { de: GERMAN },
      popup: {
        enabled: true,
        trigger: 'click',
        selector: '#news',
        pages: { include: ['/', '/bread', '/news/*'], exclude: ['/checkout'] },
        decline: { enabled: true },
      },
    },
  });
  const contact = await create({
    name: 'Contact',
    title: 'Write to us',
    intro: 'Questions, orders, praise: we read everything at six in the morning.',
    fields: [
      { name: 'name', type: 'text', label: 'Name', required: true },
      { name: 'email', type: 'email', label: 'Email', required: true, help: 'We answer within a day.' },
      { name: 'visit', type: 'rating', label: 'How was your visit?' },
      { name: 'message', type: 'textarea', label: 'Message' },
      { name: 'terms', type: 'checkbox', label: 'You may quote me', defaultValue: true },
    ],
    settings: { theme, submitLabel: 'Send' },
  });
  return { news, contact };
}

/**
 * A small site, such as the owner of the forms has. Returns its address, with a slash at the end.
 */
async function startSite({ news, contact }: Forms): Promise<string> {
  const page = (form: Created, main: string) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1"><title>The bakery at the corner</title>
    <style>:root{color-scheme:light dark}body{font:1.05rem/1.6 Georgia,serif;margin:0 auto;max-width:44rem;padding:1rem 1.2rem}
    header{display:flex;gap:1.2rem;align-items:baseline;border-bottom:1px solid #8886;margin-bottom:1.2rem}header b{margin-inline-end:auto}
    button{font:inherit;padding:.3em 1em}</style></head><body><header><b>The bakery at the corner</b><span>Bread</span><span>Cakes</span></header>
    <main>${main}<script src="${BASE_URL}/embed.js" data-svc-form-id="${form.id}"></script></main></body></html>`;
  const welcome = page(
    news,
    `<h1>Bread, since before sunrise</h1><p>We bake with flour from the mill down the river, and with time: a loaf rests for a day before
      it sees the oven.</p><p>On Saturdays there are plaits with poppy seeds, and what is left goes to the community kitchen.</p>
      <button id="news">News from the bakery</button>`,
  );
  const write = page(
    contact,
    `<p>Questions, orders, praise: all is read at six in the morning, with coffee.</p>`,
  );
  const url = await serve((request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(request.url === '/contact' ? write : welcome);
  });
  return `${url}/`;
}
