import type { Scope } from '@svcforms/contracts';
import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import { root } from '@svcforms/test-kit';
import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { openFixture, type HitlFixture } from '../../test/fixture.ts';

let fixture: HitlFixture;
beforeAll(async () => {
  fixture = await openFixture(openEmbeddedPair());
});

interface RawResponse {
  status: number;
  reason: string;
  headers: Headers;
  text: string;
}

async function send(
  body: string,
  headers: Record<string, string> = {},
  key = fixture.key,
): Promise<RawResponse> {
  const response = await fetch(`${fixture.host.url}/api/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${key}`,
      ...headers,
    },
    body,
  });
  const { status, statusText: reason, headers: received } = response;
  return { status, reason, headers: received, text: await response.text() };
}

const call = (name: string, args: object, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});
const list = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list' });
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const newTask = (more: object = {}) =>
  call('create_task', { formId: fixture.form._id, prefill: { amount: 1 }, ...more });

it.each([
  ['a hundred calls', () => Array.from({ length: 100 }, (_, n) => newTask({ title: String(n) }))],
  ['one message', () => [list(1)]],
  ['nothing', () => []],
])('rejects a batch of %s', async (_, batch) => {
  const before = await fixture.tasks.count({});
  const response = await send(JSON.stringify(batch()));
  expect(response.status).toBe(400);
  expect(JSON.parse(response.text)).toMatchObject({
    code: 'INVALID_BODY',
    message: expect.stringContaining('batches are not supported'),
  });
  expect(await fixture.tasks.count({})).toBe(before);
});

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

it.each<[string, unknown, Record<string, string>, number]>([
  ['a message', PING, {}, 200],
  ['a call with invalid params', { ...PING, method: 'tools/call', params: {} }, {}, 200],
  ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }, {}, 202],
  ['a batch', [PING], {}, 400],
  ['what is no message', { ...PING, jsonrpc: '1.0' }, {}, 400],
  ['an unknown revision of the protocol', PING, { 'mcp-protocol-version': 'x' }, 400],
  ['a client that accepts only JSON', PING, { accept: 'application/json' }, 406],
  ['a text', PING, { 'content-type': 'text/plain' }, 415],
])('responds to %s as the OpenAPI document says', async (_, message, headers, status) => {
  const response = await send(JSON.stringify(message), headers);
  expect(response).toMatchObject({ status, reason: STATUS_CODES[status] });
  const type = response.headers.get('content-type')?.split(';')[0];
  const { content = {} } = documented(status);
  expect(Object.keys(content)).toEqual(type === undefined ? [] : expect.arrayContaining([type]));
  if (type === 'application/json') expect(content[type]?.schema).toEqual({ type: 'object' });
});

interface DocumentedResponse {
  $ref?: string;
  content?: Record<string, { schema: object }>;
}

/** The response of the MCP server with this status, in the committed document. */
function documented(status: number): DocumentedResponse {
  const { paths, components } = JSON.parse(readFileSync(`${root}docs/openapi.json`, 'utf8')) as {
    paths: Record<string, { post: { responses: Record<string, DocumentedResponse> } }>;
    components: { responses: Record<string, DocumentedResponse> };
  };
  const response = paths['/api/mcp']?.post.responses[status] ?? {};
  return response.$ref === undefined
    ? response
    : (components.responses[response.$ref.split('/').at(-1) ?? ''] ?? {});
}

