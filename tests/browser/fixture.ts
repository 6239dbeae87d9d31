import type { FormField, FormOut, FormSettings, Popup } from '@svcforms/contracts';
import { createClient, createForm, poll, root, type Client } from '@svcforms/test-kit';
import { readdirSync } from 'node:fs';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { closeContext, launchBrowser } from './launch-browser.ts';
import { startSite, type Site } from './site.ts';

/** The duration of the arming guard: docs/reference/triggers.md#arming-guard */
export const GUARD_MS = 15_000;
/** The start time of the fake clock. */
const START = Date.parse('2026-03-14T09:26:53.589Z');
export const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const FIELDS: FormField[] = [{ name: 'email', type: 'email', label: 'E-mail', required: true }];
const TALL = '<h1>A page</h1><div id="top">top</div><div style="height:4000px"></div><div id="end">end</div>';

export interface VisitOptions {
  /** A visitor for whom nothing is armed. */
  isExcluded?: boolean;
  /** A page on which the script requests nothing yet. */
  isUnarmed?: boolean;
  /**
   * The popup of the new form, enabled unless it says otherwise. Without it, the form has no popup.
   */
  popup?: Popup;
  settings?: FormSettings;
  fields?: FormField[];
  /** An existing form to use instead of a new one. */
  form?: FormOut;
  name?: string;
  /** Attributes of the script tag in addition to the form id. */
  attributes?: string;
  /** Replaces the script tag with one or several others. */
  tags?: (form: FormOut, base: string) => string;
  head?: string;
  body?: string;
  path?: string;
  /** Response headers of the page. */
  headers?: Record<string, string>;
  context?: BrowserContext;
  contextOptions?: BrowserContextOptions;
  /** Runs in the page before anything else. */
  init?: (() => void) | string;
  /** Whether the test controls the clock; true by default. */
  fakeClock?: boolean;
}

/** One visitor on one page of a site. */
export interface Visit {
  form: FormOut;
  site: Site;
  page: Page;
  context: BrowserContext;
  /** Requests of the page and the embed to the product, as `GET /path`, the newest last. */
  requests: string[];
  /** The types of the popup events that the browser sent. */
  counted: string[];
  /** The ids of the forms whose views in the page it sent. */
  viewed: string[];
  /** The forms whose submissions in the page were counted. */
  submitted: string[];
  /** Errors and console messages of the page. */
  problems: string[];
  /** Advances the clock. */
  pass(ms: number): Promise<void>;
  /** Runs `start`, which makes the page load the form, and waits until the form is armed. */
  arm(start: () => Promise<unknown>): Promise<void>;
  /** Waits until a popup that is about to open has opened. */
  waitForUi(): Promise<void>;
  isOpen(): Promise<boolean>;
  expectOpen(): Promise<void>;
  expectClosed(): Promise<void>;
}

export interface Fixture {
  baseUrl: string;
  client: Client;
  /**
   * Every browser context has its own site, so that visitors of different sites can run in
   * parallel.
   */
  visit(options?: VisitOptions): Promise<Visit>;
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** Closes every page of the test. */
  endVisits(): Promise<void>;
}

