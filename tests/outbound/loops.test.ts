import {
  addWebhook,
  createClient,
  createForm,
  freePort,
  newApiKey,
  openInbound,
  poll,
  sendInbound,
  startWebhookEndpoint,
  startProcess,
  tempFolder,
  testSettings,
  type Client,
  type WebhookEndpoint,
  type ProductProcess,
} from '@svcforms/test-kit';
import type { DeliveryOut, FormOut, SubmissionOut, TaskOut, WebhookTestOut } from '@svcforms/contracts';
import { createServer } from 'node:http';

jest.setTimeout(60_000);

const MAX_HOPS = 5;
const HOPEFUL = { email: 'ada@example.com' };

let product: ProductProcess;
let client: Client;
let visitor: Client;
let port: number;
let env: Record<string, string>;

/**
 * The base URL has the host `localhost`; `127.0.0.1` reaches the same process under a foreign name.
 */
const ownOrigin = () => `http://localhost:${port}`;
const alias = () => `http://127.0.0.1:${port}`;

beforeAll(async () => {
  const apiKey = newApiKey();
  port = await freePort();
  env = {
    ...testSettings({ apiKey }),
    SVC_PORT: String(port),
    SVC_RETRY_SCHEDULE: '600',
    SVC_DATA_DIR: tempFolder(),
  };
  product = await startProcess('standalone', { env });
  client = createClient({ baseUrl: product.url, token: apiKey });
  visitor = createClient({ baseUrl: product.url });
});
afterAll(() => product.stop());

/** A form without required fields, so that the body of a webhook is a valid submission. */
const openForm = () => createForm(client, { fields: [{ name: 'email', type: 'email' }] });
const submissionsPath = ({ id }: Pick<FormOut, 'id'>) => `/api/forms/${id}/submissions`;
const submit = (form: Pick<FormOut, 'id'>, hops?: string) =>
  visitor.post<{ submissionId: string }>(submissionsPath(form), {
    body: { data: HOPEFUL },
    ...(hops === undefined ? {} : { headers: { 'Svc-Hops': hops } }),
  });

async function submissionsOf(form: Pick<FormOut, 'id'>): Promise<SubmissionOut[]> {
  return (await client.get<SubmissionOut[]>(submissionsPath(form), { expect: 200 })).body.data;
}

async function deliveriesOf({ formId, id }: { formId: string; id: string }): Promise<DeliveryOut[]> {
  const path = `/api/forms/${formId}/webhooks/${id}/deliveries`;
  return (await client.get<DeliveryOut[]>(path, { expect: 200 })).body.data;
}

const hopsAt = (webhookEndpoint: WebhookEndpoint, nth = 1) =>
  webhookEndpoint.requests[nth - 1]?.headers['svc-hops'];