const isObject = 'must be an object';
it.each<[string, unknown, Record<string, string>]>([
  ['tools/call', undefined, { '/params': 'is required' }],
  ['tools/call', 'x', { '/params': isObject }],
  ['tools/call', [1], { '/params': isObject }],
  ['tools/call', {}, { '/params/name': 'is required' }],
  [
    'tools/call',
    { name: 5, arguments: null },
    { '/params/name': 'must be text', '/params/arguments': isObject },
  ],
  ['tools/call', { name: 'get_task', arguments: 'x' }, { '/params/arguments': isObject }],
  ['tools/call', { name: 'get_task', arguments: [1] }, { '/params/arguments': isObject }],
  ['tools/call', { name: 'get_task', _meta: 'x' }, { '/params/_meta': isObject }],
  [
    'tools/call',
    { name: 'get_task', _meta: { progressToken: {} } },
    { '/params/_meta/progressToken': 'must be text or a number' },
  ],
  ['tools/call', { name: 'request_approval', task: 5 }, { '/params/task': isObject }],
  [
    'tools/call',
    { name: 'nope' },
    { '/params/name': expect.stringMatching(/one of.* get_task, list_tasks/) },
  ],
  [
    'initialize',
    { protocolVersion: 1, capabilities: {} },
    { '/params/protocolVersion': 'must be text', '/params/clientInfo': 'is required' },
  ],
  ['resources/read', {}, { '/params/uri': 'is required' }],
  [
    'resources/read',
    { uri: `https://a${'\u0327\u0301'.repeat(1_000)}.example` },
    { '/params/uri': 'must have at most 2000 characters' },
  ],
  ['tasks/get', { taskId: 7 }, { '/params/taskId': 'must be text' }],
  ['tools/list', { cursor: 1 }, { '/params/cursor': 'must be text' }],
])('refuses %s with the params %j as a problem', async (method, params, expected) => {
  const { status, text } = await send(JSON.stringify({ jsonrpc: '2.0', id: 'a', method, params }));
  const json = text.startsWith('{') ? text : text.slice(text.indexOf('data: ') + 6);
  expect([status, JSON.parse(json)]).toMatchObject([200, { id: 'a', error: { code: -32602 } }]);
  const { error } = JSON.parse(json) as {
    error: { message: string; data: { errors: { pointer: string; message: string }[] } };
  };
  expect(error.data).toMatchObject({ code: 'VALIDATION_FAILED', status: 422, next: expect.any(String) });
  const errors = Object.fromEntries(error.data.errors.map(({ pointer, message }) => [pointer, message]));
  expect(errors).toEqual(expected);
  expect(error.message).toContain(Object.keys(expected)[0]);
});

it.each(['constructor', '__proto__', 'toString'])('knows no method %s', async (method) => {
  const { status, text } = await send(JSON.stringify({ jsonrpc: '2.0', id: 'a', method }));
  expect(status).not.toBe(500);
  expect(text).toContain('-32601');
});

it('names the scope that a tool requires, and no tools without scopes', async () => {
  const { key } = await fixture.keyWith(['events:read']);
  const refused = await send(JSON.stringify(call('get_task', { taskId: 'x' })), {}, key);
  expect(refused.text).toContain('The tool get_task requires the scope tasks:read');
  expect(refused.text).toContain('"requiredScope":"tasks:read"');
  const unknown = await send(JSON.stringify(call('nope', {})), {}, key);
  expect(unknown.text).toContain('none with the scopes of this key');
});

it('sends responses that caches must not store', async () => {
  const response = await send(JSON.stringify(newTask()));
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  expect(response.headers.get('cache-control')).toContain('no-store');
});

it.each([99, 3_890])('rejects metadata that is nested %d levels deep', async (levels) => {
  const before = await fixture.tasks.count({});
  const text = JSON.stringify(newTask({ metadata: 'HERE' })).replace('"HERE"', nested(levels));
  const response = await send(text);
  expect(response.status).toBe(400);
  expect(JSON.parse(response.text)).toMatchObject({
    code: 'INVALID_BODY',
    message: expect.stringContaining('100'),
  });
  expect(await fixture.tasks.count({})).toBe(before);
});

it.each<[number, string, string, Record<string, string>]>([
  [400, 'INVALID_BODY', 'no JSON', {}],
  [400, 'INVALID_BODY', '', {}],
  [400, 'INVALID_BODY', '"text"', {}],
  [400, 'INVALID_BODY', 'null', {}],
  [413, 'PAYLOAD_TOO_LARGE', JSON.stringify('x'.repeat(1024 * 1024)), {}],
  [415, 'UNSUPPORTED_MEDIA_TYPE', '{}', { 'content-type': 'text/plain' }],
  [415, 'UNSUPPORTED_MEDIA_TYPE', '{}', { 'content-encoding': 'gzip' }],
])('responses %d %s to a body that REST refuses', async (status, code, body, headers) => {
  const response = await send(body, headers);
  expect(response.status).toBe(status);
  expect(JSON.parse(response.text)).toMatchObject({ status, code });
  expect(response.headers.get('content-type')).toContain('application/problem+json');
});

it("rejects arguments with text that the store can't keep", async () => {
  for (const title of ['a\0b', 'a\ud800b']) {
    const { status, text } = await send(JSON.stringify(newTask({ title })));
    expect(status).toBe(200);
    expect(text).toContain('VALIDATION_FAILED');
    expect(text).toContain('isError');
  }
});

