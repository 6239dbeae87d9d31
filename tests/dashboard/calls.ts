import type { Page } from 'playwright-core';

/** The addresses that the page calls from now on and that fit, as they come. */
export function recordCalls(page: Page, fitting: RegExp): readonly URL[] {
  const calls: URL[] = [];
  page.on('request', (request) => {
    if (fitting.test(request.url())) calls.push(new URL(request.url()));
  });
  return calls;
}