describe('a URL on our own origin', () => {
  const spellings = () => [
    `${ownOrigin()}/api/forms/frm_1/submissions`,
    `http://LOCALHOST:${port}/`,
    `http://localhost.:${port}/x`,
    `http://localhost:0${port}/`,
  ];

  it('is rejected as a webhook URL in every spelling', async () => {
    const form = await openForm();
    for (const url of spellings()) {
      const body = { url, events: ['form.submission.new'] };
      const response = await client.post(`/api/forms/${form.id}/webhooks`, { body });
      expect([url, response.status, response.body.errors]).toEqual([
        url,
        422,
        [{ pointer: '/url', message: expect.stringContaining('this installation') as string }],
      ]);
    }
  });

  it('is rejected when a webhook is updated', async () => {
    const form = await openForm();
    const webhookEndpoint = await startWebhookEndpoint();
    const webhook = await addWebhook(client, form.id, { url: webhookEndpoint.url });
    const path = `/api/forms/${form.id}/webhooks/${webhook.id}`;
    const response = await client.patch(path, { body: { url: ownOrigin() } });
    expect([response.status, response.body.errors?.map(({ pointer }) => pointer)]).toEqual([422, ['/url']]);
  });

  it('is rejected as the callbackUrl of a task', async () => {
    const form = await openForm();
    for (const callbackUrl of spellings()) {
      const response = await client.post('/api/mcp/tasks', { body: { templateId: form.id, callbackUrl } });
      expect([response.status, response.body.errors?.map(({ pointer }) => pointer)]).toEqual([
        422,
        ['/callbackUrl'],
      ]);
    }
  });

  it('receives nothing when it was saved before the origin became ours', async () => {
    const form = await openForm();
    const other = await freePort();
    const moved = `http://127.0.0.1:${other}`;
    const webhook = await addWebhook(client, form.id, { url: `${moved}/hook` });
    const task = await client.post<TaskOut>('/api/mcp/tasks', {
      body: { templateId: form.id, callbackUrl: `${moved}/done` },
      expect: 201,
    });
    await product.stop();
    // A server on that port would receive the delivery.
    let contacts = 0;
    const nobody = createServer((_request, response) => response.end()).on('connection', () => contacts++);
    await new Promise<void>((resolve) => nobody.listen(other, '127.0.0.1', resolve));
    const renamed = await startProcess('standalone', { env: { ...env, SVC_BASE_URL: moved } });
    try {
      await submit(form);
      const [delivery] = await poll(
        async () => {
          const found = await deliveriesOf({ formId: form.id, id: webhook.id });
          return found[0]?.attempts.length === 1 && found;
        },
        { what: 'an attempt' },
      );
      expect(delivery?.attempts[0]).toMatchObject({ error: 'blocked_target' });
      const { body } = await client.post<WebhookTestOut>(
        `/api/forms/${form.id}/webhooks/${webhook.id}/test`,
        { expect: 200 },
      );
      expect(body.data).toMatchObject({ delivered: false, error: 'blocked_target' });
      const path = `/api/mcp/tasks/${task.body.data.id}`;
      await client.post(`${path}/decision`, { body: { outcome: 'approved' }, expect: 200 });
      const resolved = await poll(
        async () => {
          const found = (await client.get<TaskOut>(path, { expect: 200 })).body.data;
          return found.callback?.state === 'failed' && found;
        },
        { what: 'the callback' },
      );
      expect(resolved.callback?.attempts[0]).toMatchObject({ error: 'blocked_target' });
      expect(contacts).toBe(0);
    } finally {
      nobody.close();
      await renamed.stop();
      await product.restart();
    }
  });
});

describe('Svc-Hops', () => {
  it('counts from 1 and continues the count of the submission', async () => {
    const form = await openForm();
    const webhookEndpoint = await startWebhookEndpoint();
    await addWebhook(client, form.id, { url: webhookEndpoint.url });
    await submit(form);
    await webhookEndpoint.waitFor(1);
    await submit(form, '1');
    await webhookEndpoint.waitFor(2);
    await submit(form, '4');
    await webhookEndpoint.waitFor(3);
    expect([1, 2, 3].map((nth) => hopsAt(webhookEndpoint, nth))).toEqual(['1', '2', '5']);
  });

  it('continues through an inbound endpoint for each of its events', async () => {
    const form = await openForm();
    const webhookEndpoint = await startWebhookEndpoint();
    await addWebhook(client, form.id, {
      url: webhookEndpoint.url,
      events: ['form.submission.new', 'submission.created'],
    });
    const inbound = await openInbound(client, form.id);
    await sendInbound(client, inbound, HOPEFUL, { headers: { 'Svc-Hops': '2' } });
    await webhookEndpoint.waitFor(2);
    expect([hopsAt(webhookEndpoint), hopsAt(webhookEndpoint, 2)]).toEqual(['3', '3']);
  });

  it.each([
    ['5', 508],
    ['6', 508],
    ['005', 508],
    ['99999999999999999999999999', 508],
    ['1, 5', 508],
    ['5, 1', 508],
    ['4', 201],
    ['-7', 201],
    ['many', 201],
    ['', 201],
    ['1.5', 201],
  ])('of %j on a submission: %s', async (hops, status) => {
    const form = await openForm();
    const response = await submit(form, hops);
    expect(response.status).toBe(status);
    expect((await submissionsOf(form)).length).toBe(status === 201 ? 1 : 0);
    if (status === 508) {
      expect(response.headers.get('content-type')).toContain('application/problem+json');
      expect(response.body).toMatchObject({ code: 'LOOP_DETECTED', status: 508 });
    }
  });

  it('of 5 on an inbound request is rejected after the checks of the endpoint itself', async () => {
    const form = await openForm();
    const inbound = await openInbound(client, form.id);
    const headers = { 'Svc-Hops': '5' };
    const refused = await sendInbound(client, inbound, HOPEFUL, { headers, expect: 508 });
    expect(refused.body.code).toBe('LOOP_DETECTED');
    await sendInbound(client, { ...inbound, token: 'svc_inb_wrong' }, HOPEFUL, { headers, expect: 401 });
    expect(await submissionsOf(form)).toEqual([]);
  });

  it('stays the same on a redelivery and is 1 on tests and callbacks', async () => {
    const form = await openForm();
    const webhookEndpoint = await startWebhookEndpoint();
    const webhook = await addWebhook(client, form.id, { url: webhookEndpoint.url });
    const path = `/api/forms/${form.id}/webhooks`;
    await submit(form, '3');
    await webhookEndpoint.waitFor(1);
    const [delivery] = await poll(async () => {
      const found = await deliveriesOf({ formId: form.id, id: webhook.id });
      return found[0]?.status === 'delivered' && found;
    });
    await client.post(`${path}/deliveries/${delivery?.id}/redeliver`);
    await webhookEndpoint.waitFor(2);
    expect([hopsAt(webhookEndpoint), hopsAt(webhookEndpoint, 2)]).toEqual(['4', '4']);

    await client.post(`${path}/${webhook.id}/test`, { expect: 200 });
    const task = await client.post<TaskOut>('/api/mcp/tasks', {
      body: { templateId: form.id, callbackUrl: `${webhookEndpoint.url}/done` },
      expect: 201,
    });
    await client.post(`/api/mcp/tasks/${task.body.data.id}/decision`, {
      body: { outcome: 'approved' },
      expect: 200,
    });
    const callback = await webhookEndpoint.waitFor((request) => request.path === '/done', 'the callback');
    expect([hopsAt(webhookEndpoint, 3), callback.headers['svc-hops']]).toEqual(['1', '1']);
  });
});

