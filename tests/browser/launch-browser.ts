import { atEnd, chromiumPath, headlessShellPath } from '@svcforms/test-kit';
import { chromium, type Browser, type BrowserContext, type LaunchOptions } from 'playwright-core';

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

interface BrowserOptions extends Pick<LaunchOptions, 'ignoreDefaultArgs'> {
  /**
   * Whether the tests need the whole Chromium: what they do depends on focus, history or frames.
   */
  isWhole?: boolean;
}

/** The browser that all tests of a file share. */
export async function launchBrowser({ isWhole = false, ...options }: BrowserOptions = {}): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: `${__dirname}/chromium.sh`,
    env: { ...process.env, CHROMIUM_PATH: isWhole ? chromiumPath : headlessShellPath },
    args: ARGS,
    ...options,
  });
  atEnd(() => browser.close());
  return browser;
}

/**
 * Closes the context of a test. A request that a handler of the test is passing on then fails, and
 * such an error outside of a test would fail every test of the file.
 */
export async function closeContext(context: BrowserContext): Promise<void> {
  for (const intercepted of [context, ...context.pages()]) {
    await intercepted.unrouteAll({ behavior: 'ignoreErrors' });
  }
  await context.close();
}
