import {
  APIConnectionError,
  APITimeoutError,
  ConflictError,
  NotFoundError,
  RateLimitError,
  ServerError,
  UnexpectedAnswerError,
  type Form,
  type SvcForms,
} from '@svcforms/sdk';
import { freePort, startWebhookEndpoint } from '@svcforms/test-kit';
import { connect, createServer, type AddressInfo } from 'node:net';
import { startFaultyProxy, type FaultyProxy } from './faulty-proxy.ts';
import { ADA, createContactForm, startProduct, type Product } from './product.ts';

let product: Product;
let client: SvcForms;
let form: Form;
let proxy: FaultyProxy;
let proxied: SvcForms;

beforeAll(async () => {
  product = await startProduct();
  client = product.client;
  form = await createContactForm(client);
});

beforeEach(async () => {
  proxy = await startFaultyProxy(product.process.url);
  proxied = product.connect({ baseUrl: proxy.url });
});

/** Runs something that waits, with timers and a clock that two minutes pass on at once. */
async function withinTwoMinutes<T>(work: () => Promise<T>): Promise<T> {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  try {
    const [result] = await Promise.all([work(), jest.advanceTimersByTimeAsync(120_000)]);
    return result;
  } finally {
    jest.useRealTimers();
  }
}

const problem = (code: string): string => JSON.stringify({ code, message: 'x' });

describe('a lost response', () => {
  it('makes the server run a POST once', async () => {
    proxy.dropResponses(2);
    const created = await proxied.forms.create({ name: `once ${form.id}` });
    expect(proxy.requests).toEqual(Array(3).fill('POST /api/forms HTTP/1.1'));
    const named = await client.forms.list({ q: `once ${form.id}` }).toArray();
    expect(named.map(({ id }) => id)).toEqual([created.id]);

    proxy.dropResponses();
    const submissionId = await proxied.submissions.create(form.id, ADA);
    expect((await client.submissions.get(submissionId)).formId).toBe(form.id);
  });

  it('loses no secrets', async () => {
    const url = 'http://127.0.0.1:9/';
    proxy.dropResponses();
    const hook = await proxied.webhooks.create(form.id, { url, events: ['form.submission.new'] });
    const hooks = await client.webhooks.list(form.id).toArray();
    expect(hooks.map(({ id, secretLast4 }) => [id, secretLast4])).toEqual([[hook.id, hook.secret.slice(-4)]]);

    proxy.dropResponses();
    const ofAccount = await proxied.accountWebhooks.create({ url, events: ['hitl.task.created'] });
    expect((await client.accountWebhooks.get(ofAccount.id)).secretLast4).toBe(ofAccount.secret.slice(-4));
    await client.accountWebhooks.delete(ofAccount.id);

    proxy.dropResponses();
    const endpoint = await proxied.inbound.create(form.id, { secret: true });
    await client.inbound.send(form.id, endpoint.token, ADA, { secret: endpoint.secret ?? '' });

    proxy.dropResponses();
    const key = await proxied.keys.create({ name: `once ${form.id}`, scopes: ['forms:read'] });
    await product.connect({ apiKey: key.key }).forms.get(form.id);
    const keys = await client.keys.list().toArray();
    expect(keys.filter(({ name }) => name === key.name).map(({ id }) => id)).toEqual([key.id]);
  });

  it('is not retried if the server cannot deduplicate the request', async () => {
    const endpoint = await startWebhookEndpoint();
    const hook = await client.webhooks.create(form.id, { url: endpoint.url, events: ['submission.created'] });
    proxy.dropResponses();
    await expect(proxied.webhooks.test(form.id, hook.id)).rejects.toThrow(APIConnectionError);
    proxy.respond('502 Bad Gateway');
    await expect(proxied.webhooks.test(form.id, hook.id)).rejects.toThrow(ServerError);
    expect(proxy.requests).toHaveLength(2);
    // The server didn't run a refused request.
    proxy.respond('429 Too Many Requests', { headers: ['Retry-After: 0'] });
    expect(await proxied.webhooks.test(form.id, hook.id)).toMatchObject({ delivered: true });
    expect(await endpoint.waitFor(2)).toHaveLength(2);
  });

  it('is not retried for a replacement with a version', async () => {
    const own = await createContactForm(client);
    proxy.dropResponses();
    const replaced = proxied.forms.replace(own.id, { name: 'new' }, { ifVersion: own.version });
    await expect(replaced).rejects.toThrow(APIConnectionError);
    expect((await client.forms.get(own.id)).version).toBe(own.version + 1);
    proxy.dropResponses();
    expect((await proxied.forms.replace(own.id, { name: 'newer' })).name).toBe('newer');
  });

  it('is not retried for the end of a draft with an ETag', async () => {
    const own = await createContactForm(client);
    const { draft } = await client.forms.replace(own.id, { name: 'new' }, { draft: true });
    const outdated = client.forms.discardDraft(own.id, { ifMatch: '"1-x"' });
    await expect(outdated).rejects.toThrow(ConflictError);
    proxy.dropResponses();
    // A second attempt would be refused: the draft with the ETag is gone.
    const discarded = proxied.forms.discardDraft(own.id, { ifMatch: draft?.etag });
    await expect(discarded).rejects.toThrow(APIConnectionError);
    expect(proxy.requests).toHaveLength(1);
    expect((await client.forms.get(own.id, { draft: true })).draft).toBeUndefined();
  });

  it('is not retried for the deletion of the oldest inbound endpoint', async () => {
    const own = await createContactForm(client);
    await client.inbound.create(own.id);
    const second = await client.inbound.endpoints.create(own.id);
    proxy.dropResponses();
    // A second attempt would delete the other endpoint, which is the oldest one by then.
    await expect(proxied.inbound.delete(own.id)).rejects.toThrow(APIConnectionError);
    expect(proxy.requests).toHaveLength(1);
    const left = await client.inbound.endpoints.list(own.id).toArray();
    expect(left.map(({ id }) => id)).toEqual([second.id]);
    proxy.dropResponses();
    await proxied.inbound.endpoints.delete(own.id, second.id);
  });

  it('makes 404 the success of a retried delete', async () => {
    const own = await createContactForm(client);
    proxy.dropResponses();
    await proxied.forms.delete(own.id);
    expect(proxy.requests).toHaveLength(2);
    await expect(proxied.forms.delete(own.id)).rejects.toThrow(NotFoundError);
  });
});

