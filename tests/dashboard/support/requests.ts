import type { Page } from 'playwright-core';

/** Records the URLs of the page's requests that match, from now on. */
export function recordRequests(page: Page, pattern: RegExp): readonly URL[] {
  const urls: URL[] = [];
  page.on('request', (request) => {
    if (pattern.test(request.url())) urls.push(new URL(request.url()));
  });
  return urls;
}
