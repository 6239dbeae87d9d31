// The browser of the tools: Debian's Chromium, unless CHROMIUM_PATH names another.

/** `args` beside those that every tool needs. Playwright is loaded here, because a fresh clone has none yet when a tool begins. */
export async function launchChromium(...args) {
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', ...args],
  });
}