describe('an error response', () => {
  it.each(['408 X', '429 X', '500 X', '502 X', '503 X', '504 X'])('%s is retried', async (status) => {
    proxy.respond(status, { headers: ['Retry-After: 0'], times: 2 });
    expect((await proxied.forms.get(form.id)).id).toBe(form.id);
    expect(proxy.requests).toHaveLength(3);
  });

  it.each(['400 X', '401 X', '403 X', '404 X', '409 X', '413 X', '422 X', '508 X', '301 X'])(
    '%s is not retried',
    async (status) => {
      proxy.respond(status, { body: '<html>' });
      await expect(proxied.forms.get(form.id)).rejects.toMatchObject({
        status: Number(status.slice(0, 3)),
        code: null,
        message: expect.stringContaining(status.slice(0, 3)),
      });
      expect(proxy.requests).toHaveLength(1);
    },
  );

  it.each([
    ['seconds', () => 'Retry-After: 1'],
    ['a date', () => `Retry-After: ${new Date(Date.now() + 2000).toUTCString()}`],
  ])('delays the retry by its Retry-After in %s', async (_, header) => {
    proxy.respond('429 X', { headers: [header()] });
    const started = performance.now();
    await proxied.forms.get(form.id);
    expect(performance.now() - started).toBeGreaterThanOrEqual(900);
  });

  it('is thrown if its Retry-After is hours', async () => {
    proxy.respond('429 X', { headers: ['Retry-After: 7200'] });
    const error: unknown = await proxied.forms.get(form.id).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ retryAfter: 7200 });
    expect(proxy.requests).toHaveLength(1);
  });

  it('about a request in progress is awaited', async () => {
    const body = problem('IDEMPOTENCY_IN_PROGRESS');
    proxy.respond('409 Conflict', { headers: ['Retry-After: 0'], body, times: 2 });
    expect((await proxied.forms.create({ name: 'x' })).name).toBe('x');
    proxy.respond('409 Conflict', { body: problem('CONFLICT') });
    await expect(proxied.forms.create({ name: 'x' })).rejects.toThrow(ConflictError);
  });

  it.each([
    ['whose response was lost', true],
    ['of another call', false],
  ])('about a request in progress is awaited from the start of the one %s', async (_, isLost) => {
    const times: number[] = [];
    const busy = product.connect({
      fetch: async () => {
        times.push(performance.now());
        if (times.length === 1) return new Response('', { status: 429, headers: { 'Retry-After': '60' } });
        if (isLost && times.length === 2) throw new TypeError('fetch failed');
        const isRunning = performance.now() - (times[1] ?? 0) < 30_000;
        if (isRunning) return new Response(problem('IDEMPOTENCY_IN_PROGRESS'), { status: 409 });
        return Response.json({ data: { submissionId: 'sub_1' } }, { status: 201 });
      },
    });
    expect(await withinTwoMinutes(() => busy.submissions.create(form.id, ADA))).toBe('sub_1');
  });

  it('about a request in progress is thrown after 40 seconds', async () => {
    const times: number[] = [];
    const busy = product.connect({
      fetch: async () => {
        times.push(performance.now());
        return new Response(problem('IDEMPOTENCY_IN_PROGRESS'), { status: 409 });
      },
    });
    const error = await withinTwoMinutes(() =>
      busy.submissions.create(form.id, ADA).catch((thrown: unknown) => thrown),
    );
    expect(error).toBeInstanceOf(ConflictError);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBe(40_000);
  });

  it('is thrown after the last retry', async () => {
    const lines: string[] = [];
    const logger = { debug() {}, info: (line: string) => void lines.push(line) };
    const patient = product.connect({ baseUrl: proxy.url, maxRetries: 2, logger });
    proxy.respond('500 X', { times: 3 });
    await expect(patient.forms.get(form.id)).rejects.toThrow(ServerError);
    expect(proxy.requests).toHaveLength(3);
    expect(lines.filter((line) => line.includes('retrying in'))).toHaveLength(2);
    proxy.respond('500 X', { times: 2 });
    await expect(patient.forms.get(form.id, { maxRetries: 0 })).rejects.toThrow(ServerError);
    await expect(product.connect({ baseUrl: proxy.url, maxRetries: 0 }).forms.get(form.id)).rejects.toThrow(
      ServerError,
    );
    expect(proxy.requests).toHaveLength(5);
  });
});

