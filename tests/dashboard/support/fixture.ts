import type { Role, UserOut } from '@svcforms/contracts';
import type { SlackServer } from '@svcforms/test-kit';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { closeContext, launchBrowser } from '../../browser/launch-browser.ts';
import { productOf, type Product, type Stack } from '../../e2e/stack.ts';
import type { Elapse } from './product.ts';

/** A timeout that also suits a busy machine. */
const TIMEOUT_MS = 15_000;
/** After ten minutes, some requests need the password again. */
const SESSION_REUSE_MS = 5 * 60_000;
const WIDE = { width: 1280, height: 800 };

export interface Login {
  email: string;
  password: string;
}

/** The owner of the first account, from `testSettings`. */
export const OWNER: Login = { email: 'owner@example.com', password: 'owner password' };

interface VisitOptions {
  /** `null` for an anonymous visitor. Default: the owner. */
  as?: Login | null;
  /** Expected console messages and failed requests. All others fail the scenario. */
  expected?: RegExp;
  context?: BrowserContextOptions;
}

/** A running product, and browsers of its users. */
export interface Fixture extends Product {
  /** The workspace of its Slack app. */
  slack: SlackServer;
  elapse: Elapse;
  /** Opens a page of the dashboard in a new browser context. */
  open(path: string, options?: VisitOptions): Promise<Page>;
  /** Opens another page in the same browser context. */
  openBeside(page: Page, path: string): Promise<Page>;
  /** Creates a user of the account. */
  newUser(role: Role): Promise<Login & { id: string }>;
  /**
   * Closes the browser contexts of the scenario. @throws Error with unexpected console messages and
   * failed requests
   */
  endTest(): Promise<void>;
}

export async function startFixture(stack: Stack & Pick<Fixture, 'elapse' | 'slack'>): Promise<Fixture> {
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
    context.setDefaultTimeout(TIMEOUT_MS);
    contexts.push(context);
    context.on('page', (page) => watch(page, expected, problems));
    return context;
  }

  /** Reuses one login per user while it is recent enough for every request. */
  async function stateOf(login: Login) {
    const cached = cookies.get(login.email);
    if (cached && Date.now() - cached.at < SESSION_REUSE_MS) return cached.state;
    const state = await logIn(browser, product.baseUrl, login);
    cookies.set(login.email, { at: Date.now(), state });
    return state;
  }

  let users = 0;
  return {
    ...product,
    elapse: stack.elapse,
    slack: stack.slack,
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
      await Promise.all(contexts.splice(0).map(closeContext));
      const found = problems.splice(0);
      if (found.length > 0) throw new Error(`unexpected messages in the browser:\n${found.join('\n')}`);
    },
  };
}

async function logIn(browser: Browser, baseURL: string, { email, password }: Login) {
  const context = await browser.newContext({ baseURL });
  const response = await context.request.post('/api/auth/login', { data: { email, password } });
  if (!response.ok()) throw new Error(`${email} could not log in: ${await response.text()}`);
  const state = await context.storageState();
  await context.close();
  return state;
}

/** Records script errors, policy violations, failed requests and console warnings. */
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
    // The page itself cancels requests on navigation, or for a newer request.
    if (errorText !== 'net::ERR_ABORTED') note(`${request.method()} ${request.url()}: ${errorText}`);
  });
}
