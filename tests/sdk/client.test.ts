import {
  ConfigurationError,
  ERROR_CODES,
  NotFoundError,
  SvcForms,
  UnexpectedAnswerError,
  UnprocessableError,
  VERSION,
  type ClientOptions,
} from '@svcforms/sdk';
import { root } from '@svcforms/test-kit';
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { createContactForm, startProduct, type Product } from './product.ts';

const KEY = `svc_key_${'a'.repeat(39)}Zm9y`;

let product: Product;

beforeAll(async () => {
  product = await startProduct();
});

describe('the settings of a client', () => {
  const saved = { ...process.env };
  afterEach(() => {
    process.env = { ...saved };
  });

  it('come from options, then from the environment', () => {
    process.env['SVC_API_KEY'] = `${KEY}\n`;
    process.env['SVC_BASE_URL'] = 'https://forms.example.com/';
    expect(inspect(new SvcForms())).toBe(
      "SvcForms { baseUrl: 'https://forms.example.com', apiKey: 'svc_key_…Zm9y' }",
    );
    expect(new SvcForms({ apiKey: 'x', baseUrl: 'http://localhost:9' }).baseUrl).toBe('http://localhost:9');
    delete process.env['SVC_BASE_URL'];
    expect(new SvcForms().baseUrl).toBe('http://localhost:8080');
  });

  it.each([
    [{}, 'pass apiKey, or set SVC_API_KEY'],
    [{ apiKey: '  ' }, 'pass apiKey, or set SVC_API_KEY'],
    [{ apiKey: 'svc_key_ä' }, 'invalid characters'],
    [{ apiKey: 'svc_key_a\nb' }, 'invalid characters'],
    [{ apiKey: KEY, baseUrl: 'forms.example.com' }, 'is not a URL'],
    [{ apiKey: KEY, baseUrl: 'ftp://forms.example.com' }, 'must look like https://forms.example.com'],
    [{ apiKey: KEY, baseUrl: 'https://a:b@forms.example.com' }, 'without credentials'],
    [{ apiKey: KEY, baseUrl: 'https://forms.example.com?a=b' }, 'or a query'],
  ] as [ClientOptions, string][])('are refused: %j', (options, message) => {
    delete process.env['SVC_API_KEY'];
    let caught: unknown;
    try {
      new SvcForms(options);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(ConfigurationError);
    expect(String(caught)).toContain(message);
    expect(String(caught)).not.toContain(KEY);
    expect(String(caught)).not.toContain('a:b');
  });
});

describe('secrets', () => {
  it.each([KEY, 'x'.repeat(60), 'short'])('stay hidden: a client does not show the key %s', (apiKey) => {
    const client = new SvcForms({ apiKey });
    const shown = [client, client.tasks, client.events.stream(), client.forms.list(), [client], { client }];
    for (const value of shown) {
      expect(inspect(value, { showHidden: true, depth: 9, getters: true })).not.toContain(apiKey);
      expect(JSON.stringify(value)).not.toContain(apiKey);
    }
    expect(JSON.parse(JSON.stringify(client))).toEqual({
      baseUrl: client.baseUrl,
      apiKey: expect.stringContaining('…'),
    });
  });

  it('are in the JSON of a result, and neither in its inspection nor in logs', async () => {
    const lines: string[] = [];
    const log = (line: string): void => void lines.push(line);
    const client = product.connect({ logger: { debug: log, info: log } });
    const form = await client.forms.create({ name: 'Secret name' });
    const url = 'http://127.0.0.1:9/';
    const hook = await client.webhooks.create(form.id, { url, events: ['form.submission.new'] });
    const endpoint = await client.inbound.create(form.id, { secret: true });
    const rotated = await client.inbound.rotate(form.id);
    const key = await client.keys.create({ name: 'x', scopes: ['forms:read'] });
    for (const [result, secret] of [
      [hook, hook.secret],
      [endpoint, endpoint.token],
      [endpoint, endpoint.secret],
      [rotated, rotated.token],
      [key, key.key],
    ] as const) {
      expect(secret).toMatch(/.{16}/);
      expect(JSON.stringify(result)).toContain(secret);
      expect({ ...result }).toEqual(result);
      expect(inspect(result)).not.toContain(secret);
      expect(lines.join('\n')).not.toContain(secret);
    }
    expect(lines.join('\n')).toContain('POST /api/forms: 201 in');
    expect(lines.join('\n')).not.toContain('Secret name');
    expect(lines.join('\n')).not.toContain(product.apiKey);
  });
});

describe('a request', () => {
  it('goes through a custom fetch, without redirects', async () => {
    const seen: [string, RequestInit][] = [];
    const client = new SvcForms({
      apiKey: KEY,
      fetch: async (url, init) => {
        seen.push([url, init]);
        return new Response('<html>');
      },
    });
    await expect(client.forms.get('frm_1')).rejects.toThrow(UnexpectedAnswerError);
    await expect(client.forms.list({ q: 'a&b', limit: 5 }).toArray()).rejects.toThrow('right server');
    const [first, second] = seen;
    expect(first?.[1]).toMatchObject({ method: 'GET', redirect: 'manual' });
    const headers = new Headers(first?.[1].headers);
    expect(headers.get('authorization')).toBe(`Bearer ${KEY}`);
    expect(headers.get('user-agent')).toBe(`svcforms-typescript/${VERSION}`);
    expect(second?.[0]).toBe('http://localhost:8080/api/forms?q=a%26b&limit=5');
  });

  it.each(['', '.', '..'])('with the id %j is refused', async (id) => {
    await expect(product.client.forms.delete(id)).rejects.toThrow('is not a valid id');
  });

  it('accepts a token with a line break at its end, as a file has it', async () => {
    const sent: (string | null)[] = [];
    const client = new SvcForms({
      apiKey: KEY,
      fetch: async (_, init) => {
        sent.push(new Headers(init?.headers).get('authorization'));
        return Response.json({ success: true, data: { submissionId: 'sub_1' } }, { status: 202 });
      },
    });
    await client.inbound.send('frm_1', 'svc_inb_x\r\n', {});
    expect(sent).toEqual(['Bearer svc_inb_x']);
  });

  it.each(['a\nb', 'a\0b', 'a\x7f', 'k€y', '\ud83d'])(
    'with the header value %j is refused at once',
    async (value) => {
      const calls: string[] = [];
      const client = new SvcForms({ apiKey: KEY, fetch: async (url) => (calls.push(url), fetch(url)) });
      const key = { idempotencyKey: value };
      await expect(client.forms.create({ name: 'A' }, key)).rejects.toThrow(
        /^Idempotency-Key contains invalid characters/,
      );
      await expect(client.events.stream('*', { lastEventId: value }).next()).rejects.toThrow(TypeError);
      const refused = client.inbound.send('frm_1', `svc_inb_x${value}`, {}).catch(String);
      expect(await refused).toMatch(/^TypeError: Authorization contains (?!.*svc_inb_x)/);
      expect(calls).toEqual([]);
    },
  );

  it('with an invalid time is refused at once', async () => {
    const calls: string[] = [];
    const client = new SvcForms({ apiKey: KEY, fetch: async (url) => (calls.push(url), fetch(url)) });
    const since = new Date('yesterday');
    await expect(client.auditLog.list({ since }).toArray()).rejects.toThrow(RangeError);
    expect(calls).toEqual([]);
  });

  it('has an id as one segment of its path', async () => {
    const { id } = await createContactForm(product.client);
    await expect(product.client.forms.get(`${id}/inbound?x=#y`)).rejects.toThrow(NotFoundError);
  });
});

describe('an error', () => {
  it('has what the server said', async () => {
    const error: unknown = await product.client.forms
      .create({ name: '', fields: [{ name: 'a', type: 'nope' as 'text' }] })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnprocessableError);
    expect(error).toMatchObject({
      name: 'UnprocessableError',
      status: 422,
      code: 'VALIDATION_FAILED',
      requestId: expect.stringMatching(/.+/),
      retryAfter: null,
      problem: { title: expect.any(String) },
    });
    const { issues } = error as UnprocessableError;
    expect(issues.map(({ pointer }) => pointer)).toEqual(['/name', '/fields/0/type']);
    expect(String(error)).toMatch(
      /^UnprocessableError: 422 VALIDATION_FAILED: .*\(request .*\)\n {2}\/fields/,
    );
  });

  it('has a code of the API with its status', () => {
    const page = readFileSync(`${root}docs/errors.md`, 'utf8');
    const statuses = [...page.matchAll(/^## (\w+)\n\n(\d{3})\b/gm)].map(([, code, status]) => [
      code,
      Number(status),
    ]);
    expect(statuses.length).toBeGreaterThan(20);
    expect(Object.fromEntries(statuses)).toEqual(ERROR_CODES);
  });
});