/** Opens a browser and sites for a running product. */
export async function openFixture(
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  { isWhole = false } = {},
): Promise<Fixture> {
  const browser = await launchBrowser({ isWhole });
  const client = createClient({ baseUrl, token: apiKey });
  const loader = await (await fetch(`${baseUrl}/embed.js`)).text();
  /** All chunks have the same hash. */
  const [ending = 'missing'] = /\.[0-9a-f]{12}\.js/.exec(loader) ?? [];
  const chunkUrl = (name: string) => `${baseUrl}/embed/${name}${ending}`;
  const [english = 'missing'] = readdirSync(`${root}dist/embed`).filter((name) => /^en\.\w+\.js$/.test(name));
  const contexts: BrowserContext[] = [];
  const sites = new Map<BrowserContext, Promise<Site>>();

  const siteOf = (context: BrowserContext): Promise<Site> => {
    const site = sites.get(context) ?? startSite();
    sites.set(context, site);
    return site;
  };

  const newContext: Fixture['newContext'] = async (options = {}) => {
    const context = await browser.newContext({ viewport: { width: 1000, height: 700 }, ...options });
    contexts.push(context);
    return context;
  };

  async function visit(options: VisitOptions = {}): Promise<Visit> {
    const {
      popup,
      settings = {},
      fields = FIELDS,
      name = 'Stay in touch',
      fakeClock = true,
      attributes = '',
    } = options;
    const form =
      options.form ??
      (await createForm(client, {
        name,
        fields,
        settings: { ...settings, ...(popup && { popup: { enabled: true, ...popup } }) },
      }));
    const context = options.context ?? (await newContext(options.contextOptions));
    const site = await siteOf(context);
    const page = await context.newPage();
    const requests: string[] = [];
    const counted: string[] = [];
    const viewed: string[] = [];
    const submitted: string[] = [];
    const problems: string[] = [];
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(baseUrl)) return;
      requests.push(`${request.method()} ${url.slice(baseUrl.length)}`);
      const body = url.endsWith('/events') ? request.postData() : null;
      const { type } = JSON.parse(body ?? '{}') as { type?: string };
      const ofInline = type === 'viewed' ? viewed : type === 'submitted' && submitted;
      if (ofInline) ofInline.push(url.split('/').at(-2) ?? '');
      else if (type) counted.push(type);
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      if (message.type() !== 'log') problems.push(`${message.type()}: ${message.text()}`);
    });
    // All pages of a context share one clock.
    if (fakeClock && !options.context) {
      // The clock runs until it is paused, which needs a time in the future.
      await page.clock.install({ time: START - HOUR_MS });
      await page.clock.pauseAt(START);
    }
    if (options.init) await page.addInitScript(options.init);

    const tag =
      options.tags?.(form, baseUrl) ?? scriptTag(baseUrl, `data-svc-form-id="${form.id}" ${attributes}`);
    site.put({
      html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Site</title>${options.head ?? ''}</head>
<body>${options.body ?? TALL}${tag}</body></html>`,
      ...(options.headers && { headers: options.headers }),
    });
    const { cookie, storageKey, windowPath, consentMode } = popup?.trackingConsent ?? {};
    /** Lets the script finish its microtasks after a response. */
    const finishMicrotasks = async () => {
      for (let i = 0; i < 3; i++)
        await page.evaluate(() => new Promise<void>((resolve) => queueMicrotask(resolve)));
    };
    const arm = async (start: () => Promise<unknown>) => {
      const hasForm = page
        .waitForResponse((response) => response.url().endsWith(`/embed/forms/${form.id}.json`))
        .then((response) => response.finished())
        .catch(() => {});
      await start();
      await hasForm;
      // A form that names a consent source is armed once the consent reader has loaded.
      if (!options.isExcluded && (cookie ?? storageKey ?? windowPath ?? consentMode)) {
        await load(page, chunkUrl('consent'));
      }
      // Exit intent observes the page once its signals have loaded.
      if (!options.isExcluded && (/exit/.test(tag) || (popup && (popup.trigger ?? 'exit') === 'exit'))) {
        await load(page, chunkUrl('exit'));
      }
      await finishMicrotasks();
    };
    const go = () => page.goto(site.url + (options.path ?? '/'));
    await (tag.includes(form.id) && !options.isUnarmed ? arm(go) : go());

    const isOpen = () =>
      page.evaluate(() => !!document.querySelector('svc-form')?.shadowRoot?.querySelector('dialog[open]'));
    const waitForUi = async () => {
      await load(page, chunkUrl('ui'));
      // A form opens once its words have loaded, too. Pages of this fixture are in English.
      await load(page, `${baseUrl}/embed/${english}`);
      await finishMicrotasks();
    };
    return {
      form,
      site,
      page,
      context,
      requests,
      counted,
      viewed,
      submitted,
      problems,
      isOpen,
      waitForUi,
      arm,
      pass: (ms) => (fakeClock ? page.clock.runFor(ms) : Promise.resolve()),
      async expectOpen() {
        await poll(isOpen, { what: 'the opening of the modal' });
      },
      async expectClosed() {
        await waitForUi();
        expect(await isOpen()).toBe(false);
      },
    };
  }

  return {
    baseUrl,
    client,
    visit,
    newContext,
    async endVisits() {
      await Promise.all(contexts.splice(0).map(closeContext));
      for (const site of await Promise.all(sites.values())) site.close();
      sites.clear();
    },
  };
}

/** Resolves when the page has loaded that script, whichever code requested it. */
function load(page: Page, url: string): Promise<void> {
  // As text, because the compiler of the tests would transform the import.
  return page.evaluate<void>(`import('${url}').then(() => {})`);
}

export function scriptTag(baseUrl: string, attributes: string): string {
  return `<script src="${baseUrl}/embed.js" ${attributes}></script>`;
}
