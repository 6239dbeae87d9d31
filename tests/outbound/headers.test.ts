import type { TaskOut } from '@svcforms/contracts';
import {
  addWebhook,
  atEnd,
  createClient,
  createForm,
  newApiKey,
  poll,
  startProcess,
  testSettings,
  type Client,
} from '@svcforms/test-kit';
import { createServer, type AddressInfo, type Socket } from 'node:net';

jest.setTimeout(60_000);

/** Headers that Standard Webhooks spells in lower case, and those that the HTTP client adds. */
const NOT_OURS = [
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'host',
  'connection',
  'content-length',
];
const OURS = ['Content-Type', 'User-Agent', 'Svc-Event-Id', 'Svc-Hops', 'Svc-Signature'];

let client: Client;
let receiver: { url: string; heads: string[] };

beforeAll(async () => {
  const apiKey = newApiKey();
  const product = await startProcess('standalone', { env: testSettings({ apiKey }) });
  atEnd(() => product.stop());
  client = createClient({ baseUrl: product.url, token: apiKey });
  receiver = await startRawReceiver();
});

/**
 * Records the raw head of each request, because the HTTP server of Node lowercases header names.
 */
async function startRawReceiver() {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let received = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const end = received.indexOf('\r\n\r\n');
      const [, length] = /content-length: (\d+)/i.exec(received) ?? [];
      if (end < 0 || received.length < end + 4 + Number(length)) return;
      heads.push(received.slice(0, end));
      received = '';
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heads };
}

/**
 * Returns the header names of the first request to that path, without those with a fixed spelling.
 */
async function namesAt(path: string): Promise<string[]> {
  const head = await poll(() => receiver.heads.find((each) => each.startsWith(`POST ${path} `)), {
    what: path,
  });
  const names = head
    .split('\r\n')
    .slice(1)
    .map((line) => line.slice(0, line.indexOf(':')));
  return names.filter((name) => !NOT_OURS.includes(name)).sort();
}

describe('outbound header names, byte for byte', () => {
  it('are canonical on deliveries and tests', async () => {
    const form = await createForm(client);
    const webhook = await addWebhook(client, form.id, { url: `${receiver.url}/delivery` });
    await client.post(`/api/forms/${form.id}/submissions`, {
      body: { data: { email: 'ada@example.com' } },
      expect: 201,
    });
    expect(await namesAt('/delivery')).toEqual([...OURS, 'Svc-Delivery-Id', 'Svc-Payload-Version'].sort());

    const path = `/api/forms/${form.id}/webhooks/${webhook.id}`;
    await client.patch(path, { body: { url: `${receiver.url}/test` }, expect: 200 });
    await client.post(`${path}/test`, { expect: 200 });
    expect(await namesAt('/test')).toEqual(
      [...OURS, 'Svc-Delivery-Id', 'Svc-Payload-Version', 'Svc-Test'].sort(),
    );
  });

  it('are canonical on callbacks', async () => {
    const form = await createForm(client);
    const { body } = await client.post<TaskOut>('/api/mcp/tasks', {
      body: {
        templateId: form.id,
        prefill: { email: 'ada@example.com' },
        callbackUrl: `${receiver.url}/callback`,
        callbackSecret: 'a secret of sixteen',
      },
      expect: 201,
    });
    await client.post(`/api/mcp/tasks/${body.data.id}/decision`, {
      body: { outcome: 'approved' },
      expect: 200,
    });
    expect(await namesAt('/callback')).toEqual([...OURS].sort());
  });
});
