import { ERROR_TEXTS } from '@svcforms/contracts';
import { startTestHost, type TestHost } from '@svcforms/http/testing';
import { root } from '@svcforms/test-kit';
import { readFileSync } from 'node:fs';
import { docsRoutes } from './routes.ts';

let host: TestHost;
beforeAll(
  async () => void (host = await startTestHost({ routes: docsRoutes({ docsFolder: `${root}docs` }) })),
);

const get = (path: string, headers: Record<string, string> = {}) => fetch(host.url + path, { headers });

describe('the API documents', () => {
  it('are the committed OpenAPI file, for programs', async () => {
    const response = await get('/openapi.json');
    expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
    expect(await response.text()).toBe(readFileSync(`${root}docs/openapi.json`, 'utf8'));
  });

  it.each(['/docs', '/docs/', '/docs/errors'])(
    'are pages that load nothing from elsewhere: %s',
    async (path) => {
      const response = await get(path);
      expect(response.headers.get('content-type')).toMatch(/^text\/html\b/);
      expect(response.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; script-src 'self';/,
      );
      const html = await response.text();
      const loaded = [...html.matchAll(/<(?:script|link|img)[^>]+(?:src|href)="([^"]+)"/g)]
        .map(([, url = '']) => url)
        .filter((url) => url !== 'data:,');
      expect(loaded.length).toBeGreaterThan(0);
      for (const url of loaded) {
        const file = await get(url);
        expect([url, file.status]).toEqual([url, 200]);
        expect(file.headers.get('content-type')).toMatch(
          url.endsWith('.js') ? /^text\/javascript\b/ : /^text\/css\b/,
        );
      }
    },
  );

  it('explain every code at the URL of its problem type', async () => {
    const html = await (await get('/docs/errors')).text();
    const ids = [...html.matchAll(/<section id="(\w+)">/g)].map(([, id]) => id);
    expect(ids).toEqual(Object.keys(ERROR_TEXTS));
    expect(html).not.toMatch(/undefined|`/);
  });

  it('are not sent again to clients that have them', async () => {
    const first = await get('/openapi.json');
    const etag = first.headers.get('etag') ?? '';
    for (const known of [etag, `W/${etag}`]) {
      const again = await get('/openapi.json', { 'if-none-match': known });
      expect([again.status, await again.text()]).toEqual([304, '']);
    }
    expect((await get('/openapi.json', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it.each(['/docs/..%2f..%2fpackage.json', '/docs/swagger-ui-bundle.js.map', '/docs/%00'])(
    'are no way to other files: %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});
