// npm run bench:dashboard: how long it takes until the first rows of long lists are on the screen, in Chromium, beside lists of
// one page. Exits with 1 where that takes more than half a second after a click, or where more than a first page is asked for. The
// browser is Debian's Chromium, unless CHROMIUM_PATH says otherwise.
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchChromium } from './chromium.mjs';
import { median, send, startCounter } from './load-parts.mjs';
import { API_KEY, startMeasured, stopAll } from './measured-product.mjs';
import { post, until } from './product.mjs';
import { ensureInstalled, runTool } from './setup.mjs';

const COUNTS = [25, 10_000];
const PAGE_SIZE = 25;
const ROUNDS = 10;
const CONNECTIONS = 32;
const MOST_MS = 500;
const OWNER = { email: 'owner@example.com', password: 'a password for benches' };
const LISTS = [
  { name: 'submissions', from: '', path: 'submissions', table: 'Submissions' },
  { name: 'deliveries', from: 'webhooks', path: 'webhooks/WEBHOOK', table: 'Deliveries' },
];

ensureInstalled();
runTool('build');

const folder = mkdtempSync(join(tmpdir(), 'svcforms-dashboard-'));
const results = [];
const askedForMore = [];
try {
  await measureAll();
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}
console.log('| List | Entries | After a click, ms | By its address, ms |');
console.log('| --- | --- | --- | --- |');
for (const { name, count, clicked, opened } of results)
  console.log(`| ${name} | ${count} | ${told(clicked)} | ${told(opened)} |`);
const isQuick = results.every(({ clicked }) => median(clicked) <= MOST_MS);
if (!isQuick) console.error(`the first rows took more than ${MOST_MS} ms`);
for (const address of askedForMore) console.error(`more than the first page was asked for: ${address}`);
process.exit(isQuick && askedForMore.length === 0 ? 0 : 1);

async function measureAll() {
  const { baseUrl } = await startMeasured('embedded', {
    folder,
    settings: { SVC_BOOTSTRAP_EMAIL: OWNER.email, SVC_BOOTSTRAP_PASSWORD: OWNER.password },
  });
  const forms = [];
  for (const count of COUNTS) forms.push({ count, ...(await furnish(baseUrl, count)) });
  const browser = await launchChromium();
  for (const list of LISTS) {
    for (const form of forms) results.push(await measure(browser, baseUrl, list, form));
  }
  await browser.close();
}

/** A form with that many submissions, all of which were delivered. */
async function furnish(baseUrl, count) {
  const { id } = await post(`${baseUrl}/api/forms`, API_KEY, {
    name: `Of ${count}`,
    fields: ['email', 'name', 'company', 'message'].map((name) => ({ name, type: 'text' })),
  });
  const listener = await startCounter();
  const form = `${baseUrl}/api/forms/${id}`;
  const webhook = await post(`${form}/webhooks`, API_KEY, {
    url: listener.url,
    events: ['form.submission.new'],
  });
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let sent = 0;
  const send = async () => {
    while (sent < count) await submit(`${form}/submissions`, agent, sent++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  await until(() => listener.count() >= count, `${count} deliveries`);
  agent.destroy();
  listener.close();
  return { formId: id, webhookId: webhook.id };
}

function submit(url, agent, n) {
  const data = {
    email: `visitor${n}@example.com`,
    name: `Visitor ${n}`,
    company: 'Example Ltd',
    message: 'Please call me back. '.repeat(10),
  };
  return send(url, { agent, body: JSON.stringify({ data }), expected: 201 });
}

/** Each round has a browser profile of its own, so that nothing is cached. */
async function measure(browser, baseUrl, { name, from, path, table }, { count, formId, webhookId }) {
  const of = (part) => `${baseUrl}/forms/${formId}/${part.replace('WEBHOOK', webhookId)}`;
  const rounds = { name, count, clicked: [], opened: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const context = await browser.newContext({
      reducedMotion: 'reduce',
      viewport: { width: 1280, height: 800 },
    });
    context.on('request', (one) => noteMore(new URL(one.url()), name));
    const answer = await context.request.post(`${baseUrl}/api/auth/login`, { data: OWNER });
    if (!answer.ok()) throw new Error(`the owner could not log in: ${await answer.text()}`);

    const cold = await context.newPage();
    await cold.addInitScript(watchRows, { table, wanted: PAGE_SIZE });
    await cold.goto(of(path));
    rounds.opened.push(await rowsAt(cold));
    await cold.close();

    const page = await context.newPage();
    await page.addInitScript(watchRows, { table, wanted: PAGE_SIZE });
    await page.goto(of(from));
    const link = page.locator(`a[href$="${new URL(of(path)).pathname}"]`);
    // Until the screen that one comes from is at rest.
    await link.waitFor();
    await page.waitForLoadState('networkidle');
    const clickedAt = await link.evaluate((one) => {
      const now = performance.now();
      one.click();
      return now;
    });
    rounds.clicked.push((await rowsAt(page)) - clickedAt);
    await context.close();
  }
  return rounds;
}

/** Notes where a list is asked for anything but its first page. */
function noteMore({ pathname, searchParams }, name) {
  if (!pathname.startsWith('/api/') || !pathname.endsWith(`/${name}`)) return;
  if (searchParams.get('limit') !== String(PAGE_SIZE) || searchParams.has('cursor'))
    askedForMore.push(`${pathname}?${searchParams}`);
}

/** In the page: notes when that many rows have been painted, in milliseconds since the page was asked for. */
function watchRows({ table, wanted }) {
  const look = () => {
    if (document.querySelectorAll(`[aria-label="${table}"] tbody tr`).length < wanted) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => (window.rowsAt = performance.now())));
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { childList: true, subtree: true });
}

async function rowsAt(page) {
  await page.waitForFunction(() => window.rowsAt);
  return page.evaluate(() => window.rowsAt);
}

function told(values) {
  return `${Math.round(median(values))} (${Math.round(Math.min(...values))} – ${Math.round(Math.max(...values))})`;
}
