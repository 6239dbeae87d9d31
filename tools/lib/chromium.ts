import { atEnd, chromiumPath } from '@svcforms/test-kit';
import { chromium, type Browser } from 'playwright-core';

/**
 * Starts the browser of the tools: Debian's Chromium, unless CHROMIUM_PATH names another. It ends
 * with the tool.
 */
export async function launchChromium(...args: string[]): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-gpu', ...args],
  });
  atEnd(() => browser.close());
  return browser;
}
