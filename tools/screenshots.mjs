// npm run screenshots [-- name …]: the pictures of docs/screenshots, each screen in a light and a dark look, on a wide window
// and on a phone. The browser is Debian's Chromium, unless CHROMIUM_PATH says otherwise.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchChromium } from './chromium.mjs';
import { DASHBOARD_ENV, DASHBOARD_SCREENS, furnish } from './dashboard-screens.mjs';
import { spreadOverWeeks } from './picture-history.mjs';
import { post, startProduct } from './product.mjs';
import { ensureInstalled, root, runTool } from './setup.mjs';

const MAX_BYTES = 100 * 1024;
const API_KEY = `svc_key_${'picture'.repeat(6)}x`;
const OWNER = { email: 'owner@example.com', password: 'a password for pictures' };
const WINDOWS = {
  wide: { viewport: { width: 1100, height: 720 } },
  phone: { viewport: { width: 390, height: 760 }, isMobile: true, hasTouch: true },
};

/** What is shown. Each is given a page and what was prepared, and leaves the page as it is to be photographed. */
const SCREENS = [
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

ensureInstalled();
runTool('build');

const wanted = process.argv.slice(2);
const folder = `${root}docs/screenshots`;
mkdirSync(folder, { recursive: true });
const data = mkdtempSync(join(tmpdir(), 'svcforms-screenshots-'));
/** Of the product that is photographed; the browser is told where that name leads. */
const BASE_URL = 'http://forms.example.com';
const ENV = {
  SVC_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  SVC_BASE_URL: BASE_URL,
  SVC_BOOTSTRAP_API_KEY: API_KEY,
  SVC_BOOTSTRAP_EMAIL: OWNER.email,
  SVC_BOOTSTRAP_PASSWORD: OWNER.password,
  LOG_LEVEL: 'warn',
  ...DASHBOARD_ENV,
};
try {
  await takeAll();
} finally {
  rmSync(data, { recursive: true, force: true });
}
process.exit();

/** `work` beside a product of its own, with its stores in that folder. */
async function beside(name, work) {
  const env = { ...ENV, SVC_DATA_DIR: join(data, name) };
  const { child, baseUrl } = await startProduct('standalone', { env, stdio: ['ignore', 'ignore', 2] });
  try {
    return await work(baseUrl);
  } finally {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
  }
}

function admin(name, ...args) {
  const env = { PATH: process.env.PATH, ...ENV, SVC_DATA_DIR: join(data, name) };
  execFileSync(process.execPath, [`${root}dist/admin.cjs`, ...args], { env, stdio: ['ignore', 'ignore', 2] });
}

async function takeAll() {
  const dump = join(data, 'dump.ndjson');
  const prepared = await beside('made', async (baseUrl) => {
    const forms = await prepareForms(baseUrl);
    const { news, contact } = forms;
    const ids = { newsId: news.id, contactId: contact.id };
    return { ...forms, dashboard: await furnish({ baseUrl, apiKey: API_KEY, ...ids }) };
  });
  admin('made', 'dump', dump);
  spreadOverWeeks(dump);
  admin('told', 'restore', dump);
  await beside('told', (origin) =>
    photograph({ ...prepared, baseUrl: BASE_URL, owner: OWNER }, new URL(origin)),
  );
}

async function photograph(prepared, { host }) {
  const siteUrl = await startSite(prepared);
  const browser = await launchChromium(`--host-resolver-rules=MAP ${new URL(BASE_URL).hostname} ${host}`);
  for (const colorScheme of ['light', 'dark']) {
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
        await show(page, { ...prepared, siteUrl });
        const path = `${folder}/${name}-${colorScheme}-${size}.png`;
        await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
        const { size: bytes } = statSync(path);
        if (bytes > MAX_BYTES) throw new Error(`${path} has ${bytes} bytes, more than ${MAX_BYTES}`);
        console.log(`${path.slice(root.length)} ${bytes} bytes`);
      }
      await context.close();
    }
  }
  await browser.close();
}

function isWanted({ name }) {
  return wanted.length === 0 || wanted.includes(name);
}

async function prepareForms(baseUrl) {
  const make = (form) => post(`${baseUrl}/api/forms`, API_KEY, form);
  const theme = { accent: '#0b6e4f', radius: 10 };
  const news = await make({
    name: 'News from the bakery',
    fields: [
      { name: 'email', type: 'email', label: 'E-mail', required: true, placeholder: 'you@example.com' },
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
      popup: {
        enabled: true,
        trigger: 'click',
        selector: '#news',
        pages: { include: ['/', '/bread', '/news/*'], exclude: ['/checkout'] },
        decline: { enabled: true },
      },
    },
  });
  const contact = await make({
    name: 'Write to us',
    fields: [
      { name: 'name', type: 'text', label: 'Name', required: true },
      { name: 'email', type: 'email', label: 'E-mail', required: true, help: 'We answer within a day.' },
      { name: 'visit', type: 'rating', label: 'How was your visit?' },
      { name: 'message', type: 'textarea', label: 'Message' },
      { name: 'terms', type: 'checkbox', label: 'You may quote me', defaultValue: true },
    ],
    settings: { theme, submitLabel: 'Send' },
  });
  return { news, contact };
}

/** A small site, as the forms' owner may have one. */
async function startSite({ baseUrl, news, contact }) {
  const page = (form, main) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1"><title>The bakery at the corner</title>
    <style>:root{color-scheme:light dark}body{font:1.05rem/1.6 Georgia,serif;margin:0 auto;max-width:44rem;padding:1rem 1.2rem}
    header{display:flex;gap:1.2rem;align-items:baseline;border-bottom:1px solid #8886;margin-bottom:1.2rem}header b{margin-inline-end:auto}
    button{font:inherit;padding:.3em 1em}</style></head><body><header><b>The bakery at the corner</b><span>Bread</span><span>Cakes</span></header>
    <main>${main}<script src="${baseUrl}/embed.js" data-svc-form-id="${form.id}"></script></main></body></html>`;
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
  const server = createServer(({ url }, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(url === '/contact' ? write : welcome);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${server.address().port}/`;
}
