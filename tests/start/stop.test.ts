import type { DeliveryOut, SubmissionOut, TaskOut } from '@svcforms/contracts';
import {
  atEnd,
  createClient,
  createForm,
  createFormWithWebhook,
  describeWith,
  freePort,
  newApiKey,
  poll,
  root,
  runToEnd,
  sendInbound,
  startWebhookEndpoint,
  startNats,
  startProcess,
  tempFolder,
  testSettings,
  type Client,
  type ProductProcess,
} from '@svcforms/test-kit';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beginPost } from './begun-request.ts';
import { serviceSettings } from './service-settings.ts';

jest.setTimeout(60_000);

interface Parts {
  /** The process that serves forms and deliveries. */
  api: ProductProcess;
  receiver: ProductProcess;
  deliverer: ProductProcess;
  /** The process that decides tasks and sends callbacks. */
  decider: ProductProcess;
  apiKey: string;
}

/** The same scenarios for the standalone and for separate services. */
function stopScenarios(parts: () => Parts): void {
  let client: Client;

  beforeAll(() => {
    const { api, apiKey } = parts();
    client = createClient({ baseUrl: api.url, token: apiKey });
  });

  it('exits with 0 after it completes the request in progress', async () => {
    const { receiver } = parts();
    const webhookEndpoint = await startWebhookEndpoint();
    const { inbound } = await createFormWithWebhook(client, webhookEndpoint.url);
    const begun = await beginPost(`${receiver.url}/api/inbound/${inbound.formId}`, {
      headers: { authorization: `Bearer ${inbound.token}` },
      body: { email: 'ada@example.com' },
    });
    const stopped = receiver.stop();
    await waitUntilStopping(receiver);
    const { status, text } = await begun.finish();
    expect({ status, text }).toMatchObject({ status: 202 });
    expect(await stopped).toBe(0);

    await receiver.restart();
    const { submissionId } = (JSON.parse(text) as { data: { submissionId: string } }).data;
    const { body } = await client.get<SubmissionOut>(`/api/submissions/${submissionId}`, { expect: 200 });
    expect(body.data.data).toEqual({ email: 'ada@example.com' });
    await webhookEndpoint.waitFor(1);
  });

  it('exits with 0 after it completes the delivery in progress', async () => {
    const { receiver, deliverer } = parts();
    let respond: () => void = () => undefined;
    const isReleased = new Promise<void>((resolve) => (respond = resolve));
    const webhookEndpoint = await startWebhookEndpoint({
      respond: () => isReleased.then(() => ({ status: 204 })),
    });
    const { inbound, webhook } = await createFormWithWebhook(client, webhookEndpoint.url);
    await sendInbound(createClient({ baseUrl: receiver.url }), inbound, { email: 'ada@example.com' });
    await webhookEndpoint.waitFor(1);
    const stopped = deliverer.stop();
    await waitUntilStopping(deliverer);
    respond();
    expect(await stopped).toBe(0);

    await deliverer.restart();
    const path = `/api/forms/${webhook.formId}/webhooks/${webhook.id}/deliveries`;
    const { body } = await client.get<DeliveryOut[]>(path, { expect: 200 });
    expect(body.data).toMatchObject([{ status: 'delivered', attempts: [{ status: 204 }] }]);
    expect(webhookEndpoint.requests).toHaveLength(1);
  });

  it('leaves the callback of a task that is decided while it stops to the next process', async () => {
    const { decider, apiKey } = parts();
    const callbackEndpoint = await startWebhookEndpoint();
    const tasks = createClient({ baseUrl: decider.url, token: apiKey });
    const { body: created } = await tasks.post<TaskOut>('/api/mcp/tasks', {
      body: {
        templateId: (await createForm(client)).id,
        title: 'Approve',
        prefill: { email: 'ada@example.com' },
        callbackUrl: callbackEndpoint.url,
      },
      expect: 201,
    });
    const path = `/api/mcp/tasks/${created.data.id}`;
    const begun = await beginPost(`${decider.url}${path}/decision`, {
      headers: { authorization: `Bearer ${apiKey}` },
      body: { outcome: 'approved' },
    });
    const stopped = decider.stop();
    await waitUntilStopping(decider);
    expect(await begun.finish()).toMatchObject({ status: 200 });
    expect(await stopped).toBe(0);
    expect(callbackEndpoint.requests).toHaveLength(0);

    await decider.restart();
    await poll(
      async () => (await tasks.get<TaskOut>(path, { expect: 200 })).body.data.callback?.state === 'delivered',
      { what: 'a delivered callback' },
    );
    expect(callbackEndpoint.requests).toHaveLength(1);
  });
}

