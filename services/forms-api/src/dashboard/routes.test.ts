import { tempFolder } from '@svcforms/test-kit';
import { get, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { openFormsApi } from '../../test/fixture.ts';
import { readDashboard } from './dashboard-files.ts';
import { SCRIPT, SCRIPT_TEXT } from '../../test/dashboard.ts';

let url: string;
beforeAll(async () => void ({ url } = (await openFormsApi()).host));

const page = (path: string, init: RequestInit = {}) => fetch(url + path, init);
const nonceOf = (policy: string | null) => /'nonce-([\w-]+)'/.exec(policy ?? '')?.[1];

/** As it goes over the wire: fetch would unpack it. */
const raw = (path: string, headers: Record<string, string>) =>
  new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; bytes: Buffer }>(
    (resolve, reject) => {
      get(url + path, { headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) }),
        );
      }).on('error', reject);
    },
  );

describe('the dashboard', () => {
  it.each([
    '/',
    '/login',
    '/login?to=%2Ftasks',
    '/forms',
    '/forms/frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y/webhooks',
    '/tasks',
    '/tasks/tsk_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
    '/developers',
    '/settings',
    '/settings/keys',
  ])('is one page at each of its addresses: %s', async (path) => {
    const response = await page(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('runs only the scripts of the build, and never in a frame', async () => {
    const policy = (await page('/')).headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w-]{22}';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
  });

  it('has a new nonce in each response', async () => {
    const [first, second] = await Promise.all([page('/'), page('/')]);
    const nonce = nonceOf(first.headers.get('content-security-policy'));
    const html = await first.text();
    expect([...html.matchAll(/nonce="([^"]*)"/g)].map(([, value]) => value)).toEqual([nonce, nonce]);
    expect(nonceOf(second.headers.get('content-security-policy'))).not.toBe(nonce);
  });

  it.each([
    '/api/nothing',
    '/docs/nothing',
    '/f/nothing',
    '/embed/nothing',
    '/assets/nothing.js',
    '/assets/..%2findex.html',
  ])('responds to no other path: %s', async (path) => {
    const response = await page(path, { headers: { accept: 'text/html' } });
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json\b/);
  });

  it.each(['/nothing', '/formsandmore', '/nothing/at/all'])(
    'shows its not-found page to browsers at an unknown path, and a problem to programs: %s',
    async (path) => {
      const shown = await page(path, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
      expect(shown.status).toBe(404);
      expect(shown.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(nonceOf(shown.headers.get('content-security-policy'))).toBeDefined();
      const problem = await page(path, { headers: { accept: '*/*' } });
      expect(problem.status).toBe(404);
      expect(problem.headers.get('content-type')).toMatch(/^application\/problem\+json\b/);
      expect((await page(path, { method: 'POST', headers: { accept: 'text/html' } })).status).toBe(404);
    },
  );

  it('responds only to GET and HEAD', async () => {
    const { status, headers } = await page('/forms', { method: 'POST' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['identity', undefined, (bytes: Buffer) => bytes],
  ])(
    'sends its files to clients that accept %s as %s, cacheable forever',
    async (accepted, encoding, unpack) => {
      const path = `/assets/${SCRIPT}`;
      const { status, headers, bytes } = await raw(path, { 'accept-encoding': accepted });
      expect(status).toBe(200);
      expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
      expect(headers['content-encoding']).toBe(encoding);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers['vary']).toContain('Accept-Encoding');
      expect(unpack(bytes).toString()).toBe(SCRIPT_TEXT);

      const again = await raw(path, {
        'accept-encoding': accepted,
        'if-none-match': `"other", ${headers['etag']}`,
      });
      expect([again.status, again.bytes.length, again.headers['etag']]).toEqual([304, 0, headers['etag']]);
    },
  );

  it('says what to do if it was not built', () => {
    expect(() => readDashboard(tempFolder())).toThrow(/no dashboard .* run npm run build/);
  });
});
