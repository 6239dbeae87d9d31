import { atEnd, chromiumPath } from '@svcforms/test-kit';
import { chromium, type Browser, type LaunchOptions } from 'playwright-core';

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The browser that all tests of a file share. */
export async function launchBrowser(options: LaunchOptions = {}): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: `${__dirname}/chromium.sh`,
    env: { ...process.env, CHROMIUM_PATH: chromiumPath },
    args: ARGS,
    ...options,
  });
  atEnd(() => browser.close());
  return browser;
}