describe('a chain of forms and webhooks under a foreign host name', () => {
  /** Waits until no delivery is in progress and returns the number of submissions. */
  async function waitUntilIdle(
    forms: readonly FormOut[],
    webhooks: readonly { formId: string; id: string }[],
  ) {
    let before = -1;
    return poll(
      async () => {
        const deliveries = (await Promise.all(webhooks.map(deliveriesOf))).flat();
        const submissions = (await Promise.all(forms.map(submissionsOf))).flat();
        const isStill = deliveries.every(({ attempts }) => attempts.length > 0);
        const count = submissions.length;
        const result = isStill && count === deliveries.length && count === before;
        before = count;
        return result && { submissions, deliveries };
      },
      { what: 'the chain to end', everyMs: 250, timeoutMs: 20_000 },
    );
  }

  it('ends after five submissions when a form feeds itself', async () => {
    const form = await openForm();
    const webhook = await addWebhook(client, form.id, { url: alias() + submissionsPath(form) });
    await submit(form);
    const { submissions, deliveries } = await waitUntilIdle([form], [webhook]);
    expect(submissions).toHaveLength(MAX_HOPS);
    const refused = deliveries.filter(({ attempts }) => attempts[0]?.status === 508);
    expect(deliveries.map(({ status }) => status === 'delivered')).toEqual([false, true, true, true, true]);
    expect(refused).toHaveLength(1);
  });

  it('ends when two forms feed each other', async () => {
    const [one, two] = [await openForm(), await openForm()];
    const webhooks = [
      await addWebhook(client, one.id, { url: alias() + submissionsPath(two) }),
      await addWebhook(client, two.id, { url: alias() + submissionsPath(one) }),
    ];
    await submit(one);
    expect((await waitUntilIdle([one, two], webhooks)).submissions).toHaveLength(MAX_HOPS);
  });

  it('ends with a fan-out: steps count, not forms', async () => {
    const form = await openForm();
    const url = alias() + submissionsPath(form);
    const webhooks = [await addWebhook(client, form.id, { url }), await addWebhook(client, form.id, { url })];
    await submit(form);
    const total = 2 ** MAX_HOPS - 1;
    await poll(async () => (await Promise.all(webhooks.map(deliveriesOf))).flat().length >= 2 * total - 12, {
      what: 'the fan-out',
    });
    const count = async () =>
      (await client.get<SubmissionOut[]>(`${submissionsPath(form)}?limit=100`, { expect: 200 })).body.data
        .length;
    expect(await poll(async () => (await count()) >= total && count(), { what: 'all of it' })).toBe(total);
  });
});
