import type { TaskOut } from '@svcforms/contracts';
import {
  atEnd,
  createClient,
  createForm,
  describeUnless,
  installFromPyPI,
  newApiKey,
  poll,
  startProcess,
  testSettings,
  type Client,
} from '@svcforms/test-kit';
import { EventSource } from 'eventsource';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const python = installFromPyPI('mcp==2.3.0');
const hasCurl = spawnSync('curl', ['--version'], { stdio: 'ignore' }).status === 0;
const httpxSse = installFromPyPI('httpx-sse==0.4.3', 'httpx==0.28.1');

let url: string;
let apiKey: string;
let client: Client;
let formId: string;

beforeAll(async () => {
  apiKey = newApiKey();
  ({ url } = await startProcess('standalone', { env: testSettings({ apiKey }) }));
  client = createClient({ baseUrl: url, token: apiKey });
  formId = (await createForm(client, { fields: [] })).id;
});

async function createTask(): Promise<TaskOut> {
  const body = { templateId: formId, title: 'Ship it?' };
  return (await client.post<TaskOut>('/api/mcp/tasks', { body, expect: 201 })).body.data;
}

describe('the event stream', () => {
  it('serves an EventSource with the same event as every client', async () => {
    const source = new EventSource(`${url}/api/mcp/events/hitl.task.created`, {
      fetch: (input, init) =>
        fetch(input, { ...init, headers: { ...init.headers, authorization: `Bearer ${apiKey}` } }),
    });
    atEnd(() => source.close());
    const seen: { id: string; taskId: string }[] = [];
    source.addEventListener('hitl.task.created', ({ data, lastEventId }) => {
      const event = JSON.parse(String(data)) as { data: { taskId: string } };
      seen.push({ id: lastEventId, taskId: event.data.taskId });
    });
    await new Promise((resolve) => source.addEventListener('open', resolve));
    const task = await createTask();
    await poll(() => seen.length > 0, { what: 'the event' });
    expect(seen).toEqual([{ id: expect.stringMatching(/^\w+-\d+$/), taskId: task.id }]);
  });

  describeUnless(hasCurl ? '' : 'curl is not installed', 'with curl', () => {
    it('prints each event as a frame', async () => {
      const authorization = `Authorization: Bearer ${apiKey}`;
      const curl = spawn('curl', ['-sSN', '-H', authorization, `${url}/api/mcp/events/*`]);
      atEnd(() => curl.kill());
      let text = '';
      curl.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
      await poll(() => text.includes(': connected'), { what: 'the beginning of the stream' });
      const task = await createTask();
      await poll(() => text.includes(task.id) && text.endsWith('\n\n'), { what: 'the frame' });
      expect(text).toMatch(/^id: \w+-\d+\nevent: hitl\.task\.created\ndata: \{.*\}\n\n/m);
    });
  });
});

const READER = `
import json, sys
import httpx
from httpx_sse import connect_sse

url, key, count = sys.argv[1:]
with httpx.Client(headers={"Authorization": f"Bearer {key}"}, timeout=60) as http:
    with connect_sse(http, "GET", url) as source:
        for event in source.iter_sse():
            print(event.id, json.loads(event.data)["data"]["taskId"], flush=True)
            count = int(count) - 1
            if count == 0:
                break
`;

describeUnless('lacks' in httpxSse ? httpxSse.lacks : '', 'the event stream', () => {
  it('serves httpx-sse, to which every event is JSON, from the first one and after a resume', async () => {
    const program = 'programs' in httpxSse ? join(httpxSse.programs, 'python3') : '';
    const { headers } = await client.post('/api/mcp/tasks', { body: { templateId: formId }, expect: 201 });
    const cursor = headers.get('svc-event-cursor') ?? '';
    const address = `${url}/api/mcp/events/hitl.task.created`;
    const live = spawn(program, ['-c', READER, address, apiKey, '2']);
    atEnd(() => live.kill());
    let text = '';
    for (const output of [live.stdout, live.stderr])
      output.setEncoding('utf8').on('data', (part: string) => (text += part));
    const created = new Set<string>();
    await poll(async () => {
      // The stream misses tasks until it is open.
      created.add((await createTask()).id);
      return text.split('\n').length > 2 || live.exitCode !== null;
    });
    const seen = [...text.matchAll(/^\S+ (tsk_\S+)$/gm)].map(([, id = '']) => id);
    expect({ text, seen: seen.filter((id) => created.has(id)).length }).toEqual({ text, seen: 2 });

    const args = ['-c', READER, `${address}?lastEventId=${cursor}`, apiKey, '3'];
    const { stdout } = await promisify(execFile)(program, args, { timeout: 60_000 });
    expect(stdout.trim().split('\n')).toHaveLength(3);
  });
});

const AGENT = `
import asyncio, json, sys
from mcp import ClientSession
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

async def main(url, key, form_id):
    async with create_mcp_http_client(headers={"Authorization": f"Bearer {key}"}) as http:
        async with streamable_http_client(url, http_client=http) as streams:
            async with ClientSession(streams[0], streams[1]) as session:
                await session.initialize()
                tools = sorted(tool.name for tool in (await session.list_tools()).tools)
                requested = await session.call_tool("request_approval", {"formId": form_id, "title": "From Python"})
                read = await session.call_tool("get_task", {"taskId": requested.structured_content["id"]})
                print(json.dumps({"tools": tools, "requested": requested.structured_content, "read": read.structured_content}))

asyncio.run(main(*sys.argv[1:]))
`;

describeUnless('lacks' in python ? python.lacks : '', 'the MCP server', () => {
  it('serves the official Python client', async () => {
    const program = 'programs' in python ? join(python.programs, 'python3') : '';
    const { stdout } = await promisify(execFile)(program, ['-c', AGENT, `${url}/api/mcp`, apiKey, formId]);
    const { tools, requested, read } = JSON.parse(stdout) as {
      tools: string[];
      requested: TaskOut;
      read: TaskOut;
    };
    expect(tools).toEqual([
      'cancel_task',
      'create_draft',
      'create_task',
      'get_draft',
      'get_form_format',
      'get_form_schema',
      'get_submission',
      'get_task',
      'list_drafts',
      'list_forms',
      'list_submissions',
      'list_tasks',
      'preview_draft',
      'request_approval',
      'update_draft',
      'wait_for_task',
    ]);
    expect(requested).toMatchObject({ templateId: formId, title: 'From Python', status: 'awaiting' });
    expect(read.id).toBe(requested.id);
  });
});
