import { Client } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientOf2025 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportOf2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { newId, type Scope, type TaskOut } from '@svcforms/contracts';
import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import { TASKS } from '@svcforms/records';
import { buildInfo } from '@svcforms/runtime';
import { atEnd } from '@svcforms/test-kit';
import { openFixture, type HitlFixture } from '../../test/fixture.ts';
import { callTool, sendRpc } from '../../test/mcp-calls.ts';
import { refusingFirst } from '../../test/refusing-store.ts';

let fixture: HitlFixture;
beforeAll(async () => {
  fixture = await openFixture(openEmbeddedPair());
});

const ME = { name: 'agent', version: '1' };

interface ToolResult {
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
  content: { type: string; text: string }[];
}

/** The parts of an official client that the tests use, for both SDK generations. */
interface Agent {
  tools(): Promise<
    {
      name: string;
      inputSchema: { properties?: Record<string, unknown> };
      outputSchema?: unknown;
      annotations?: { readOnlyHint?: boolean };
    }[]
  >;
  call(
    name: string,
    args: object,
    onprogress?: (progress: { progress: number }) => void,
  ): Promise<ToolResult>;
  read(uri: string): Promise<unknown>;
  templates(): Promise<string[]>;
  capabilities(): object | undefined;
  serverVersion(): string | undefined;
}

