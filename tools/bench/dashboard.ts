// npm run bench:dashboard: how long it takes until the first rows of long lists are on the screen,
// in Chromium, compared with lists of one page. Exits with 1 when that takes more than half a
// second after a click, or when the dashboard requests more than the first page. The browser is
// Debian's Chromium, unless CHROMIUM_PATH names another.
import { poll } from '@svcforms/test-kit';
import { Agent } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { post } from '../lib/api.ts';
import { launchChromium } from '../lib/chromium.ts';
import { sendJson, startCountingEndpoint } from '../lib/http-load.ts';
import { API_KEY, startMeasuredProduct } from '../lib/measured-product.ts';
import { median } from '../lib/statistics.ts';
import { runTool } from '../lib/tool.ts';
import { buildProduct } from '../setup/install.mjs';

interface List {
  /** The last part of its path in the API. */
  name: string;
  /** The screen with the link to the list, and the list's own, below the form. */
  from: string;
  path: string;
  /** The label of its table. */
  table: string;
}

interface FilledForm {
  count: number;
  formId: string;
  webhookId: string;
}

interface Result {
  name: string;
  count: number;
  /** Milliseconds from a click to the rows, and from opening the address to the rows. */
  clicked: number[];
  opened: number[];
}

const COUNTS = [25, 10_000];
const PAGE_SIZE = 25;
const ROUNDS = 10;
const CONNECTIONS = 32;
const MAX_MS = 500;
const OWNER = { email: 'owner@example.com', password: 'a password for benches' };
const LISTS: readonly List[] = [
  { name: 'submissions', from: '', path: 'submissions', table: 'Submissions' },
  { name: 'deliveries', from: 'webhooks', path: 'webhooks/WEBHOOK', table: 'Deliveries' },
];

/** Requests for anything but the first page of a list. */
const laterPages: string[] = [];

await runTool(async () => {
  buildProduct();
  const results = await measureAll();
  console.log('| List | Entries | After a click, ms | By its address, ms |');
  console.log('| --- | --- | --- | --- |');
  for (const { name, count, clicked, opened } of results)
    console.log(`| ${name} | ${count} | ${summaryOf(clicked)} | ${summaryOf(opened)} |`);
  const isFast = results.every(({ clicked }) => median(clicked) <= MAX_MS);
  if (!isFast) console.error(`the first rows took more than ${MAX_MS} ms`);
  for (const address of laterPages)
    console.error(`the dashboard requested more than the first page: ${address}`);
  return isFast && laterPages.length === 0 ? 0 : 1;
});

async function measureAll(): Promise<Result[]> {
  const { baseUrl } = await startMeasuredProduct('embedded', {
    settings: { SVC_BOOTSTRAP_EMAIL: OWNER.email, SVC_BOOTSTRAP_PASSWORD: OWNER.password },
  });
  const forms: FilledForm[] = [];
  for (const count of COUNTS) forms.push(await createFilledForm(baseUrl, count));
  const browser = await launchChromium();
  const results: Result[] = [];
  for (const list of LISTS) {
    for (const form of forms) results.push(await measure(browser, baseUrl, list, form));
  }
  return results;
}

/** Creates a form with that many submissions, and waits until all are delivered. */
async function createFilledForm(baseUrl: string, count: number): Promise<FilledForm> {
  const { id } = await post(baseUrl, API_KEY, '/api/forms', {
    name: `Of ${count}`,
    fields: ['email', 'name', 'company', 'message'].map((name) => ({ name, type: 'text' })),
  });
  const endpoint = await startCountingEndpoint();
  const webhook = await post(baseUrl, API_KEY, `/api/forms/${id}/webhooks`, {
    url: endpoint.url,
    events: ['form.submission.new'],
  });
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let sent = 0;
  const work = async () => {
    while (sent < count) await submit(`${baseUrl}/api/forms/${id}/submissions`, agent, sent++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  await poll(() => endpoint.count() >= count, { what: `${count} deliveries`, timeoutMs: 60_000 });
  agent.destroy();
  return { count, formId: id, webhookId: webhook.id };
}

function submit(url: string, agent: Agent, n: number): Promise<void> {
  const data = {
    email: `visitor${n}@example.com`,
    name: `Visitor ${n}`,
    company: 'Example Ltd',
    message: 'Please call me back. '.repeat(10),
  };
  return sendJson(url, { agent, body: JSON.stringify({ data }), expected: 201 });
}

/** Each round has a browser profile of its own, so that nothing is cached. */
async function measure(
  browser: Browser,
  baseUrl: string,
  { name, from, path, table }: List,
  { count, formId, webhookId }: FilledForm,
): Promise<Result> {
  const urlOf = (part: string) => `${baseUrl}/forms/${formId}/${part.replace('WEBHOOK', webhookId)}`;
  const result: Result = { name, count, clicked: [], opened: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const context = await browser.newContext({
      reducedMotion: 'reduce',
      viewport: { width: 1280, height: 800 },
    });
    context.on('request', (request) => noteLaterPage(new URL(request.url()), name));
    const login = await context.request.post(`${baseUrl}/api/auth/login`, { data: OWNER });
    if (!login.ok()) throw new Error(`the login of the owner failed: ${await login.text()}`);

    const cold = await context.newPage();
    await cold.addInitScript(watchRows, { table, wanted: PAGE_SIZE });
    await cold.goto(urlOf(path));
    result.opened.push(await rowsPaintedAt(cold));
    await cold.close();

    const page = await context.newPage();
    await page.addInitScript(watchRows, { table, wanted: PAGE_SIZE });
    await page.goto(urlOf(from));
    const link = page.locator(`a[href$="${new URL(urlOf(path)).pathname}"]`);
    // The screen with the link has finished loading.
    await link.waitFor();
    await page.waitForLoadState('networkidle');
    const clickedAt = await link.evaluate((element) => {
      const now = performance.now();
      (element as HTMLElement).click();
      return now;
    });
    result.clicked.push((await rowsPaintedAt(page)) - clickedAt);
    await context.close();
  }
  return result;
}

function noteLaterPage({ pathname, searchParams }: URL, name: string): void {
  if (!pathname.startsWith('/api/') || !pathname.endsWith(`/${name}`)) return;
  if (searchParams.get('limit') !== String(PAGE_SIZE) || searchParams.has('cursor'))
    laterPages.push(`${pathname}?${searchParams}`);
}

/**
 * Runs in the page: notes when that many rows are painted, in milliseconds since the navigation
 * started.
 */
function watchRows({ table, wanted }: { table: string; wanted: number }): void {
  const look = () => {
    if (document.querySelectorAll(`[aria-label="${table}"] tbody tr`).length < wanted) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => Object.assign(window, { rowsAt: performance.now() })));
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { childList: true, subtree: true });
}

async function rowsPaintedAt(page: Page): Promise<number> {
  const handle = await page.waitForFunction(() => (window as { rowsAt?: number }).rowsAt);
  return Number(await handle.jsonValue());
}

/** The median, and the range. */
function summaryOf(values: readonly number[]): string {
  const [least, middle, most] = [Math.min(...values), median(values), Math.max(...values)].map(Math.round);
  return `${middle} (${least} – ${most})`;
}
