import type { TaskOut } from '@svcforms/contracts';
import {
  createClient,
  createForm,
  newApiKey,
  poll,
  readEvents,
  startWebhookEndpoint,
  startProcess,
  tempFolder,
  testSettings,
  type Client,
  type ProductProcess,
} from '@svcforms/test-kit';
import { setExpiry } from './set-expiry.ts';

jest.setTimeout(120_000);

const TIMEOUT_MS = 1_000;

let product: ProductProcess;
let folder: string;
let client: Client;
let apiKey: string;
let templateId: string;

beforeAll(async () => {
  apiKey = newApiKey();
  folder = tempFolder();
  const env = {
    ...testSettings({ apiKey }),
    SVC_DATA_DIR: folder,
    SVC_DELIVERY_TIMEOUT_MS: String(TIMEOUT_MS),
  };
  product = await startProcess('standalone', { env });
  client = createClient({ baseUrl: product.url, token: apiKey });
  templateId = (await createForm(client, { fields: [] })).id;
});

async function createTask(input: object): Promise<{ task: TaskOut; cursor: string }> {
  const { body, headers } = await client.post<TaskOut>('/api/mcp/tasks', {
    body: { templateId, ...input },
    expect: 201,
  });
  return { task: body.data, cursor: headers.get('svc-event-cursor') ?? '' };
}

const read = async ({ id }: TaskOut) =>
  (await client.get<TaskOut>(`/api/mcp/tasks/${id}`, { expect: 200 })).body.data;

it('resolves tasks that expired while the product was down, once each', async () => {
  const receiver = await startWebhookEndpoint();
  const created: { task: TaskOut; cursor: string }[] = [];
  for (const onExpiry of ['expire', 'approve', 'reject']) {
    for (let n = 0; n < 5; n++) created.push(await createTask({ onExpiry, callbackUrl: receiver.url }));
  }
  await product.kill('SIGKILL');
  await setExpiry(
    { SVC_DATA_DIR: folder },
    created.map(({ task }) => task.id),
    new Date().toISOString(),
  );
  await product.restart();
  // Kills it again while it resolves the tasks.
  await product.kill('SIGKILL');
  await product.restart();

  const reader = await readEvents(`${product.url}/api/mcp/events/hitl.task.expired,hitl.task.completed`, {
    token: apiKey,
    lastEventId: created[0]?.cursor,
  });
  await reader.waitFor(15);
  await poll(async () => (await Promise.all(created.map(({ task }) => read(task)))).every(isDone), {
    what: 'the end of every task',
  });
  const ended = reader.frames.map(
    ({ data }) => (JSON.parse(data) as { data: { taskId: string } }).data.taskId,
  );
  expect(ended.toSorted()).toEqual(created.map(({ task }) => task.id).toSorted());
  for (const { task } of created) {
    const { body } = await client.get<{ event: string }[]>(`/api/mcp/tasks/${task.id}/history`);
    expect(body.data.filter(({ event }) => event === 'decided' || event === 'expired')).toHaveLength(1);
  }
  const called = receiver.requests.map(
    ({ rawBody }) => (JSON.parse(rawBody.toString()) as { taskId: string }).taskId,
  );
  // A callback is missing only if a kill interrupted its request.
  const states = await Promise.all(created.map(async ({ task }) => (await read(task)).callback?.state));
  expect(new Set(called).size).toBe(called.length);
  expect(called.length).toBeGreaterThanOrEqual(states.filter((state) => state === 'delivered').length);
  reader.close();
});

function isDone({ status, callback }: TaskOut): boolean {
  const hasCallbackResult = callback?.state === 'delivered' || callback?.state === 'unknown';
  return status !== 'awaiting' && hasCallbackResult;
}

