import type { KeyCreatedOut, TaskOut } from '@svcforms/contracts';
import {
  createClient,
  createForm,
  describeUnless,
  installFromPyPI,
  newApiKey,
  startProcess,
  tempFolder,
  testSettings,
  type Client,
} from '@svcforms/test-kit';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { APPLICABLE, LEFT_OUT } from './conformance.ts';
import { installNodeClients } from './installed.ts';

jest.setTimeout(120_000);

const forNode = installNodeClients();
const forPython = installFromPyPI('fastmcp==4.2.3', 'openai-agents==0.24.0', 'pydantic-ai-slim==2.68.0');
// It needs version 1 of the MCP SDK, which comes with httpx-sse; the others use version 2.
const forLangChain = installFromPyPI('langchain-mcp-adapters==0.3.1', 'mcp==1.30.0');

let url: string;
let apiKey: string;
let agentKey: string;
let formId: string;
let client: Client;

beforeAll(async () => {
  apiKey = newApiKey();
  ({ url } = await startProcess('standalone', { env: testSettings({ apiKey }) }));
  client = createClient({ baseUrl: url, token: apiKey });
  formId = (await createForm(client, { fields: [{ name: 'note', type: 'text' }] })).id;
  const scopes = ['forms:read', 'tasks:create', 'tasks:read', 'events:read'];
  const { body } = await client.post<KeyCreatedOut>('/api/keys', {
    body: { name: 'Agent', scopes },
    expect: 201,
  });
  agentKey = body.data.key ?? '';
});

interface Said {
  tools?: string[];
  taskId?: string;
  outcome?: string;
}

/** Runs a client until it knows the decision, which a reviewer makes while it waits. */
async function runClient(program: string, file: string): Promise<Said> {
  const child = spawn(program, [file], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      MCP_URL: `${url}/api/mcp`,
      API_KEY: agentKey,
      FORM_ID: formId,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  const said: Said = {};
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const part = JSON.parse(line) as Said;
      Object.assign(said, part);
      if (part.taskId === undefined) continue;
      const { body } = await client.get<TaskOut>(`/api/mcp/tasks/${part.taskId}`, { expect: 200 });
      expect(body.data.status).toBe('awaiting');
      await client.post(`/api/mcp/tasks/${part.taskId}/decision`, {
        body: { outcome: 'approved' },
        expect: 200,
      });
    }
  } finally {
    child.kill('SIGKILL');
  }
  if (said.outcome === undefined) throw new Error(`${file} got no decision:\n${errors}`);
  return said;
}

const expectDecision = (said: Said) => {
  expect(said.tools).toEqual(expect.arrayContaining(['request_approval', 'create_task', 'wait_for_task']));
  expect(said.outcome).toBe('approved');
};

const lacksOf = (installed: object) => ('lacks' in installed ? String(installed.lacks) : '');
const python = (installed: typeof forPython, name: string) =>
  runClient(
    join((installed as { programs: string }).programs, 'python3'),
    join(__dirname, 'python', `${name}_client.py`),
  );
const node = (name: string) => {
  const { node: program, folder } = forNode as { node: string; folder: string };
  return runClient(program, join(folder, `${name}.mjs`));
};

describeUnless(lacksOf(forPython), 'clients in Python, with their default settings', () => {
  it.each(['fastmcp', 'openai_agents', 'pydantic_ai'])(
    '%s lists the tools, asks for approval and gets the decision',
    async (name) => expectDecision(await python(forPython, name)),
  );
});

describeUnless(
  lacksOf(forLangChain),
  'clients in Python with version 1 of the MCP SDK, with their default settings',
  () => {
    it('langchain-mcp-adapters lists the tools, asks for approval and gets the decision', async () =>
      expectDecision(await python(forLangChain, 'langchain')));

    it('httpx-sse reads each event as JSON and gets the decision', async () => {
      expect((await python(forLangChain, 'httpx_sse')).outcome).toBe('approved');
    });
  },
);

describeUnless(lacksOf(forNode), 'clients on Node.js 24, with their default settings', () => {
  it.each(['mcp-sdk', 'ai-sdk', 'mastra'])(
    '%s lists the tools, asks for approval and gets the decision',
    async (name) => expectDecision(await node(name)),
  );

  it('eventsource reads each event as JSON and gets the decision', async () => {
    expect((await node('eventsource')).outcome).toBe('approved');
  });
});

/** Adds the API key to each request, because the suite can't log in. */
async function startProxy(): Promise<Server> {
  const { hostname, port } = new URL(url);
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${agentKey}` };
    const { method, url: path } = incoming;
    const sent = request({ hostname, port, method, path, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    sent.on('error', () => outgoing.destroy());
    incoming.pipe(sent);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  return proxy;
}

describeUnless(lacksOf(forNode), 'the MCP conformance suite', () => {
  it('passes the scenarios that apply, and the others have a reason', async () => {
    const { node: program, folder } = forNode as { node: string; folder: string };
    const proxy = await startProxy();
    const suite = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
    const target = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/api/mcp`;
    const run = spawn(program, [suite, 'server', '--url', target, '--suite', 'all'], {
      cwd: tempFolder(),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    run.stdout.on('data', (text: Buffer) => (output += text.toString()));
    await once(run, 'close');
    proxy.closeAllConnections();
    proxy.close();

    const results = [...output.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/gm)].map(
      ([, name = '', passed, failed]) => ({ name, passed: Number(passed), failed: Number(failed) }),
    );
    const known = [...APPLICABLE, ...Object.keys(LEFT_OUT)];
    expect(results.map(({ name }) => name).toSorted()).toEqual(known.toSorted());
    const passed = results.filter((result) => result.passed > 0 && result.failed === 0);
    expect(passed.map(({ name }) => name).toSorted()).toEqual(APPLICABLE);
  });
});
