import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import {
  atEnd,
  createClient,
  createForm,
  describeWith,
  newApiKey,
  startNats,
  startProcess,
  tempFolder,
  testSettings,
} from '@svcforms/test-kit';
import { serviceSettings } from '../start/service-settings.ts';

jest.setTimeout(300_000);

/** Connects a new process of an agent, which knows nothing but what it is given. */
async function connect(url: string, apiKey: string): Promise<Client> {
  const agent = new Client({ name: 'agent', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/api/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${apiKey}` } },
  });
  await agent.connect(transport as Parameters<typeof agent.connect>[0]);
  atEnd(() => agent.close());
  return agent;
}

async function survivesKills(env: Record<string, string>, apiKey: string): Promise<void> {
  const product = await startProcess('standalone', { env });
  const client = createClient({ baseUrl: product.url, token: apiKey });
  const { id: formId } = await createForm(client, { fields: [] });
  const first = await connect(product.url, apiKey);
  const call = { name: 'request_approval', arguments: { formId, title: 'Ship it?', dedupeKey: 'ship 1' } };
  const stream = first.experimental.tasks.callToolStream(call, CallToolResultSchema, { task: {} });
  const created = (await stream.next()).value;
  if (created?.type !== 'taskCreated') throw new Error(JSON.stringify(created));
  const { taskId } = created.task;
  // The agent waits for the result when every process ends.
  const waiting = first.experimental.tasks.getTaskResult(taskId).catch(() => 'lost');
  await product.kill('SIGKILL');
  await product.restart();
  expect(await waiting).toBe('lost');

  const second = await connect(product.url, apiKey);
  expect(await second.experimental.tasks.getTask(taskId)).toMatchObject({ taskId, status: 'working' });
  await client.post(`/api/mcp/tasks/${taskId}/decision`, { body: { outcome: 'approved' }, expect: 200 });
  await product.kill('SIGKILL');
  await product.restart();

  const third = await connect(product.url, apiKey);
  expect(await third.experimental.tasks.getTaskResult(taskId, CallToolResultSchema)).toMatchObject({
    structuredContent: { id: taskId, status: 'approved', pending: false },
  });
  // An agent that lost the handle finds it by its dedupeKey.
  const again = third.experimental.tasks.callToolStream(call, CallToolResultSchema, { task: {} });
  expect((await again.next()).value).toMatchObject({ task: { taskId, status: 'completed' } });
}

describe('an MCP task that a client waits for', () => {
  it('survives kill -9 on the embedded backends', async () => {
    const apiKey = newApiKey();
    await survivesKills({ ...testSettings({ apiKey }), SVC_DATA_DIR: tempFolder() }, apiKey);
  });
});

describeWith(['nats', 'mongo'], 'an MCP task that a client waits for', () => {
  it('survives kill -9 on MongoDB and NATS', async () => {
    const nats = await startNats();
    atEnd(() => nats.remove());
    const apiKey = newApiKey();
    await survivesKills(await serviceSettings(nats.url, apiKey), apiKey);
  });
});