const GENERATIONS: [string, (key: string) => Promise<Agent>][] = [
  [
    'a client of 2025-11-25',
    async (key) => {
      const client = new ClientOf2025(ME);
      const transport = new TransportOf2025(new URL(`${fixture.host.url}/api/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${key}` } },
      });
      await client.connect(transport as Parameters<typeof client.connect>[0]);
      atEnd(() => client.close());
      return {
        tools: async () => (await client.listTools()).tools,
        call: async (name, args, onprogress) =>
          (await client.callTool({ name, arguments: { ...args } }, undefined, {
            ...(onprogress && { onprogress }),
          })) as ToolResult,
        read: async (uri) => contentOf(await client.readResource({ uri })),
        templates: async () =>
          (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
        capabilities: () => client.getServerCapabilities(),
        serverVersion: () => client.getServerVersion()?.version,
      };
    },
  ],
  [
    'a client of 2026-07-28',
    async (key) => {
      const client = new Client(ME, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${fixture.host.url}/api/mcp`), {
          requestInit: { headers: { authorization: `Bearer ${key}` } },
        }),
      );
      atEnd(() => client.close());
      return {
        tools: async () => (await client.listTools()).tools,
        call: async (name, args, onprogress) =>
          (await client.callTool(
            { name, arguments: { ...args } },
            { ...(onprogress && { onprogress }) },
          )) as ToolResult,
        read: async (uri) => contentOf(await client.readResource({ uri })),
        templates: async () =>
          (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
        capabilities: () => client.getServerCapabilities(),
        serverVersion: () => client.getServerVersion()?.version,
      };
    },
  ],
];

function contentOf(result: { contents: object[] }): unknown {
  const [first] = result.contents as { text: string }[];
  return JSON.parse(first?.text ?? 'null');
}

describe.each(GENERATIONS)('the MCP server, for %s', (_, connect) => {
  it('lists the tools that its key allows, with output schemas; none decides', async () => {
    const agent = await connect(fixture.key);
    const tools = await agent.tools();
    expect(tools.map(({ name }) => name)).toEqual([
      'list_forms',
      'get_form_schema',
      'request_approval',
      'create_task',
      'get_task',
      'list_tasks',
      'wait_for_task',
      'cancel_task',
      'get_submission',
      'list_submissions',
      'list_drafts',
      'get_draft',
      'preview_draft',
      'get_form_format',
      'create_draft',
      'update_draft',
    ]);
    for (const tool of tools)
      expect(tool).toMatchObject({ outputSchema: { type: 'object' }, annotations: {} });
    expect(tools.find(({ name }) => name === 'get_task')?.annotations?.readOnlyHint).toBe(true);
  });

  it('names in the description of an input only inputs of the same tool', async () => {
    const tools = await (await connect(fixture.key)).tools();
    const inputsOf = (tool: (typeof tools)[number]) => Object.keys(tool.inputSchema.properties ?? {});
    const inputs = new Set(tools.flatMap(inputsOf));
    const foreign = tools.flatMap((tool) =>
      Object.entries(tool.inputSchema.properties ?? {}).flatMap(([input, schema]) => {
        const { description = '' } = schema as { description?: string };
        const named = [...description.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
        return named
          .filter((name) => inputs.has(name) && !inputsOf(tool).includes(name))
          .map((name) => `${tool.name}: ${input} names ${name}`);
      }),
    );
    expect(foreign).toEqual([]);
  });

  it.each<[Scope[], string[]]>([
    [['tasks:create'], ['create_task', 'cancel_task']],
    [['tasks:manage'], ['cancel_task']],
    [
      ['tasks:create', 'tasks:read'],
      ['request_approval', 'create_task', 'get_task', 'list_tasks', 'wait_for_task', 'cancel_task'],
    ],
    [
      ['forms:read', 'submissions:read'],
      ['list_forms', 'get_form_schema', 'get_submission', 'list_submissions'],
    ],
  ])('shows a key with %j only %j', async (scopes, names) => {
    const { key } = await fixture.keyWith(scopes);
    expect((await (await connect(key)).tools()).map(({ name }) => name)).toEqual(names);
  });

  it('declares that lists never change', async () => {
    const agent = await connect(fixture.key);
    expect(agent.capabilities()).toMatchObject({
      tools: { listChanged: false },
      resources: { listChanged: false },
    });
  });

  it('reports the version of the build as its own', async () => {
    const agent = await connect(fixture.key);
    expect(agent.serverVersion()).toBe(buildInfo.version);
  });

  it('waits less than four seconds by default, reports progress, and says how to go on', async () => {
    const agent = await connect(fixture.key);
    const reported: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => reported.push(progress);
    const startedAt = performance.now();
    const asked = await agent.call(
      'request_approval',
      { formId: fixture.form._id, title: 'Refund?', prefill: { amount: 5 } },
      onprogress,
    );
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    const taskId = String(asked.structuredContent?.['id']);
    expect(asked.structuredContent).toMatchObject({
      pending: true,
      next: expect.stringContaining(`wait_for_task with {"taskId": "${taskId}"}`),
    });
    const waitedAt = performance.now();
    const waited = await agent.call('wait_for_task', { taskId }, onprogress);
    expect(performance.now() - waitedAt).toBeLessThan(4_000);
    expect(waited.structuredContent).toMatchObject({ id: taskId, pending: true });
    // Both calls begin with 0; each notification of a call reports more than the one before.
    expect(reported.filter((progress) => progress === 0)).toHaveLength(2);
    expect(reported.length).toBeGreaterThan(4);
  }, 20_000);

  it('returns the same task for the same dedupeKey when a client repeats a call that timed out', async () => {
    const agent = await connect(fixture.key);
    const args = {
      formId: fixture.form._id,
      title: 'Refund?',
      prefill: { amount: 5 },
      dedupeKey: newId('evt'),
      waitSeconds: 0,
    };
    const [first, second] = [
      await agent.call('request_approval', args),
      await agent.call('request_approval', args),
    ];
    expect(second.structuredContent?.['id']).toBe(first.structuredContent?.['id']);
    const other = await agent.call('request_approval', { ...args, title: 'Refund more?' });
    expect(JSON.parse(other.content[0]?.text ?? '')).toMatchObject({
      code: 'DEDUPE_KEY_REUSED',
      next: expect.any(String),
    });
    await fixture.client.delete(`/api/mcp/tasks/${String(first.structuredContent?.['id'])}`, { expect: 204 });
    const erased = await agent.call('request_approval', args);
    expect(JSON.parse(erased.content[0]?.text ?? '')).toMatchObject({
      code: 'ERASED',
      next: expect.stringContaining('another key'),
    });
  });

  it('lets a key cancel its own tasks without tasks:manage, and no others', async () => {
    const { key, client } = await fixture.keyWith(['tasks:create']);
    const agent = await connect(key);
    const own = await fixture.createTask({}, client);
    const { structuredContent } = await agent.call('cancel_task', { taskId: own.id });
    expect(structuredContent).toMatchObject({ id: own.id, status: 'cancelled' });
    const other = await fixture.createTask();
    for (const taskId of [other.id, newId('tsk')]) {
      const refused = await agent.call('cancel_task', { taskId });
      expect(JSON.parse(refused.content[0]?.text ?? '')).toMatchObject({
        code: 'INSUFFICIENT_SCOPE',
        requiredScope: 'tasks:manage',
      });
    }
  });

  it('asks a human and waits for the decision, with progress notifications', async () => {
    const agent = await connect(fixture.key);
    const { structuredContent: asked, content } = await agent.call('request_approval', {
      formId: fixture.form._id,
      title: 'Refund?',
      prefill: { amount: 5 },
      waitSeconds: 0,
    });
    expect(asked).toMatchObject({
      status: 'awaiting',
      pending: true,
      title: 'Refund?',
      prefill: { amount: 5 },
    });
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(asked);

    const reported: number[] = [];
    const waiting = agent.call(
      'wait_for_task',
      { taskId: asked?.['id'], timeoutSeconds: 30 },
      ({ progress }) => reported.push(progress),
    );
    await fixture.decide({ id: String(asked?.['id']) }, 'approved', fixture.client, { comment: 'Yes.' });
    const { structuredContent: responded } = await waiting;
    const task = (await fixture.client.get<TaskOut>(`/api/mcp/tasks/${String(asked?.['id'])}`)).body.data;
    expect(responded).toEqual({ ...task, pending: false });
    expect(task.comment).toBe('Yes.');
    expect(reported[0]).toBe(0);
  });

  it('returns pending after the timeout', async () => {
    const agent = await connect(fixture.key);
    const { id } = await fixture.createTask();
    const { structuredContent } = await agent.call('wait_for_task', { taskId: id, timeoutSeconds: 1 });
    expect(structuredContent).toMatchObject({ id, pending: true });
  });

  it('returns from every tool what the API returns', async () => {
    const agent = await connect(fixture.key);
    const { structuredContent: created } = await agent.call('create_task', {
      formId: fixture.form._id,
      decisionMode: 'form',
      dedupeKey: newId('evt'),
    });
    const taskId = String(created?.['id']);
    const decided = (
      await fixture.decide({ id: taskId }, 'submitted', fixture.client, { fields: { amount: 3 } })
    ).body.data;
    expect((await agent.call('get_task', { taskId })).structuredContent).toEqual(decided);
    expect(
      (await agent.call('list_tasks', { formId: fixture.form._id, limit: 1 })).structuredContent,
    ).toEqual({
      tasks: [decided],
      nextCursor: expect.anything(),
    });
    const submission = {
      id: decided.submissionId,
      formId: fixture.form._id,
      data: { amount: 3 },
      metadata: { submittedVia: 'task', taskId, resolvedBy: 'human' },
      formVersion: 1,
      status: 'accepted',
      createdAt: decided.settledAt,
    };
    expect(
      (await agent.call('get_submission', { submissionId: decided.submissionId })).structuredContent,
    ).toEqual(submission);
    const { structuredContent: list } = await agent.call('list_submissions', {
      formId: fixture.form._id,
      limit: 1,
    });
    expect(list).toMatchObject({ submissions: [submission] });
    expect((await agent.call('list_forms', {})).structuredContent).toMatchObject({
      forms: [{ formId: fixture.form._id, name: 'Refund', fields: ['amount', 'reason'] }],
    });
    expect((await agent.call('get_form_schema', { formId: fixture.form._id })).structuredContent).toEqual({
      formId: fixture.form._id,
      name: 'Refund',
      schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: { amount: { type: 'number', maximum: 1000 }, reason: { type: 'string' } },
        required: ['amount'],
        additionalProperties: false,
      },
      example: { amount: 1, reason: 'Example' },
    });
    const { id: other } = await fixture.createTask();
    const cancelled = await agent.call('cancel_task', { taskId: other, reason: 'Moot.' });
    expect(cancelled.structuredContent).toMatchObject({ id: other, status: 'cancelled' });
  });

  it('returns errors as problems with a next step', async () => {
    const agent = await connect(fixture.key);
    const task = await fixture.createTask();
    await fixture.decide(task, 'approved');
    for (const [name, args, code] of [
      ['get_task', { taskId: newId('tsk') }, 'NOT_FOUND'],
      ['cancel_task', { taskId: task.id }, 'TASK_ALREADY_SETTLED'],
      ['create_task', { formId: fixture.form._id, prefill: { amount: 'x' } }, 'VALIDATION_FAILED'],
      ['create_task', { formId: fixture.form._id, title: 'a\0b' }, 'VALIDATION_FAILED'],
      ['list_forms', { cursor: 'x' }, 'VALIDATION_FAILED'],
    ] as const) {
      const result = await agent.call(name, args);
      expect(result.isError).toBe(true);
      expect(JSON.parse(result.content[0]?.text ?? '')).toMatchObject({
        code,
        success: false,
        message: expect.any(String),
        next: expect.any(String),
      });
    }
  });

  it('returns arguments that break the schema of a tool as the same problems', async () => {
    const agent = await connect(fixture.key);
    const formId = fixture.form._id;
    const NOT_KNOWN = { pointer: '/nonsense', message: expect.any(String) };
    for (const { name } of await agent.tools()) {
      const result = await agent.call(name, { nonsense: 1 });
      expect(result.isError).toBe(true);
      expect(result.content).toHaveLength(1);
      expect(JSON.parse(result.content[0]?.text ?? '')).toMatchObject({
        code: 'VALIDATION_FAILED',
        status: 422,
        success: false,
        requestId: expect.any(String),
        errors: expect.arrayContaining([NOT_KNOWN]),
        next: expect.any(String),
      });
    }
    for (const [name, args, pointer] of [
      ['get_task', { task: 'x' }, '/taskId'],
      ['wait_for_task', { taskId: newId('tsk'), timeoutSeconds: 51 }, '/timeoutSeconds'],
      ['list_forms', { limit: '5' }, '/limit'],
      ['create_task', { formId, priority: 'top' }, '/priority'],
      ['create_task', { formId, callbackSecret: 'long enough, but for nobody' }, '/callbackSecret'],
      ['request_approval', { formId, prefill: [] }, '/title'],
    ] as const) {
      const { content } = await agent.call(name, args);
      const { errors } = JSON.parse(content[0]?.text ?? '') as { errors: { pointer: string }[] };
      expect(errors.map((error) => error.pointer)).toContain(pointer);
    }
  });

  it('finds nothing of another account', async () => {
    const { key } = await fixture.keyWith(['*'], newId('acc'));
    const agent = await connect(key);
    const task = await fixture.createTask();
    for (const [name, args] of [
      ['get_task', { taskId: task.id }],
      ['wait_for_task', { taskId: task.id, timeoutSeconds: 1 }],
      ['cancel_task', { taskId: task.id }],
      ['get_form_schema', { formId: fixture.form._id }],
      ['create_task', { formId: fixture.form._id }],
      ['list_submissions', { formId: fixture.form._id }],
    ] as const) {
      const result = await agent.call(name, args);
      expect(JSON.parse(result.content[0]?.text ?? '')).toMatchObject({ code: 'NOT_FOUND' });
    }
    expect((await agent.call('list_tasks', {})).structuredContent).toEqual({ tasks: [], nextCursor: null });
  });

  it('has tasks, submissions and form schemas as resources', async () => {
    const agent = await connect(fixture.key);
    expect(await agent.templates()).toEqual([
      'svc://forms/{id}/schema',
      'svc://tasks/{id}',
      'svc://submissions/{id}',
    ]);
    const task = await fixture.createTask();
    expect(await agent.read(`svc://tasks/${task.id}`)).toMatchObject({ id: task.id, status: 'awaiting' });
    expect(await agent.read(`svc://forms/${fixture.form._id}/schema`)).toMatchObject({
      schema: { type: 'object' },
    });
    await expect(agent.read(`svc://tasks/${newId('tsk')}`)).rejects.toThrow('There is no such task');
  });

  it('says of a resource that the store refuses that it is an error of the server', async () => {
    const { id } = await fixture.createTask();
    const store = refusingFirst(fixture.store, TASKS.name, 'findOne');
    const replica = await fixture.startReplica({ store });
    const read = () =>
      sendRpc<object>(replica.url, fixture.key, 'resources/read', { uri: `svc://tasks/${id}` });
    expect((await read()).error).toMatchObject({ code: -32603, data: { code: 'UNAVAILABLE' } });
    expect((await read()).result).toMatchObject({ contents: [{ mimeType: 'application/json' }] });
    await replica.stop();
  });
});

