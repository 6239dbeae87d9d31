import { CATALOGS, LANGUAGES, newId } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { openTestStore } from '@svcforms/document-store/testing';
import { startTestHost, type TestHost } from '@svcforms/http/testing';
import { FORMS, type FormRecord } from '@svcforms/records';
import { root, tempFolder } from '@svcforms/test-kit';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { request } from 'node:http';
import { createEmbedCdn } from './service.ts';
import { ALL_BYTES, CORE_BYTES, PART_BYTES } from '../test/size-limits.ts';

interface RawResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
}

/** As it goes over the wire: fetch would unpack it. */
function get(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.concat(chunks),
        }),
      );
    });
    sent.on('error', reject).end();
  });
}

const SETTINGS: FormRecord['settings'] = {
  popup: { enabled: true, trigger: 'delay', delayMs: 100 },
  theme: { accent: '#123456' },
  submitLabel: 'Go',
  thankYou: { title: 'Done' },
  keepDraft: false,
  notifications: { emails: ['secret@example.com'] },
  metadata: { includeIp: true },
  allowedOrigins: ['https://inside.example'],
  tasks: { emitSubmissionEvents: true },
};

describe('embed-cdn', () => {
  const folder = tempFolder();
  const clock = { now: 1_800_000_000_000 };
  let store: DocumentStore;
  let host: TestHost;
  let reads = 0;
  const broadcasts: string[] = [];

  const addForm = async (overrides: Partial<FormRecord> = {}) => {
    const form: FormRecord = {
      _id: newId('frm'),
      accountId: newId('acc'),
      name: 'Contact <us> & "them"',
      description: 'For the sales team only',
      fields: [{ name: 'email', type: 'email', required: true }],
      settings: SETTINGS,
      createdAt: '2026-03-14T09:26:53.589Z',
      updatedAt: '2026-03-14T09:26:53.589Z',
      version: 1,
      ...overrides,
    };
    await store.collection<FormRecord>(FORMS).insertOne(form);
    return form;
  };

  beforeAll(async () => {
    execFileSync(process.execPath, [`${root}tools/run.mjs`, 'build/embed', folder]);
    store = openTestStore();
    const counting: DocumentStore = {
      ...store,
      collection: (spec) => {
        const collection = store.collection(spec);
        return {
          ...collection,
          find: (...args: Parameters<typeof collection.find>) => (reads++, collection.find(...args)),
        } as never;
      },
    };
    const bus = { broadcast: async (message: string) => void broadcasts.push(message) };
    const service = createEmbedCdn({ scriptsFolder: folder }, { store: counting, bus, now: () => clock.now });
    host = await startTestHost({ services: [service], store });
  });

  beforeEach(() => {
    // Nothing that an earlier test has put into the cache.
    clock.now += 60_000;
  });

  describe('GET /embed.js', () => {
    it('is a script that any page may load, and keep for five minutes', async () => {
      const { status, headers, bytes } = await get(`${host.url}/embed.js`);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=300, stale-while-revalidate=86400',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
        vary: 'Accept-Encoding',
      });
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
      expect(headers).not.toHaveProperty('content-encoding');
      expect(bytes).toEqual(readFileSync(join(folder, 'embed.js')));
    });

    it.each([
      ['br', 'br', brotliDecompressSync],
      ['gzip, deflate', 'gzip', gunzipSync],
      ['gzip, br', 'br', brotliDecompressSync],
    ] as const)('comes packed to who accepts %s', async (accepted, encoding, unpack) => {
      const { headers, bytes } = await get(`${host.url}/embed.js`, { 'accept-encoding': accepted });
      expect(headers['content-encoding']).toBe(encoding);
      expect(unpack(bytes)).toEqual(readFileSync(join(folder, 'embed.js')));
    });

    it('returns 304 to clients that have it', async () => {
      const { headers } = await get(`${host.url}/embed.js`);
      for (const known of [
        String(headers['etag']),
        `W/${String(headers['etag'])}`,
        `"x", ${String(headers['etag'])}`,
      ]) {
        const again = await get(`${host.url}/embed.js`, { 'if-none-match': known });
        expect(again).toMatchObject({
          status: 304,
          headers: { etag: headers['etag'], 'cache-control': headers['cache-control'] },
        });
        expect(again.bytes).toHaveLength(0);
      }
      expect((await get(`${host.url}/embed.js`, { 'if-none-match': '"other"' })).status).toBe(200);
    });

    it('has an ETag for each encoding', async () => {
      const tags = await Promise.all(
        ['br', 'gzip', 'identity'].map(
          async (encoding) =>
            (await get(`${host.url}/embed.js`, { 'accept-encoding': encoding })).headers['etag'],
        ),
      );
      expect(new Set(tags).size).toBe(3);
    });

    it('responds to HEAD with the same headers and no body', async () => {
      const { status, headers, bytes } = await get(`${host.url}/embed.js`, {}, 'HEAD');
      expect(status).toBe(200);
      expect(Number(headers['content-length'])).toBe(readFileSync(join(folder, 'embed.js')).length);
      expect(bytes).toHaveLength(0);
    });
  });

  describe('GET /embed/<name>.<hash>.js', () => {
    it.each(['ui', 'consent', 'triggers', 'exit', 'rules', 'preview', 'debug', 'en', 'pt-br', 'ar'])(
      'gives the chunk %s, for good',
      async (name) => {
        const file =
          readdirSync(folder).find((entry) => entry.startsWith(`${name}.`) && entry.endsWith('.js')) ?? '';
        const { status, headers } = await get(`${host.url}/embed/${file}`, { 'accept-encoding': 'br' });
        expect(status).toBe(200);
        expect(headers).toMatchObject({
          'content-type': 'text/javascript; charset=utf-8',
          'content-encoding': 'br',
          'cache-control': 'public, max-age=31536000, immutable',
          'access-control-allow-origin': '*',
          'cross-origin-resource-policy': 'cross-origin',
          'x-content-type-options': 'nosniff',
        });
      },
    );

    it.each(['other.000000000000.js', 'ui.js', 'embed.js', 'embed.js.br', '..%2fpackage.json', 'x'])(
      'has no %s',
      async (file) => {
        const { status, headers } = await get(`${host.url}/embed/${file}`);
        expect(status).toBe(404);
        expect(headers).toMatchObject({
          'content-type': 'application/problem+json',
          'access-control-allow-origin': '*',
        });
      },
    );
  });

  describe('the bundles', () => {
    const files = () => readdirSync(folder).filter((name) => name.endsWith('.js'));
    const sizeOf = (name: string) =>
      gzipSync(readFileSync(join(folder, files().find((file) => file.startsWith(`${name}.`)) ?? '')), {
        level: 9,
      }).length;

    it.each(LANGUAGES)('for a form in %s keep the limits', (language) => {
      const [core, ui, words] = ['embed', 'ui', language.toLowerCase()].map(sizeOf) as [
        number,
        number,
        number,
      ];
      process.stderr.write(`${language}: ${core} + ${ui} + ${words} = ${core + ui + words} bytes\n`);
      expect(core).toBeLessThanOrEqual(CORE_BYTES);
      expect(core + ui + words).toBeLessThanOrEqual(ALL_BYTES);
    });

    it.each(PART_BYTES)('for the feature %s have at most %i bytes', (name, bytes) => {
      process.stderr.write(`${name}: ${sizeOf(name)} bytes\n`);
      expect(sizeOf(name)).toBeLessThanOrEqual(bytes);
    });
  });

  it('leads a loader that a browser kept over an update to the chunk of today', async () => {
    const old = await get(`${host.url}/embed/ui.000000000000.js`);
    expect(old).toMatchObject({
      status: 302,
      headers: {
        location: expect.stringMatching(/^\/embed\/ui-old\.[0-9a-f]{12}\.js$/),
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
      },
    });
    expect((await get(host.url + String(old.headers['location']))).status).toBe(200);
  });

  it('leads data-svc-debug to its chunk, whose hash the loader does not name', async () => {
    const { status, headers } = await get(`${host.url}/embed/debug.js`);
    expect([status, headers['location']]).toEqual([
      302,
      expect.stringMatching(/^\/embed\/debug\.[0-9a-f]{12}\.js$/),
    ]);
  });

  describe('GET /embed/preview', () => {
    it('is a page for frames of ours alone, without an origin and without a way out', async () => {
      const { status, headers, bytes } = await get(`${host.url}/embed/preview`);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain('sandbox allow-scripts allow-forms;');
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).toContain("frame-ancestors 'self'");
      expect(policy).not.toMatch(/unsafe|connect-src|allow-same-origin/);
      const [, script] = /src="([^"]+)"/.exec(bytes.toString()) ?? [];
      expect((await get(host.url + String(script))).status).toBe(200);
    });
  });

  describe('GET /embed/forms/{id}.json', () => {
    it('contains only what a browser may see of a form', async () => {
      const form = await addForm();
      const { status, headers, bytes } = await get(`${host.url}/embed/forms/${form._id}.json`);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'public, max-age=60',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      });
      const { popup, theme, submitLabel, thankYou, keepDraft } = SETTINGS;
      expect(JSON.parse(bytes.toString())).toEqual({
        id: form._id,
        name: form.name,
        fields: form.fields,
        popup,
        theme,
        submitLabel,
        thankYou,
        keepDraft,
      });
    });

    it('contains placement and position, and no popup for an inline placement', async () => {
      const read = async (settings: FormRecord['settings']) => {
        const form = await addForm({ settings });
        const { bytes } = await get(`${host.url}/embed/forms/${form._id}.json`);
        return JSON.parse(bytes.toString()) as object;
      };
      const popup = { enabled: true, trigger: 'exit' } as const;
      expect(await read({ popup, placement: 'bar', position: 'top' })).toMatchObject({
        popup,
        placement: 'bar',
        position: 'top',
      });
      expect(await read({ popup, placement: 'inline' })).toMatchObject({
        popup: { ...popup, enabled: false },
        placement: 'inline',
      });
    });

    it('has the texts of a language that it is translated to, and lists these languages', async () => {
      const translations = { de: { submitLabel: 'Los', fields: { email: { label: 'E-Mail' } } } };
      const form = await addForm({ settings: { submitLabel: 'Go', translations } });
      const read = async (query: string) => {
        const { bytes } = await get(`${host.url}/embed/forms/${form._id}.json${query}`);
        expect(bytes.toString()).not.toContain('translations');
        return JSON.parse(bytes.toString()) as object;
      };
      expect(await read('?lang=de')).toMatchObject({ submitLabel: 'Los', fields: [{ label: 'E-Mail' }] });
      for (const query of ['', '?lang=fr', '?lang=x_', '?lang=', '?lang=fr&lang=it']) {
        expect(await read(query)).toMatchObject({ submitLabel: 'Go', languages: ['de'] });
      }
    });

    it('leaves out blank texts, so that everything has the name that it has without one', async () => {
      const read = async (blank?: { label: string }) => {
        const label = blank?.label;
        const when = { all: [{ field: 'size', op: 'answered' as const }] };
        const form = await addForm({
          fields: [
            { name: 'email', type: 'email', ...blank, ...(blank && { help: label, placeholder: label }) },
            { name: 'size', type: 'radio', ...blank, options: [{ value: ' ', ...blank }] },
          ],
          settings: {
            popup: {
              enabled: true,
              trigger: 'exit',
              decline: { enabled: true, ...(blank && { text: label }) },
            },
            ...(blank && { submitLabel: label }),
            thankYou: { message: 'Bye', ...(blank && { title: label }) },
            endings: [{ name: 'other', when, title: 'Done', ...(blank && { message: label }) }],
          },
        });
        const { bytes } = await get(`${host.url}/embed/forms/${form._id}.json`);
        return { ...(JSON.parse(bytes.toString()) as object), id: '' };
      };
      const without = await read();
      for (const label of ['', ' \n\u00a0']) expect(await read({ label })).toEqual(without);
    });

    it('contains values in their stored form, and only limits that the field type uses', async () => {
      const form = await addForm({
        fields: [
          { name: 'box', type: 'checkbox', defaultValue: 'on' },
          { name: 'more', type: 'number', maxLength: 2, showIf: { field: 'box', equals: 'yes' } },
        ],
      });
      const { bytes } = await get(`${host.url}/embed/forms/${form._id}.json`);
      expect(JSON.parse(bytes.toString())).toMatchObject({
        fields: [
          { name: 'box', type: 'checkbox', defaultValue: true },
          { name: 'more', type: 'number', showIf: { field: 'box', equals: true } },
        ],
      });
      expect(bytes.toString()).not.toContain('maxLength');
    });

    it.each([
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const)('comes packed by %s', async (encoding, unpack) => {
      const form = await addForm();
      const { headers, bytes } = await get(`${host.url}/embed/forms/${form._id}.json`, {
        'accept-encoding': encoding,
      });
      expect(headers['content-encoding']).toBe(encoding);
      expect(JSON.parse(unpack(bytes).toString())).toMatchObject({ id: form._id });
    });

    it('is not sent again until the form has changed', async () => {
      const form = await addForm();
      const url = `${host.url}/embed/forms/${form._id}.json`;
      const etag = String((await get(url)).headers['etag']);
      expect((await get(url, { 'if-none-match': etag })).status).toBe(304);
      await store.collection<FormRecord>(FORMS).updateOne({ _id: form._id }, { $set: { name: 'Renamed' } });
      clock.now += 1000;
      expect(await get(url, { 'if-none-match': etag })).toMatchObject({ status: 200 });
    });

    it('reports the host of the page once a minute, however many ask', async () => {
      const form = await addForm();
      const url = `${host.url}/embed/forms/${form._id}.json`;
      const visit = (origin?: string) => get(url, origin === undefined ? {} : { origin });
      const reported = () => broadcasts.filter((message) => message.includes(form._id));
      for (const origin of [
        undefined,
        'null',
        'chrome-extension://abc',
        `https://${'a'.repeat(300)}.example`,
      ]) {
        await visit(origin);
      }
      expect(reported()).toEqual([]);
      for (let n = 0; n < 20; n++) await visit('https://shop.example');
      expect(reported()).toEqual([`script-seen ${form._id} shop.example`]);
      clock.now += 60_000;
      await visit('http://localhost:3000');
      expect(reported().slice(1)).toEqual([`script-seen ${form._id} localhost:3000`]);
      const unknown = newId('frm');
      await get(`${host.url}/embed/forms/${unknown}.json`, { origin: 'https://shop.example' });
      expect(broadcasts.filter((message) => message.includes(unknown))).toEqual([]);
    });

    it('is read from the store once a second, however many ask', async () => {
      const form = await addForm();
      const before = reads;
      const url = `${host.url}/embed/forms/${form._id}.json`;
      await Promise.all(Array.from({ length: 200 }, () => get(url)));
      expect(reads - before).toBe(1);
      clock.now += 1000;
      await get(url);
      expect(reads - before).toBe(2);
    });

    it.each([
      ['an unknown id', async () => newId('frm')],
      ['what is no id', async () => 'contact'],
      [
        'a form that is being deleted',
        async () => (await addForm({ deletedAt: '2026-03-14T09:26:53.589Z' }))._id,
      ],
    ])('is 404 for %s, and says so to pages of any origin', async (_, idOf) => {
      const { status, headers } = await get(`${host.url}/embed/forms/${await idOf()}.json`, {
        origin: 'https://site.example',
      });
      expect(status).toBe(404);
      expect(headers).toMatchObject({
        'content-type': 'application/problem+json',
        'access-control-allow-origin': '*',
      });
    });
  });

  describe('GET /f/{id}', () => {
    it('is a page under a strict policy, that the allowed origins may frame', async () => {
      const form = await addForm();
      const { status, headers, bytes } = await get(`${host.url}/f/${form._id}`);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'x-content-type-options': 'nosniff',
      });
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'self' https://inside.example");
      expect(policy).not.toContain('unsafe');
      expect(headers).not.toHaveProperty('x-frame-options');
      expect(bytes.toString()).toContain('<title>Contact &lt;us&gt; &amp; &quot;them&quot;</title>');
      expect(bytes.toString()).toContain(`<script src="/embed.js" data-svc-form-id="${form._id}"`);
    });

    it.each([
      ['any site may frame', undefined, 'frame-ancestors *'],
      [
        'its allowed origins and we',
        ['https://a.example', 'http://b.example:8080'],
        "frame-ancestors 'self' https://a.example http://b.example:8080",
      ],
      ['only we', [], "frame-ancestors 'self'"],
    ])('says that %s may frame it', async (_, allowedOrigins, directive) => {
      const form = await addForm({ settings: { ...SETTINGS, allowedOrigins: allowedOrigins as string[] } });
      const { headers } = await get(`${host.url}/f/${form._id}`);
      expect(String(headers['content-security-policy']).split('; ')).toContain(directive);
    });

    it('is sent again after its policy changed', async () => {
      const form = await addForm({ settings: { ...SETTINGS, allowedOrigins: ['https://a.example'] } });
      const url = `${host.url}/f/${form._id}`;
      const etag = String((await get(url)).headers['etag']);
      expect(await get(url, { 'if-none-match': etag })).toMatchObject({ status: 304 });
      await store
        .collection<FormRecord>(FORMS)
        .updateOne({ _id: form._id }, { $set: { 'settings.allowedOrigins': ['https://b.example'] } });
      clock.now += 1_000;
      const again = await get(url, { 'if-none-match': etag });
      expect(again.status).toBe(200);
      expect(again.headers['content-security-policy']).toContain("frame-ancestors 'self' https://b.example");
    });

    it('permits the pictures of its fields', async () => {
      const fields: FormRecord['fields'] = [
        { name: 'map', type: 'image', src: 'https://pictures.example/map.png' },
        ...Array.from({ length: 30 }, (_, n) => ({
          name: `p${n}`,
          type: 'image' as const,
          src: `https://p${n}.example/a.png`,
        })),
      ];
      const form = await addForm({ fields });
      const { headers } = await get(`${host.url}/f/${form._id}`);
      const sources =
        /img-src ([^;]*)/.exec(String(headers['content-security-policy']))?.[1]?.split(' ') ?? [];
      expect(sources).toContain('https://pictures.example');
      expect(sources).toHaveLength(22);
    });

    it('has a policy that no host of an origin or a picture adds a directive to', async () => {
      const form = await addForm({
        settings: {
          ...SETTINGS,
          allowedOrigins: ['https://b;sandbox', 'https://c.example'],
          theme: { logo: 'https://a;report-uri', cover: 'https://d.example/cover.png' },
        },
        fields: [{ name: 'map', type: 'image', src: 'https://a,script-src/map.png' }],
      });
      const { headers } = await get(`${host.url}/f/${form._id}`);
      const directives = String(headers['content-security-policy']).split('; ');
      expect(directives).toContain("img-src 'self' data: https://d.example");
      expect(directives).toContain("frame-ancestors 'self' https://c.example");
      expect(directives.filter((directive) => /[;,]/.test(directive))).toEqual([]);
    });

    it('has a policy of bounded length', async () => {
      const allowedOrigins = Array.from({ length: 2_000 }, (_, n) => `https://site-${n}.example`);
      const form = await addForm({ settings: { ...SETTINGS, allowedOrigins } });
      const policy = String((await get(`${host.url}/f/${form._id}`)).headers['content-security-policy']);
      expect(policy).toContain("frame-ancestors 'self' https://site-0.example https://site-1.example");
      expect(policy.length).toBeLessThan(5_000);
    });

    it.each([
      ['Hello {{who}}', 'Hello'],
      ['{{who}}', 'Contact'],
    ])('has no placeholders in its title, nor has a closed form: %s', async (title, shown) => {
      const fields = [{ name: 'who', type: 'hidden' as const }];
      const form = await addForm({ name: 'Contact', title, fields });
      expect((await get(`${host.url}/f/${form._id}`)).bytes.toString()).toContain(`<title>${shown}</title>`);
      const closed = await addForm({
        name: 'Contact',
        title,
        fields,
        settings: { closing: { isClosed: true } },
      });
      const { bytes } = await get(`${host.url}/embed/forms/${closed._id}.json`);
      expect(JSON.parse(bytes.toString())).toMatchObject({ closed: { en: { title: shown } } });
    });

    it('speaks the language that the link or the browser names', async () => {
      const form = await addForm({
        settings: { translations: { de: { title: 'Kontakt' } } },
      });
      const page = async (accepted?: string, query = '') => {
        const { headers, bytes } = await get(`${host.url}/f/${form._id}${query}`, {
          ...(accepted && { 'accept-language': accepted }),
        });
        expect(headers['vary']).toBe('Accept-Encoding, Accept-Language');
        return bytes.toString();
      };
      const arabic = await page('sv, ar-EG;q=0.9, en;q=0.8');
      expect(arabic).toContain('<html lang="ar" dir="rtl">');
      expect(arabic).toContain('data-svc-lang="ar"');
      expect(arabic).toContain(CATALOGS.ar.noScript);
      expect(arabic).not.toContain('This form');
      expect(await page('de-AT')).toContain('<title>Kontakt</title>');
      expect(await page('de', '?svc-lang=fr')).toContain('<html lang="fr">');
      expect(await page('de', '?svc-lang=x_')).toContain('<html lang="de">');
      expect(await page('zh-TW')).toContain('<html lang="en">');
      expect(await page()).toContain('<html lang="en">');
    });

    it('speaks only languages that the texts are in, if the form says which these are', async () => {
      const form = await addForm({
        settings: { language: 'ar', translations: { de: { title: 'Kontakt' } } },
      });
      const htmlFor = async (accepted: string) =>
        (await get(`${host.url}/f/${form._id}`, { 'accept-language': accepted })).bytes.toString();
      expect(await htmlFor('en')).toContain('<html lang="ar" dir="rtl">');
      expect(await htmlFor('en, de')).toContain('<html lang="de">');
    });

    it('says in the visitor’s language that there is no such form', async () => {
      const { headers, bytes } = await get(`${host.url}/f/${newId('frm')}`, {
        accept: 'text/html',
        'accept-language': 'ja',
      });
      expect(headers['vary']).toContain('Accept-Language');
      expect(bytes.toString()).toContain(`<title>${CATALOGS.ja.missingTitle}</title>`);
      expect(bytes.toString()).not.toContain('removed');
    });

    it('is 404 for an unknown form: a page to a person, a problem to a program', async () => {
      const url = `${host.url}/f/${newId('frm')}`;
      const page = await get(url, { accept: 'text/html,*/*;q=0.8' });
      expect(page).toMatchObject({ status: 404, headers: { 'content-type': 'text/html; charset=utf-8' } });
      expect(page.bytes.toString()).toContain('<title>Form not found</title>');
      expect(await get(url)).toMatchObject({
        status: 404,
        headers: { 'content-type': 'application/problem+json' },
      });
    });
  });

  it('does not start without its scripts', async () => {
    const service = createEmbedCdn({ scriptsFolder: tempFolder() }, { store });
    await expect(service.start()).rejects.toThrow(/no embed\.js.*build/);
  });
});
