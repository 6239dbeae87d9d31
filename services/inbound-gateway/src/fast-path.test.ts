import { newId, type FormField } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import { startTestHost, UNLIMITED, type TestHost, type TestHostOptions } from '@svcforms/http/testing';
import { ACCOUNTS, type AccountRecord } from '@svcforms/identity';
import {
  FORMS,
  INBOUND_ENDPOINTS,
  INBOUND_REQUESTS,
  inboundSecretContext,
  type FormRecord,
  type InboundEndpointRecord,
  type InboundRequestsRecord,
} from '@svcforms/records';
import { createSecretBox, generateEncryptionKey, hashToken, signInbound } from '@svcforms/signing';
import { poll } from '@svcforms/test-kit';
import { once } from 'node:events';
import { request as sendRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { createInboundGateway } from './service.ts';

// Plain requests are handled without Koa, and a question mark at the end of the path makes Koa
// handle the same request. So each case is sent both ways, and whatever a client, an operator or
// the owner of the form sees must be the same.

const WAYS = { fast: '', koa: '?' } as const;
type Way = keyof typeof WAYS;

// The store removes what has expired by its own clock, so the time of the requests lies ahead of
// it.
const AT = '2126-03-14T09:26:53.589Z';
const NOW = Date.parse(AT);
const TOKEN = `svc_inb_${'t'.repeat(43)}`;
const SECRET = 'a shared secret';
const BODY = '{"email":"ada@example.com"}';
const FIELDS: FormField[] = [{ name: 'email', type: 'email', required: true }];
const secretBox = createSecretBox([generateEncryptionKey()]);

interface Situation {
  plan?: AccountRecord['plan'];
  form?: Partial<FormRecord>;
  /** `null`: the form has none. */
  endpoint?: Partial<InboundEndpointRecord> | null;
  secret?: string;
}

interface Sent {
  token?: string | null;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
  /** The last part of the path, instead of the form's id. */
  id?: string;
}

let store: DocumentStore;
let startHost: (options?: Partial<TestHostOptions>) => Promise<TestHost>;
let host: TestHost;

beforeAll(async () => {
  const pair = openEmbeddedPair();
  const { bus } = pair;
  store = pair.store;
  startHost = (options = {}) => {
    const deps = { store, bus, secretBox, log: pino({ enabled: false }), now: () => NOW };
    return startTestHost({ services: [createInboundGateway(deps)], store, bus, ...options });
  };
  host = await startHost();
});

async function formIn({ plan = 'pro', form = {}, endpoint = {}, secret }: Situation): Promise<string> {
  const [accountId, formId, endpointId] = [newId('acc'), newId('frm'), newId('inb')];
  const times = { createdAt: AT, updatedAt: AT };
  const account: AccountRecord = { _id: accountId, name: 'Ada', plan, createdAt: AT };
  await store.collection<AccountRecord>(ACCOUNTS).insertOne(account);
  await store.collection<FormRecord>(FORMS).insertOne({
    _id: formId,
    accountId,
    name: 'Contact',
    fields: FIELDS,
    settings: { metadata: { includeIp: true } },
    version: 1,
    ...times,
    ...form,
  });
  if (endpoint === null) return formId;
  await store.collection<InboundEndpointRecord>(INBOUND_ENDPOINTS).insertOne({
    _id: endpointId,
    accountId,
    formId,
    tokenHash: hashToken(TOKEN),
    tokenLast4: 'tttt',
    fieldMapping: '{}',
    isEnabled: true,
    ...(secret === undefined ? {} : { secret: secretBox.seal(secret, inboundSecretContext(endpointId)) }),
    ...times,
    ...endpoint,
  });
  return formId;
}

/**
 * Leaves out what differs between two requests of the same content. Of a stack only the message
 * is compared: how many callers V8 names depends on which of them were waiting.
 */
function withoutIds(value: unknown): unknown {
  const json = JSON.stringify(value, (key, part: unknown) =>
    key === 'stack' && typeof part === 'string' ? part.split('\n', 1)[0] : part,
  )
    .replaceAll(/\b(sub|acc|frm|inb)_[0-9A-Z]{26}\b/g, '$1_…')
    .replaceAll(/"(time|durationMs|pid|hostname)":("[^"]*"|[\d.]+)/g, '"$1":0');
  return JSON.parse(json) as unknown;
}

const TIMED_HEADERS = new Set(['RateLimit-Reset', 'Retry-After']);

async function send(url: string, { token = TOKEN, headers = {}, body = BODY }: Sent) {
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  const request = sendRequest(url, {
    method: 'POST',
    headers: { 'x-request-id': 'req-1', ...authorization, ...headers },
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const { statusCode, statusMessage, rawHeaders } = response;
  // The date, and the seconds until a limit allows more, depend on when the response was made.
  const named = rawHeaders
    .toSpliced(rawHeaders.indexOf('Date'), 2)
    .map((value, at, all) => (TIMED_HEADERS.has(all[at - 1] ?? '') ? '…' : value));
  return { statusCode, statusMessage, headers: named, body: await text(response) };
}

/**
 * Sends requests, one after the other, to a form of their own; returns what can be seen of them at
 * once.
 */
async function outcomeOf(to: TestHost, way: Way, situation: Situation, requests: readonly Sent[]) {
  const formId = await formIn(situation);
  const logged = () => to.logged().filter(({ event }) => event !== 'host.listening');
  const before = logged().length;
  const responses: Awaited<ReturnType<typeof send>>[] = [];
  for (const sent of requests)
    responses.push(await send(`${to.url}/api/inbound/${sent.id ?? formId}${WAYS[way]}`, sent));
  const lines = await poll(() => logged().length >= before + requests.length && logged().slice(before));
  return { formId, responses, lines };
}

/** Waits for the entries of a form in the request log, which is written once a second. */
function notedOf(formId: string, count: number) {
  return poll(async () => {
    const record = await store.collection<InboundRequestsRecord>(INBOUND_REQUESTS).findOne({ formId });
    const found = record?.requests ?? [];
    return found.length === count && found;
  });
}

async function sameOutcome(situation: Situation, requests: readonly Sent[], to = host) {
  const fast = await outcomeOf(to, 'fast', situation, requests);
  const koa = await outcomeOf(to, 'koa', situation, requests);
  expect(withoutIds(fast)).toEqual(withoutIds(koa));
  const isNoted = situation.endpoint !== null && requests.every(({ id }) => id === undefined);
  const count = isNoted ? requests.length : 0;
  expect(withoutIds(await notedOf(fast.formId, count))).toEqual(withoutIds(await notedOf(koa.formId, count)));
  return fast.responses;
}

const bytes = Buffer.from('{ "email":"ada@example.com",\r\n"note":"👋 \u2028" }');
const signature = { 'x-svcforms-signature-256': signInbound(bytes, SECRET) };

describe('a plain request gets the same response, log line and entry in the request log as through Koa', () => {
  it.each<[string, number, Situation, Sent]>([
    ['when it is accepted', 202, {}, {}],
    [
      'with its token in the body',
      202,
      {},
      { token: null, body: `{"token":"${TOKEN}","email":"a@b.example"}` },
    ],
    ['of another content type', 202, {}, { headers: { 'content-type': 'text/plain' } }],
    ['in chunks', 202, {}, { headers: { 'transfer-encoding': 'chunked' } }],
    ['whose connection isn’t kept alive', 202, {}, { headers: { connection: 'close' } }],
    ['that waits for 100', 202, {}, { headers: { expect: '100-continue' } }],
    ['with a request id of its own', 202, {}, { headers: { 'x-request-id': 'a.b~c/d' } }],
    ['with an address that a client invented', 202, {}, { headers: { 'x-forwarded-for': '203.0.113.7' } }],
    ['with an origin', 202, {}, { headers: { origin: 'https://shop.example' } }],
    ['when it is signed', 202, { secret: SECRET }, { body: bytes, headers: signature }],
    ['to a form that does not exist', 404, {}, { id: newId('frm') }],
    ['to an id that no form can have', 404, {}, { id: 'frm_1' }],
    ['to an id of another kind', 404, {}, { id: newId('sub') }],
    ['to a deleted form', 404, { form: { deletedAt: AT } }, {}],
    ['to a form without an endpoint', 401, { endpoint: null }, {}],
    ['without a token', 401, {}, { token: null }],
    ['with a wrong token', 401, {}, { token: 'svc_inb_wrong' }],
    ['to a disabled endpoint', 403, { endpoint: { isEnabled: false } }, {}],
    ['on a plan without inbound submissions', 403, { plan: 'starter' }, {}],
    ['without the signature', 401, { secret: SECRET }, {}],
    [
      'with a signature without its time',
      401,
      { secret: SECRET, endpoint: { requireTimestamp: true } },
      { headers: signature, body: bytes },
    ],
    ['that is not JSON', 400, {}, { body: '{"email":' }],
    ['that is empty', 400, {}, { body: '' }],
    ['that is a list', 400, {}, { body: '[]' }],
    ['that is not UTF-8', 400, {}, { body: Buffer.from([0x22, 0xff, 0x22]) }],
    ['that is nested too deep', 400, {}, { body: `{"a":${'['.repeat(101)}${']'.repeat(101)}}` }],
    ['that is part of a loop', 508, {}, { headers: { 'svc-hops': '5' } }],
    ['with a value that does not fit', 422, {}, { body: '{"email":"nobody"}' }],
    ['that is too large', 413, {}, { body: 'x'.repeat(1024 * 1024 + 1) }],
    ['that is compressed', 415, {}, { headers: { 'content-encoding': 'gzip' } }],
    ['when its key has no valid length', 422, {}, { headers: { 'idempotency-key': 'k'.repeat(256) } }],
    ['when it fails unexpectedly', 500, { endpoint: { secret: 'sealed by nobody' } }, {}],
  ])('%s: %#', async (_, status, situation, sent) => {
    const [response] = await sameOutcome(situation, [sent]);
    expect(response?.statusCode).toBe(status);
  });

  it('when it is repeated with its key, and when the key is used for something else', async () => {
    const keyed = { headers: { 'idempotency-key': 'k1' } };
    const responses = await sameOutcome({}, [keyed, keyed, { ...keyed, body: '{"email":"b@example.com"}' }]);
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([202, 202, 422]);
    expect(responses[1]?.headers).toContain('Idempotency-Replayed');
  });

  it('when it is beyond the limit of its endpoint', async () => {
    const limited = await startHost({ rateLimits: { ...UNLIMITED, inbound: 2 } });
    const responses = await sameOutcome({}, [{}, {}, {}], limited);
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([202, 202, 429]);
    expect(responses[2]?.headers).toEqual(expect.arrayContaining(['RateLimit-Remaining', 'Retry-After']));
  });

  it.each([
    ['203.0.113.7', '203.0.113.0'],
    ['198.51.100.1, 203.0.113.7 , 10.0.0.1', '203.0.113.0'],
    ['203.0.113.7:51234, 10.0.0.1', '203.0.113.0'],
    ['2001:db8::1', '2001:db8::'],
    ['[2001:db8::1]:51234', '2001:db8::'],
    ['nonsense', undefined],
    ['', '127.0.0.0'],
  ])('behind proxies that name %p', async (forwarded, network) => {
    const proxied = await startHost({ trustedProxies: 2, logClientIp: 'truncated' });
    const form = { settings: { metadata: { includeIp: true, includeUserAgent: true } } };
    const headers = { 'x-forwarded-for': forwarded, 'x-forwarded-proto': 'https', 'user-agent': 'crm/1' };
    await sameOutcome({ form }, [{ headers }], proxied);
    const requests = proxied.logged().filter(({ msg }) => msg === 'request');
    expect(requests.map(({ ip }) => ip)).toStrictEqual([network, network]);
  });

  it('on the metrics', async () => {
    const counted = await startHost();
    await sameOutcome({}, [{}, { token: 'wrong' }], counted);
    const metrics = await (await fetch(`${counted.url}/metrics`)).text();
    const counts = metrics.match(/^http_request_duration_seconds_count.*inbound.*$/gm);
    expect(counts).toEqual([
      expect.stringMatching(/status="202".* 2$/),
      expect.stringMatching(/status="401".* 2$/),
    ]);
  });

  it('for requests that a client sends without waiting for responses', async () => {
    const formId = await formIn({});
    const statuses = [];
    for (const way of Object.values(WAYS)) {
      const socket = connect(host.port, '127.0.0.1');
      const head = `POST /api/inbound/${formId}${way} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${TOKEN}\r\n`;
      const requests = [BODY, '{', BODY].map((body) => `Content-Length: ${body.length}\r\n\r\n${body}`);
      socket.write(`${head}${requests.slice(0, 2).join(head)}${head}Connection: close\r\n${requests[2]}`);
      statuses.push((await text(socket)).match(/HTTP\/1\.1 \d+/g));
    }
    expect(statuses).toEqual(Array(2).fill(['HTTP/1.1 202', 'HTTP/1.1 400', 'HTTP/1.1 202']));
  });

  it('when the client disconnects before the end of the body', async () => {
    const formId = await formIn({});
    const own = await startHost();
    for (const way of Object.values(WAYS)) {
      const socket = connect(own.port, '127.0.0.1');
      socket.write(`POST /api/inbound/${formId}${way} HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{`);
      await once(socket, 'connect');
      socket.end();
    }
    const lines = await poll(() => {
      const found = own.logged().filter(({ event }) => event === 'http.request');
      return found.length === 2 && found;
    });
    const [first, second] = lines.map((line) => withoutIds({ ...line, requestId: '' }));
    expect(first).toEqual(second);
    expect(first).toMatchObject({ status: 400, code: 'INVALID_BODY', ip: '127.0.0.1' });
  });

  it('when the process stops', async () => {
    const endings = [];
    for (const way of Object.values(WAYS)) {
      const formId = await formIn({});
      const stopping = await startHost({ limits: { drainWithinMs: 5_000 } });
      const request = sendRequest(`${stopping.url}/api/inbound/${formId}${way}`, {
        method: 'POST',
        headers: { 'x-request-id': 'req-1', authorization: `Bearer ${TOKEN}` },
      });
      request.write(BODY.slice(0, 5));
      await poll(async () => (await fetch(`${stopping.url}/livez`)).ok);
      const stopped = stopping.stop();
      request.end(BODY.slice(5));
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      const { statusCode, headers } = response;
      endings.push({ statusCode, ...headers, date: '' });
      response.resume();
      await stopped;
    }
    expect(endings[0]).toEqual(endings[1]);
    expect(endings[0]).toMatchObject({ statusCode: 202, connection: 'close' });
  });

  it('when the store is closed', async () => {
    const pair = openEmbeddedPair();
    const deps = { ...pair, secretBox, log: pino({ enabled: false }) };
    const closed = await startTestHost({ services: [createInboundGateway(deps)], ...pair });
    await pair.store.close();
    const ways = Object.values(WAYS);
    const responses = await Promise.all(
      ways.map((way) => send(`${closed.url}/api/inbound/${newId('frm')}${way}`, {})),
    );
    expect(responses[0]).toEqual(responses[1]);
    expect(responses[0]).toMatchObject({ statusCode: 503 });
  });
});

it.each([
  ['GET', ''],
  ['OPTIONS', ''],
  ['POST', '/more'],
  ['POST', '/'],
])('%s requests, or those to …%s, are not affected', async (method, suffix) => {
  const formId = await formIn({});
  const response = await fetch(`${host.url}/api/inbound/${formId}${suffix}`, { method });
  expect(response.status).not.toBe(202);
  expect(response.headers.get('x-request-id')).not.toBeNull();
});
