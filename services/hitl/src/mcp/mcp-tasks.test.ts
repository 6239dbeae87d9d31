import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { newId, type TaskOut } from '@svcforms/contracts';
import { beforeFirst } from '@svcforms/document-store/testing';
import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import type { TestHost } from '@svcforms/http/testing';
import { TASKS } from '@svcforms/records';
import { atEnd } from '@svcforms/test-kit';
import { openFixture, type HitlFixture } from '../../test/fixture.ts';
import { listTools, sendRpc } from '../../test/mcp-calls.ts';
import { refusingFirst } from '../../test/refusing-store.ts';

jest.setTimeout(30_000);

let fixture: HitlFixture;
beforeAll(async () => {
  fixture = await openFixture(openEmbeddedPair());
});

const EXTENSION = 'io.modelcontextprotocol/tasks';
const args = (more: object = {}) => ({
  formId: fixture.form._id,
  title: 'Refund?',
  prefill: { amount: 5 },
  ...more,
});

/** Connects the official client of 2025-11-25. */
async function connect(key = fixture.key, host: TestHost = fixture.host): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${host.url}/api/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  await client.listTools();
  atEnd(() => client.close());
  return client;
}

/** Calls request_approval as a task, and returns the handle and the messages that follow. */
async function start(client: Client, more: object = {}) {
  const stream = client.experimental.tasks.callToolStream(
    { name: 'request_approval', arguments: args(more) },
    CallToolResultSchema,
    { task: {} },
  );
  const first = await stream.next();
  if (first.done || first.value.type !== 'taskCreated') throw new Error(JSON.stringify(first.value));
  return { stream, task: first.value.task };
}

describe('for a client of 2025-11-25', () => {
  it('a call is a task that ends with the decision', async () => {
    const client = await connect();
    expect(client.getServerCapabilities()).toMatchObject({
      tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
    });
    const { stream, task } = await start(client);
    expect(task).toMatchObject({
      taskId: expect.stringMatching(/^tsk_/),
      status: 'working',
      ttl: null,
      pollInterval: expect.any(Number),
    });
    expect((await stream.next()).value).toMatchObject({ type: 'taskStatus', task: { status: 'working' } });
    await fixture.decide({ id: task.taskId }, 'approved', fixture.client, { comment: 'Yes.' });
    const messages = [];
    for await (const message of stream) messages.push(message);
    expect(messages.at(-1)).toMatchObject({
      type: 'result',
      result: {
        structuredContent: { id: task.taskId, status: 'approved', comment: 'Yes.', pending: false },
        _meta: { 'io.modelcontextprotocol/related-task': { taskId: task.taskId } },
      },
    });
    const { tasks } = await client.experimental.tasks.listTasks();
    expect(tasks[0]).toMatchObject({ taskId: task.taskId, status: 'completed' });
  });

  it('a request for the result waits for the decision', async () => {
    const client = await connect();
    const { task } = await start(client);
    const waiting = client.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema);
    await fixture.decide({ id: task.taskId }, 'rejected');
    expect(await waiting).toMatchObject({ structuredContent: { status: 'rejected', pending: false } });
  });

  it('a repeated call with the same dedupeKey returns the same handle', async () => {
    const client = await connect();
    const dedupeKey = newId('evt');
    const [one, other] = [await start(client, { dedupeKey }), await start(client, { dedupeKey })];
    expect(other.task.taskId).toBe(one.task.taskId);
  });

  it('a call for a task that was decided says so', async () => {
    const call = () =>
      sendRpc<{ task: { taskId: string } }>(fixture.host.url, fixture.key, 'tools/call', {
        name: 'request_approval',
        arguments: args({ dedupeKey }),
        task: {},
      });
    const dedupeKey = newId('evt');
    const { taskId: id = '' } = (await call()).result?.task ?? {};
    await fixture.decide({ id }, 'approved');
    expect((await call()).result).toMatchObject({
      task: { taskId: id, status: 'completed', statusMessage: 'The task is approved.' },
      content: [{ type: 'text', text: `The task is approved. Task ${id}` }],
    });
  });

  it('a cancelled handle cancels the task, once', async () => {
    const client = await connect();
    const { task } = await start(client);
    expect(await client.experimental.tasks.cancelTask(task.taskId)).toMatchObject({ status: 'cancelled' });
    const { data } = (await fixture.client.get<TaskOut>(`/api/mcp/tasks/${task.taskId}`)).body;
    expect(data.status).toBe('cancelled');
    await expect(client.experimental.tasks.cancelTask(task.taskId)).rejects.toThrow(/-32602/);
    const decided = await start(client);
    await fixture.decide({ id: decided.task.taskId }, 'approved');
    await expect(client.experimental.tasks.cancelTask(decided.task.taskId)).rejects.toThrow(/-32602/);
  });

  it('a call that the store refuses is an error of the server, which may be repeated', async () => {
    const replica = await fixture.startReplica({ store: refusingFirst(fixture.store, TASKS.name) });
    const call = () =>
      sendRpc<object>(replica.url, fixture.key, 'tools/call', {
        name: 'request_approval',
        arguments: args(),
        task: {},
      });
    expect((await call()).error).toMatchObject({ code: -32603, data: { code: 'UNAVAILABLE' } });
    expect((await call()).result).toMatchObject({ task: { status: 'working' } });
    await replica.stop();
  });

  it('only request_approval can be a task, and it can still be called without one', async () => {
    const tools = (await (await connect()).listTools()).tools;
    for (const { name, execution } of tools)
      expect([name, execution?.taskSupport]).toEqual([
        name,
        name === 'request_approval' ? 'optional' : undefined,
      ]);
    const { result } = await sendRpc<object>(fixture.host.url, fixture.key, 'tools/call', {
      name: 'request_approval',
      arguments: args({ waitSeconds: 0 }),
    });
    expect(result).toMatchObject({ structuredContent: { pending: true } });
  });

  it('arguments that the tool refuses create no task', async () => {
    const before = await fixture.tasks.count({});
    const { error } = await sendRpc(fixture.host.url, fixture.key, 'tools/call', {
      name: 'request_approval',
      arguments: args({ onExpiry: 'approve' }),
      task: {},
    });
    expect(error).toMatchObject({ code: -32602, data: { code: 'VALIDATION_FAILED' } });
    expect(await fixture.tasks.count({})).toBe(before);
  });
});