describe('the page of a proxy', () => {
  const page = { headers: ['Content-Type: text/html'], body: '<html>login</html>' };

  it('is no successful deletion', async () => {
    const { id } = await createContactForm(client);
    for (const remove of [() => proxied.forms.delete(id), () => proxied.forms.discardDraft(id)]) {
      proxy.respond('200 OK', page);
      const removed = remove();
      await expect(removed).rejects.toThrow(UnexpectedAnswerError);
      await expect(removed).rejects.toThrow(`returned 200 instead of 204. Check that ${proxy.url} is`);
    }
    expect((await client.forms.get(id)).id).toBe(id);
  });

  it.each([
    ['text/csv', {}],
    ['application/x-ndjson', { format: 'ndjson' as const }],
  ])('is no export as %s', async (type, query) => {
    proxy.respond('200 OK', page);
    const exported = proxied.submissions.export(form.id, query).next();
    await expect(exported).rejects.toThrow(UnexpectedAnswerError);
    await expect(exported).rejects.toThrow(`returned 200 without ${type}. Check that ${proxy.url} is`);
    await client.submissions.create(form.id, ADA);
    const chunks: Uint8Array[] = [];
    for await (const chunk of proxied.submissions.export(form.id, query)) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toContain(ADA.email);
  });
});

describe('the limits of a request', () => {
  it('include the rate limit of the server', async () => {
    const limited = await startProduct({ SVC_RATE_LIMIT_KEY: '120' });
    const impatient = limited.connect({ maxRetries: 0 });
    const error: unknown = await (async () => {
      for (;;) await impatient.forms.list().toArray();
    })().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'RATE_LIMITED', status: 429, retryAfter: expect.any(Number) });
    expect(await limited.client.forms.list().toArray()).toEqual([]);
  });

  it('name an unreachable server', async () => {
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    const error: unknown = await product
      .connect({ baseUrl, maxRetries: 1 })
      .forms.get('frm_1')
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(APIConnectionError);
    expect(String(error)).toMatch(/GET \/api\/forms\/frm_1: .*ECONNREFUSED/);
  });

  it('retry an unreachable server even for a request that cannot be deduplicated', async () => {
    const task = await client.tasks.create({ templateId: form.id, prefill: ADA });
    const port = await freePort();
    const late = product.connect({ baseUrl: `http://127.0.0.1:${port}`, maxRetries: 8 });
    const decided = late.tasks.decide(task.id, { outcome: 'approved' });
    const target = new URL(product.process.url);
    const relay = createServer((socket) => {
      const server = connect(Number(target.port), '127.0.0.1');
      socket.pipe(server).pipe(socket);
    });
    await new Promise<void>((resolve) => relay.listen(port, '127.0.0.1', resolve));
    expect((await decided).status).toBe('approved');
    relay.close();
  });

  it('end a silent connection', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const hasty = product.connect({ baseUrl, maxRetries: 0, timeoutMs: 200 });
    await expect(hasty.forms.get('frm_1')).rejects.toThrow(APITimeoutError);
    const patient = product.connect({ baseUrl, maxRetries: 0 });
    await expect(patient.forms.get('frm_1', { timeoutMs: 100 })).rejects.toThrow('within 100 ms');
    expect((await client.forms.get(form.id, { timeoutMs: Infinity })).id).toBe(form.id);
    silent.close();
  });

  it('end at the signal of the caller, during a request and between retries', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const reason = new Error('enough');
    const controller = new AbortController();
    const waiting = product.connect({ baseUrl }).forms.get('frm_1', { signal: controller.signal });
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    silent.close();
    proxy.respond('503 X', { headers: ['Retry-After: 60'] });
    const retrying = proxied.forms.get(form.id, { signal: AbortSignal.timeout(300) });
    await expect(retrying).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(proxied.forms.get(form.id, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(proxy.requests).toHaveLength(1);
  });

  it('allow a restart of the server', async () => {
    const own = await startProduct();
    await own.process.kill('SIGKILL');
    const created = own.connect({ maxRetries: 8 }).forms.create({ name: 'x' });
    await own.process.restart();
    expect((await created).name).toBe('x');
  });
});