/** Waits until the process has closed its port. */
async function waitUntilStopping({ url }: ProductProcess): Promise<void> {
  await poll(
    () =>
      fetch(`${url}/livez`).then(
        () => false,
        () => true,
      ),
    { what: 'a closed port' },
  );
}

describe('the standalone that gets a stop signal', () => {
  let product: ProductProcess;
  const apiKey = newApiKey();

  beforeAll(async () => {
    const env = { ...testSettings({ apiKey }), SVC_DATA_DIR: tempFolder() };
    product = await startProcess('standalone', { env });
  }, 60_000);

  stopScenarios(() => ({ api: product, receiver: product, deliverer: product, decider: product, apiKey }));

  it('leaves the delivery of what it accepts while it stops to the next start', async () => {
    const webhookEndpoint = await startWebhookEndpoint();
    const client = createClient({ baseUrl: product.url, token: apiKey });
    const { inbound } = await createFormWithWebhook(client, webhookEndpoint.url);
    const begin = () =>
      beginPost(`${product.url}/api/inbound/${inbound.formId}`, {
        headers: { authorization: `Bearer ${inbound.token}` },
        body: { email: 'ada@example.com' },
      });
    const [first, last] = [await begin(), await begin()];
    const stopped = product.stop();
    await waitUntilStopping(product);
    expect(await first.finish()).toMatchObject({ status: 202 });
    expect(await last.finish()).toMatchObject({ status: 202 });
    expect(await stopped).toBe(0);
    expect(webhookEndpoint.requests).toHaveLength(0);

    await product.restart();
    await webhookEndpoint.waitFor(2);
  });
});

describeWith(['nats', 'mongo'], 'a service that gets a stop signal', () => {
  let parts: Parts;

  beforeAll(async () => {
    const nats = await startNats();
    atEnd(() => nats.remove());
    const apiKey = newApiKey();
    const env = await serviceSettings(nats.url, apiKey);
    const api = await startProcess('forms-api', { env });
    const receiver = await startProcess('inbound-gateway', { env });
    const deliverer = await startProcess('webhook-dispatcher', { env });
    const decider = await startProcess('hitl', { env });
    parts = { api, receiver, deliverer, decider, apiKey };
  }, 120_000);

  stopScenarios(() => parts);

  it.each(['api', 'receiver', 'deliverer', 'decider'] as const)(
    'exits with 0 while it is idle, as %s',
    async (part) => {
      expect(await parts[part].stop()).toBe(0);
    },
  );
});

describe('npm start', () => {
  it.each([
    ['npm alone gets SIGTERM', (npm: number) => process.kill(npm, 'SIGTERM')],
    // The kernel and the shell send it to all processes of the terminal.
    ['its terminal closes', (npm: number) => [1, 2].forEach(() => process.kill(-npm, 'SIGHUP'))],
  ])('finishes the request in progress and stops when %s', async (_, stop) => {
    // Builds the product, which npm start would otherwise do.
    await runToEnd('admin');
    const apiKey = newApiKey();
    const port = String(await freePort());
    const npm = spawn('npm', ['start'], {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        SVCFORMS_IS_BUILT: 'true',
        ...testSettings({ apiKey }),
        SVC_PORT: port,
        SVC_DATA_DIR: tempFolder(),
      },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    atEnd(() => endGroup(npm.pid));
    npm.stdout.resume();
    // All of its processes share its output, which is closed when the last one has ended.
    const closed = once(npm, 'close');
    const url = `http://127.0.0.1:${port}`;
    const isReady = () =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await poll(isReady, { what: 'npm start', timeoutMs: 40_000 });
    const { inbound } = await createFormWithWebhook(
      createClient({ baseUrl: url, token: apiKey }),
      (await startWebhookEndpoint()).url,
    );
    const begun = await beginPost(`${url}/api/inbound/${inbound.formId}`, {
      headers: { authorization: `Bearer ${inbound.token}` },
      body: { email: 'ada@example.com' },
    });
    stop(npm.pid ?? 0);
    await poll(async () => !(await isReady()), { what: 'the end of npm start' });
    expect((await begun.finish()).status).toBe(202);
    await closed;
  });
});

function endGroup(group = 0): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