/** Sends a message as a client of 2026-07-28 does. */
async function modern<T>(
  method: string,
  params: Record<string, unknown>,
  { key = fixture.key, declares = true, host = fixture.host } = {},
) {
  const response = await fetch(`${host.url}/api/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${key}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': (params['name'] ?? params['taskId'] ?? '') as string,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'agent', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': declares ? { extensions: { [EXTENSION]: {} } } : {},
        },
      },
    }),
  });
  const text = await response.text();
  return JSON.parse(text.startsWith('{') ? text : text.slice(text.lastIndexOf('data: ') + 6)) as {
    result?: T;
    error?: { code: number; data?: object };
  };
}

interface Handle {
  resultType: string;
  taskId: string;
  status: string;
  result?: object;
}

describe('for a client with the extension of 2026-07-28', () => {
  const create = async (more: object = {}) =>
    (await modern<Handle>('tools/call', { name: 'request_approval', arguments: args(more) })).result;

  it('a call returns a handle at once, and the handle the result', async () => {
    const { result } = await modern<{ capabilities: object }>('server/discover', {});
    expect(result?.capabilities).toMatchObject({ extensions: { [EXTENSION]: {} } });
    const handle = await create({ waitSeconds: 50 });
    expect(handle).toMatchObject({
      resultType: 'task',
      taskId: expect.stringMatching(/^tsk_/),
      status: 'working',
      ttlMs: null,
      pollIntervalMs: expect.any(Number),
    });
    const taskId = handle?.taskId ?? '';
    expect((await modern<Handle>('tasks/get', { taskId })).result).toMatchObject({
      resultType: 'complete',
      status: 'working',
    });
    // No input of the client changes the task.
    const inputResponses = { decision: { action: 'accept', content: { outcome: 'approved' } } };
    await modern('tasks/update', { taskId, inputResponses });
    expect((await modern<Handle>('tasks/get', { taskId })).result).toMatchObject({ status: 'working' });
    await fixture.decide({ id: taskId }, 'approved');
    expect((await modern<Handle>('tasks/get', { taskId })).result).toMatchObject({
      status: 'completed',
      result: { structuredContent: { id: taskId, status: 'approved', pending: false } },
    });
    expect((await modern<Handle>('tasks/cancel', { taskId })).result).toMatchObject({
      resultType: 'complete',
    });
    expect((await fixture.tasks.findOne({ _id: taskId }))?.status).toBe('approved');
  });

  it('cancels a task', async () => {
    const taskId = (await create())?.taskId ?? '';
    await modern('tasks/cancel', { taskId });
    expect((await modern<Handle>('tasks/get', { taskId })).result).toMatchObject({ status: 'cancelled' });
  });

  it('acknowledges a cancellation that a decision overtakes', async () => {
    const taskId = (await create())?.taskId ?? '';
    const store = beforeFirst(fixture.store, { collection: TASKS.name, method: 'findOneAndUpdate' }, () =>
      fixture.decide({ id: taskId }, 'approved'),
    );
    const host = await fixture.startReplica({ store });
    const { result, error } = await modern<Handle>('tasks/cancel', { taskId }, { host });
    expect(error).toBeUndefined();
    expect(result).toMatchObject({ resultType: 'complete' });
    expect((await fixture.tasks.findOne({ _id: taskId }))?.status).toBe('approved');
    await host.stop();
  });

  it('a client that does not declare it gets results, and no handles', async () => {
    const call = { name: 'request_approval', arguments: args({ waitSeconds: 0 }) };
    const { result } = await modern<object>('tools/call', call, { declares: false });
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { pending: true } });
    const taskId = (await create())?.taskId;
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
      expect((await modern(method, { taskId, inputResponses: {} }, { declares: false })).error).toMatchObject(
        {
          code: -32021,
          data: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } },
        },
      );
  });
});

it('a handle is valid on every replica', async () => {
  const { task } = await start(await connect());
  const replica = await fixture.startReplica();
  const waiting = (await connect(fixture.key, replica)).experimental.tasks.getTaskResult(
    task.taskId,
    CallToolResultSchema,
  );
  await fixture.decide({ id: task.taskId }, 'approved');
  expect(await waiting).toMatchObject({ structuredContent: { status: 'approved' } });
});

it('finds no task of another account, with any method', async () => {
  const { key } = await fixture.keyWith(['*'], newId('acc'));
  const { task } = await start(await connect());
  for (const taskId of [task.taskId, newId('tsk'), 'nonsense']) {
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
      expect((await sendRpc(fixture.host.url, key, method, { taskId })).error).toMatchObject({
        code: -32602,
        data: { code: 'NOT_FOUND' },
      });
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
      expect((await modern(method, { taskId, inputResponses: {} }, { key })).error?.code).toBe(-32602);
  }
  expect((await sendRpc<object>(fixture.host.url, key, 'tasks/list')).result).toEqual({ tasks: [] });
  expect((await fixture.tasks.findOne({ _id: task.taskId }))?.status).toBe('awaiting');
});

it('describes failures of its methods by a problem, and logs those of the server', async () => {
  const { url } = fixture.host;
  const { key } = await fixture.keyWith(['tasks:create', 'tasks:read']);
  expect((await sendRpc(url, key, 'tasks/get', { taskId: newId('tsk') })).error?.data).toMatchObject({
    code: 'NOT_FOUND',
    status: 404,
    requestId: expect.any(String),
    next: expect.stringContaining('list_tasks'),
  });
  const { taskId } = (await start(await connect())).task;
  expect((await sendRpc(url, key, 'tasks/cancel', { taskId })).error?.data).toMatchObject({
    code: 'INSUFFICIENT_SCOPE',
    requiredScope: 'tasks:manage',
  });
  await sendRpc(url, fixture.key, 'tasks/cancel', { taskId });
  expect((await sendRpc(url, fixture.key, 'tasks/cancel', { taskId })).error).toMatchObject({
    code: -32602,
    data: { code: 'TASK_ALREADY_SETTLED', outcome: 'cancelled', next: expect.any(String) },
  });

  const issues = [{ pointer: '/params/cursor', message: expect.stringContaining('is not a cursor') }];
  expect((await sendRpc(url, key, 'tasks/list', { cursor: 'x' })).error?.data).toMatchObject({
    code: 'VALIDATION_FAILED',
    errors: issues,
  });

  const store = beforeFirst(fixture.store, { collection: TASKS.name, method: 'findOne' }, () =>
    Promise.reject(new TypeError('secret of the server')),
  );
  const replica = await fixture.startReplica({ store });
  const { error } = await sendRpc(replica.url, fixture.key, 'tasks/get', { taskId });
  expect(error).toMatchObject({ code: -32603, data: { code: 'INTERNAL', requestId: expect.any(String) } });
  expect(JSON.stringify(error)).not.toContain('secret');
  const { requestId = '' } = (error?.data ?? {}) as { requestId?: string };
  expect(fixture.logged('mcp.failed').filter((line) => line.includes(requestId))).toHaveLength(1);
  await replica.stop();
});

it('needs the scopes of request_approval', async () => {
  const { key } = await fixture.keyWith(['tasks:create', 'forms:read']);
  expect((await listTools(fixture.host.url, key)).map(({ name }) => name)).not.toContain('request_approval');
  const { task } = await start(await connect());
  for (const method of ['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel'])
    expect((await sendRpc(fixture.host.url, key, method, { taskId: task.taskId })).error?.code).toBe(-32601);
});