it('reports each cancellation once when it is killed right after the cancellations', async () => {
  const receiver = await startWebhookEndpoint();
  const created = await Promise.all(
    Array.from({ length: 10 }, () => createTask({ callbackUrl: receiver.url })),
  );
  await Promise.all(
    created.map(({ task }) => client.post(`/api/mcp/tasks/${task.id}/cancel`, { expect: 200 })),
  );
  await product.kill('SIGKILL');
  await product.restart();
  await poll(async () => (await Promise.all(created.map(({ task }) => read(task)))).every(isDone), {
    what: 'the callback of every task',
  });
  const called = receiver.requests.map(({ rawBody }) => {
    const { taskId, eventType } = JSON.parse(rawBody.toString()) as { taskId: string; eventType: string };
    return `${eventType} ${taskId}`;
  });
  const tasks = await Promise.all(created.map(({ task }) => read(task)));
  const certain = tasks.filter(({ callback }) => callback?.state === 'delivered');
  expect(new Set(called).size).toBe(called.length);
  expect(called).toEqual(expect.arrayContaining(certain.map(({ id }) => `hitl.task.cancelled ${id}`)));
});

it('resumes the approved task of a dedupeKey only for the same arguments after both sides were killed', async () => {
  const input = { title: 'Refund A-1?', description: '10 €', dedupeKey: 'refund A-1' };
  const path = '/api/mcp/tasks';
  const { task } = await createTask(input);
  await product.kill('SIGKILL');
  await product.restart();
  await client.post(`${path}/${task.id}/decision`, { body: { outcome: 'approved' }, expect: 200 });
  await product.kill('SIGKILL');
  await product.restart();
  // The second caller knows only the arguments.
  const again = createClient({ baseUrl: product.url, token: apiKey });
  const resumed = await again.post<TaskOut>(path, { body: { templateId, ...input }, expect: 200 });
  expect(resumed.body.data).toMatchObject({ id: task.id, status: 'approved' });
  const other = await again.post(path, { body: { templateId, ...input, description: '9000 €' } });
  expect(other).toMatchObject({ status: 422, body: { code: 'DEDUPE_KEY_REUSED' } });
});

it('sends a callback once and reports an unknown result when killed between request and response', async () => {
  const receiver = await startWebhookEndpoint({ respond: () => 'hang' });
  const { task } = await createTask({ callbackUrl: receiver.url });
  await client.post(`/api/mcp/tasks/${task.id}/decision`, { body: { outcome: 'approved' }, expect: 200 });
  await receiver.waitFor(1);
  await product.kill('SIGKILL');
  await product.restart();
  await poll(async () => (await read(task)).callback?.state === 'unknown', { what: 'the unknown result' });
  expect(receiver.requests).toHaveLength(1);

  await client.post(`/api/mcp/tasks/${task.id}/callback/redeliver`, { expect: 202 });
  await receiver.waitFor(2);
});

it('loses and repeats no event of tasks that are created and resolved during repeated kills', async () => {
  const { cursor } = await createTask({});
  const resolved = new Set<string>();
  let isOver = false;
  const working = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const created = await client
        .post<TaskOut>('/api/mcp/tasks', { body: { templateId } })
        .catch(() => null);
      if (created?.status !== 201) continue;
      const { id } = created.body.data;
      const path = `/api/mcp/tasks/${id}/decision`;
      const response = await client.post(path, { body: { outcome: 'approved' } }).catch(() => null);
      if (response?.status === 200) resolved.add(id);
    }
  });
  for (let kills = 0; kills < 4; kills++) {
    const before = resolved.size;
    await poll(() => resolved.size > before + 20, { what: 'more resolved tasks' });
    await product.kill('SIGKILL');
    await product.restart();
  }
  isOver = true;
  await Promise.all(working);

  const reader = await readEvents(`${product.url}/api/mcp/events/hitl.task.completed`, {
    token: apiKey,
    lastEventId: cursor,
  });
  const reported = () =>
    reader.frames.map(({ data }) => (JSON.parse(data) as { data: { taskId: string } }).data.taskId);
  const missing = () => {
    const seen = new Set(reported());
    return [...resolved].filter((id) => !seen.has(id));
  };
  await poll(() => missing().length === 0, { what: 'every event of the resolved tasks' });
  expect(new Set(reported()).size).toBe(reported().length);
  reader.close();
});