it('the MCP server says the same of a submission of a hidden form as of one that doesn’t exist', async () => {
  const group = await fixture.addGroup([]);
  const hidden = await fixture.addForm(undefined, { reviewers: { groups: [group._id] } });
  const task = await fixture.createTask({ templateId: hidden._id });
  const { submissionId = '' } = (await fixture.decide(task, 'approved')).body.data;
  const get = (key: string, id: string) =>
    callTool(fixture.host.url, key, 'get_submission', { submissionId: id });
  const { structuredContent } = await get(fixture.key, submissionId);
  expect(structuredContent).toMatchObject({ id: submissionId });
  const { key } = await fixture.addPerson('reviewer', ['submissions:read']);
  for (const id of [submissionId, newId('sub')]) {
    const refusal = { code: 'NOT_FOUND', message: `There is no submission ${id}` };
    expect((await get(key, id)).problem).toMatchObject(refusal);
    const uri = `svc://submissions/${id}`;
    const { error } = await sendRpc(fixture.host.url, key, 'resources/read', { uri });
    expect(error).toMatchObject({ message: refusal.message });
  }
});

describe('access to the MCP server', () => {
  const ask = (headers: Record<string, string>) =>
    fetch(`${fixture.host.url}/api/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });

  it('needs a valid key', async () => {
    expect((await ask({})).status).toBe(401);
    expect((await ask({ authorization: 'Bearer nonsense' })).status).toBe(401);
  });

  it.each(['https://evil.example', 'null'])('is denied to pages of %s', async (origin) => {
    expect((await ask({ authorization: `Bearer ${fixture.key}`, origin })).status).toBe(403);
  });

  it('is allowed without an origin and for pages of the same origin', async () => {
    const authorization = `Bearer ${fixture.key}`;
    expect((await ask({ authorization })).status).toBe(200);
    expect((await ask({ authorization, origin: 'https://forms.example' })).status).toBe(200);
  });
});

it('get_form_schema gives an example that the form accepts, without what no value fits', async () => {
  const limits = { long: { minLength: 60 }, short: { maxLength: 9 }, none: { maxLength: 3 } };
  const fields = (['email', 'url'] as const).flatMap((type) =>
    Object.entries(limits).map(([name, limit]) => ({ name: `${name}_${type}`, type, ...limit })),
  );
  const { _id: formId } = await fixture.addForm([
    ...fields,
    { name: 'endless', type: 'email', minLength: 255 },
  ]);
  const { structuredContent } = await callTool(fixture.host.url, fixture.key, 'get_form_schema', { formId });
  const { example = {} } = structuredContent as { example?: Record<string, string> };
  expect(Object.keys(example)).toEqual(['long_email', 'short_email', 'long_url', 'short_url']);
  const created = await callTool(fixture.host.url, fixture.key, 'create_task', { formId, prefill: example });
  expect(created.structuredContent).toMatchObject({ prefill: example });
});
