import {
  addWebhook,
  atEnd,
  createForm,
  describeWith,
  newApiKey,
  openInbound,
  poll,
  sendInbound,
  sessionCookie,
  startNats,
  startWebhookEndpoint,
  type Client,
  type WebhookEndpoint,
} from '@svcforms/test-kit';
import { callMcp, connectAgent } from '../oauth/support.ts';
import { serviceSettings } from '../start/service-settings.ts';
import { startReplica, type Replica } from './start-replica.ts';

const WITHIN_MS = 1_000;
/** Less than the time after which a document is read again without any message. */
const USUALLY_WITHIN_MS = 500;
const VALUES = { email: 'ada@example.com' };

/** Something that a change through one process must stop in every process. */
interface Situation {
  /** Uses it in that process; returns whether it was accepted. */
  use: (replica: Replica) => Promise<boolean>;
  change: () => Promise<unknown>;
}

describeWith(['nats', 'mongo'], 'two processes of the product', () => {
  let one: Replica;
  let two: Replica;
  let webhookEndpoint: WebhookEndpoint;

  beforeAll(async () => {
    const nats = await startNats();
    atEnd(() => nats.remove());
    const apiKey = newApiKey();
    // Tokens of agents are for one public origin.
    const origin = { SVC_BASE_URL: 'http://localhost:8080' };
    const settings = { ...(await serviceSettings(nats.url, apiKey)), ...origin };
    webhookEndpoint = await startWebhookEndpoint();
    one = await startReplica(settings, apiKey);
    two = await startReplica(settings, apiKey);
  }, 120_000);

  const ok = (status: number) => status >= 200 && status < 300;

  async function anInbound(input?: object) {
    const form = await createForm(one.client);
    const inbound = await openInbound(one.client, form.id, input);
    const use = async ({ visitor }: Replica) => {
      const headers = { authorization: `Bearer ${inbound.token}` };
      return ok((await visitor.post(`/api/inbound/${form.id}`, { body: VALUES, headers })).status);
    };
    return { form, use, path: `/api/forms/${form.id}/inbound` };
  }

  const situations: Record<string, () => Promise<Situation>> = {
    'a deleted API key': async () => {
      const body = { name: 'Short-lived', scopes: ['forms:read'] };
      const { data } = (
        await one.client.post<{ id: string; key: string }>('/api/keys', { body, expect: 201 })
      ).body;
      const headers = { authorization: `Bearer ${data.key}` };
      return {
        use: async ({ visitor }) => ok((await visitor.get('/api/forms', { headers })).status),
        change: () => one.client.delete(`/api/keys/${data.id}`, { expect: 204 }),
      };
    },
    'a disconnected agent': async () => {
      const { tokens } = await connectAgent({ baseUrl: one.url }, { resource: null });
      const { data } = (await one.client.get<{ id: string }[]>('/api/agents', { expect: 200 })).body;
      const { access_token: token } = tokens;
      return {
        use: async ({ url }) => (await callMcp(url, token, 'tools/list')).status === 200,
        change: () => one.client.delete(`/api/agents/${data[0]?.id}`, { expect: 204 }),
      };
    },
    'an ended session': async () => {
      const body = { email: 'owner@example.com', password: 'owner password' };
      const { headers } = await one.visitor.post('/api/auth/login', { body, expect: 200 });
      const cookie = { cookie: sessionCookie({ headers }) };
      return {
        use: async ({ visitor }) => ok((await visitor.get('/api/auth/me', { headers: cookie })).status),
        change: () => one.visitor.post('/api/auth/logout', { headers: cookie }),
      };
    },
    'a rotated token': async () => {
      const { use, path } = await anInbound();
      return { use, change: () => one.client.post(`${path}/rotate`, { expect: 200 }) };
    },
    'an inbound endpoint that was switched off': async () => {
      const { use, path } = await anInbound();
      return { use, change: () => one.client.patch(path, { body: { isEnabled: false }, expect: 200 }) };
    },
    'an inbound endpoint that now requires signatures': async () => {
      const { use, path } = await anInbound();
      return { use, change: () => one.client.patch(path, { body: { secret: 'x'.repeat(32) }, expect: 200 }) };
    },
    'a deleted form, for other systems': async () => {
      const { use, form } = await anInbound();
      return { use, change: () => one.client.delete(`/api/forms/${form.id}`, { expect: 204 }) };
    },
    'a deleted form, for visitors': async () => {
      const form = await createForm(one.client);
      return {
        use: async ({ visitor }) =>
          ok((await visitor.post(`/api/forms/${form.id}/submissions`, { body: { data: VALUES } })).status),
        change: () => one.client.delete(`/api/forms/${form.id}`, { expect: 204 }),
      };
    },
  };

  /**
   * Changes the situation, and returns for how long after the response the other process accepted
   * uses.
   */
  async function acceptedFor({ use, change }: Situation): Promise<number> {
    expect(await use(two)).toBe(true);
    expect(await use(two)).toBe(true);
    await change();
    const changedAt = performance.now();
    let lastAcceptedAt = changedAt;
    await poll(
      async () => {
        const startedAt = performance.now();
        if (!(await use(two))) return true;
        lastAcceptedAt = startedAt;
        return false;
      },
      { everyMs: 5, what: 'a refusal' },
    );
    // The process that made the change knows it, and so does the other one from now on.
    for (const replica of [one, two]) expect(await use(replica)).toBe(false);
    return lastAcceptedAt - changedAt;
  }

  it.each(Object.keys(situations))('refuse %s at once, through the bus', async (name) => {
    const situation = await situations[name]?.();
    if (!situation) throw new Error(name);

    expect(await acceptedFor(situation)).toBeLessThan(USUALLY_WITHIN_MS);
  });

  describe.each([
    ['that makes the change', () => one],
    ['that is used', () => two],
  ])('while the process %s has no connection to NATS', (_, replicaOf) => {
    afterEach(async () => {
      replicaOf().toNats.mend();
      await connected(replicaOf().visitor);
    });

    it.each(Object.keys(situations))('refuse %s within a second', async (name) => {
      const situation = await situations[name]?.();
      if (!situation) throw new Error(name);
      replicaOf().toNats.cut();

      expect(await acceptedFor(situation)).toBeLessThan(WITHIN_MS);
    });
  });

  const connected = (visitor: Client) =>
    poll(async () => ok((await visitor.get('/readyz')).status), { what: 'the connection to NATS' });

  it('accept new credentials at once, even if they were refused before', async () => {
    const body = { name: 'New', scopes: ['forms:read'] };
    for (let n = 0; n < 10; n += 1) {
      const { form, use, path } = await anInbound();
      expect(await use(two)).toBe(true);
      const { data } = (await one.client.post<{ token: string }>(`${path}/rotate`, { expect: 200 })).body;
      await sendInbound(two.visitor, { formId: form.id, token: data.token }, VALUES);

      const created = await one.client.post<{ key: string }>('/api/keys', { body, expect: 201 });
      const headers = { authorization: `Bearer ${created.body.data.key}` };
      await two.visitor.get('/api/forms', { headers, expect: 200 });
    }
  });

  it('accept what a change allows again, through the bus', async () => {
    const { use, path } = await anInbound({ isEnabled: false });
    expect(await use(two)).toBe(false);

    await one.client.patch(path, { body: { isEnabled: true }, expect: 200 });

    const changedAt = performance.now();
    await poll(() => use(two), { everyMs: 5 });
    expect(performance.now() - changedAt).toBeLessThan(USUALLY_WITHIN_MS);
    expect(await use(one)).toBe(true);
  });

  it('deliver each event that follows the creation of a webhook, and none that follows its end', async () => {
    const COUNT = 8;
    const form = await createForm(one.client);
    const inbound = await openInbound(one.client, form.id);
    const urlOf = (n: number) => `${webhookEndpoint.url}/${form.id}/${n}`;
    const received = (n: number, message: string) =>
      webhookEndpoint.requests.some(
        ({ path, rawBody }) => urlOf(n).endsWith(path) && rawBody.includes(`"${message}"`),
      );
    const webhooks: { id: string }[] = [];
    // The dispatchers of both processes share the events, so both must know each webhook.
    for (let n = 0; n < COUNT; n += 1) {
      webhooks.push(await addWebhook(one.client, form.id, { url: urlOf(n) }));
      await sendInbound(two.visitor, inbound, { ...VALUES, message: `event ${n}` });
    }
    for (let n = 0; n < COUNT; n += 1)
      for (let event = n; event < COUNT; event += 1)
        await poll(() => received(n, `event ${event}`), { what: `event ${event} at webhook ${n}` });

    for (const { id } of webhooks) {
      const path = `/api/forms/${form.id}/webhooks/${id}`;
      await one.client.patch(path, { body: { isEnabled: false }, expect: 200 });
    }
    await addWebhook(one.client, form.id, { url: urlOf(COUNT) });
    for (let n = 0; n < COUNT; n += 1)
      await sendInbound(two.visitor, inbound, { ...VALUES, message: `late ${n}` });

    for (let n = 0; n < COUNT; n += 1)
      await poll(() => received(COUNT, `late ${n}`), { what: 'late events' });
    const late = webhookEndpoint.requests.filter(({ rawBody }) => rawBody.includes('"late '));
    expect(late.every(({ path }) => urlOf(COUNT).endsWith(path))).toBe(true);
  });
});
