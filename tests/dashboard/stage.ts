import type { Role, UserOut } from '@svcforms/contracts';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser } from '../browser/launch-browser.ts';
import { productOf, type Product, type Stack } from '../e2e/stack.ts';

/** What a person waits for, on a machine that has much else to do. */
const PATIENCE_MS = 15_000;
/** After ten minutes, some calls need the password again. */
const RECENT_MS = 5 * 60_000;
const WIDE = { width: 1280, height: 800 };

export interface Login {
  email: string;
  password: string;
}

/** Of the first account, as `testSettings` makes it. */
export const OWNER: Login = { email: 'owner@example.com', password: 'owner password' };

export interface VisitOptions {
  /** `null` for somebody who has not logged in. Absent: the owner. */
  as?: Login | null;
  /** Failures that belong to the story; every other word on the console, and every other failed request, fails it. */
  expected?: RegExp;
  context?: BrowserContextOptions;
}

/** A product that runs, and people who look at it. */
export interface Stage extends Product {
  /** A person with a browser of their own, on that page of the dashboard. */
  open(path: string, options?: VisitOptions): Promise<Page>;
  /** Another page in the browser of `page`. */
  openBeside(page: Page, path: string): Promise<Page>;
  /** A new user of the account. */
  newUser(role: Role): Promise<Login & { id: string }>;
  /** Closes every browser of the story. @throws Error with what went wrong in them that nobody expected. */
  endTest(): Promise<void>;
}

export async function openStage(stack: Stack): Promise<Stage> {
  const product = productOf(stack);
  const browser = await launchBrowser();
  const cookies = new Map<
    string,
    { at: number; state: Awaited<ReturnType<BrowserContext['storageState']>> }
  >();
  const contexts: BrowserContext[] = [];
  const problems: string[] = [];

  async function newContext({
    as = OWNER,
    context: options = {},
    expected,
  }: VisitOptions): Promise<BrowserContext> {
    const context = await browser.newContext({
      baseURL: product.baseUrl,
      viewport: WIDE,
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'UTC',
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options,
      ...(as && { storageState: await stateOf(as) }),
    });
    context.setDefaultTimeout(PATIENCE_MS);
    contexts.push(context);
    context.on('page', (page) => watch(page, expected, problems));
    return context;
  }

  /** Of one login of each user, while it is recent enough for every call. */
  async function stateOf(login: Login) {
    const known = cookies.get(login.email);
    if (known && Date.now() - known.at < RECENT_MS) return known.state;
    const state = await logIn(browser, product.baseUrl, login);
    cookies.set(login.email, { at: Date.now(), state });
    return state;
  }

  let users = 0;
  return {
    ...product,
    async open(path, options = {}) {
      const page = await (await newContext(options)).newPage();
      await page.goto(path);
      return page;
    },
    async openBeside(page, path) {
      const another = await page.context().newPage();
      await another.goto(path);
      return another;
    },
    async newUser(role) {
      const login = { email: `${role}${++users}@example.com`, password: 'a good password' };
      const { body } = await product.client.post<UserOut>('/api/users', {
        body: { ...login, name: `The ${role}`, role },
        expect: 201,
      });
      return { ...login, id: body.data.id };
    },
    async endTest() {
      await Promise.all(contexts.splice(0).map((context) => context.close()));
      const found = problems.splice(0);
      if (found.length > 0) throw new Error(`the browser had something to say:\n${found.join('\n')}`);
    },
  };
}

async function logIn(browser: Browser, baseURL: string, { email, password }: Login) {
  const context = await browser.newContext({ baseURL });
  const answer = await context.request.post('/api/auth/login', { data: { email, password } });
  if (!answer.ok()) throw new Error(`${email} could not log in: ${await answer.text()}`);
  const state = await context.storageState();
  await context.close();
  return state;
}

/** Errors of scripts, refusals by the policy, requests that failed, and whatever else the console is told. */
function watch(page: Page, expected: RegExp | undefined, problems: string[]): void {
  const note = (text: string) => {
    if (!expected?.test(text)) problems.push(`${new URL(page.url()).pathname}: ${text}`);
  };
  page.on('pageerror', (error) => note(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) note(message.text());
  });
  page.on('requestfailed', (request) => {
    const { errorText } = request.failure() ?? {};
    // The page itself gave up, because it was left or has a newer question.
    if (errorText !== 'net::ERR_ABORTED') note(`${request.method()} ${request.url()}: ${errorText}`);
  });
}