it('takes one rate limit token per message', async () => {
  const { key } = await fixture.keyWith(['*']);
  const limited = await fixture.startReplica({ keyLimit: 3 });
  const at = async (body: string) => {
    const response = await fetch(`${limited.url}/api/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${key}`,
      },
      body,
    });
    await response.text();
    return [response.status, response.headers.get('ratelimit-remaining')];
  };
  expect(await at(JSON.stringify(list(1)))).toEqual([200, '2']);
  expect(await at(JSON.stringify([list(1), list(2)]))).toEqual([400, '1']);
  expect(await at(JSON.stringify(list(3)))).toEqual([200, '0']);
  expect((await at(JSON.stringify(list(4))))[0]).toBe(429);
  await limited.stop();
});

it.each(['GET', 'DELETE', 'PUT', 'PATCH'])(
  'rejects %s, which has no meaning without sessions',
  async (method) => {
    const response = await fetch(`${fixture.host.url}/api/mcp`, {
      method,
      headers: { accept: 'text/event-stream', authorization: `Bearer ${fixture.key}` },
    });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'OPTIONS, POST']);
    expect(await response.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
  },
);

describe('the tools', () => {
  const tools = async (key?: string) => {
    const { text } = await send(JSON.stringify(list(1)), {}, key);
    const json = text.startsWith('{') ? text : text.slice(text.indexOf('data: ') + 6);
    return (
      JSON.parse(json) as {
        result: { tools: { name: string; inputSchema: { properties: object }; outputSchema?: object }[] };
      }
    ).result.tools;
  };

  it('have input schemas that every client can read: an object without references', async () => {
    for (const { name, inputSchema } of await tools()) {
      expect(inputSchema).toMatchObject({ type: 'object', properties: expect.any(Object) });
      for (const keyword of ['$ref', 'anyOf', 'oneOf', 'allOf'])
        expect([name, keyword, keyword in inputSchema]).toEqual([name, keyword, false]);
      expect(JSON.stringify(inputSchema)).not.toContain('"$ref"');
    }
  });

  it.each<[string, Scope[]]>([
    ['an agent', ['forms:read', 'tasks:create', 'tasks:read', 'events:read']],
    ['every tool', ['*']],
  ])('fit into 30 KB for the scopes of %s, with output schemas', async (_, scopes) => {
    const { key } = await fixture.keyWith(scopes);
    const { text } = await send(JSON.stringify(list(1)), {}, key);
    expect(Buffer.byteLength(text)).toBeLessThan(30_000);
    for (const { outputSchema } of await tools(key))
      expect(outputSchema).toMatchObject({ type: 'object', properties: expect.any(Object) });
  });

  it('have no onExpiry argument', async () => {
    const listed = await tools();
    expect(listed.map(({ name }) => name)).toContain('create_task');
    for (const { inputSchema } of listed)
      expect(Object.keys(inputSchema.properties)).not.toContain('onExpiry');
  });

  it.each(['create_task', 'request_approval'])(
    'refuse onExpiry in %s, even from a key that may decide',
    async (name) => {
      for (const onExpiry of ['approve', 'reject', 'expire']) {
        const before = await fixture.tasks.count({});
        const args = { formId: fixture.form._id, title: 'x', prefill: { amount: 1 }, onExpiry };
        const { text } = await send(JSON.stringify(call(name, args)));
        expect(text).toMatch(/"isError":true|"error":/);
        expect(await fixture.tasks.count({})).toBe(before);
      }
    },
  );

  it('reject a dedupeKey with other arguments, and an expiry within a minute', async () => {
    await send(JSON.stringify(newTask({ dedupeKey: 'by mcp' })));
    const reused = await send(JSON.stringify(newTask({ dedupeKey: 'by mcp', prefill: { amount: 9 } })));
    expect(reused.text).toContain('DEDUPE_KEY_REUSED');
    expect(reused.text).toContain('"isError":true');
    const expiresAt = new Date(Date.now() + 1_500).toISOString();
    const soon = await send(JSON.stringify(newTask({ expiresAt })));
    expect(soon.text).toContain('at least 60 seconds from now');
  });

  it('reject a task that nobody can approve', async () => {
    const { text } = await send(
      JSON.stringify(call('request_approval', { formId: fixture.form._id, title: 'x' })),
    );
    expect(text).toContain('"isError":true');
    expect(text).toContain('/prefill/amount');
  });
});
