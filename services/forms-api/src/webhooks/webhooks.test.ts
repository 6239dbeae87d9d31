import type { WebhookCreatedOut, WebhookOut } from '@svcforms/contracts';
import {
  DELIVERIES,
  ERASURES,
  WEBHOOKS,
  webhookSecretContext,
  type DeliveryRecord,
  type ErasureRecord,
  type WebhookRecord,
} from '@svcforms/records';
import { loseResponses, openFormsApi } from '../../test/fixture.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
beforeAll(async () => void (api = await openFormsApi()));

const HOOK = { url: 'https://hooks.example/x', events: ['form.submission.new'] };
const pathOf = async () => `/api/forms/${(await api.createForm()).id}/webhooks`;
const records = () => api.store.collection<WebhookRecord>(WEBHOOKS);

describe('a webhook', () => {
  it('is returned as it was sent, with its full secret only once', async () => {
    const path = await pathOf();
    const { body, headers } = await api.client.post<WebhookCreatedOut>(path, {
      body: { ...HOOK, secret: 'a secret of mine', description: 'CRM' },
      expect: 201,
    });
    const { secret, ...webhook } = body.data;
    expect(secret).toBe('a secret of mine');
    expect(webhook).toEqual({
      ...HOOK,
      id: expect.stringMatching(/^whk_/),
      formId: path.split('/')[3],
      isEnabled: true,
      description: 'CRM',
      rateLimitPerSecond: null,
      secretLast4: 'mine',
      headers: [],
      isPublicKeySigned: false,
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      consecutiveFailures: 0,
      lastAttemptAt: null,
      lastStatus: null,
      createdAt: '2026-03-14T09:26:53.589Z',
      updatedAt: '2026-03-14T09:26:53.589Z',
    });
    expect(headers.get('location')).toBe(`${path}/${webhook.id}`);
    expect((await api.client.get(`${path}/${webhook.id}`)).body.data).toEqual(webhook);
    const stored = await records().findOne({ _id: webhook.id });
    expect(JSON.stringify(stored)).not.toContain('a secret of mine');
    expect(api.secretBox.open(stored?.secret ?? '', webhookSecretContext(webhook.id))).toBe(
      'a secret of mine',
    );
  });

  it('without a secret gets one of 32 random bytes', async () => {
    const { secret } = await api.createWebhook((await api.createForm()).id);
    expect(secret).toMatch(/^whsec_/);
    expect(Buffer.from(secret?.slice(6) ?? '', 'base64')).toHaveLength(32);
  });

  it.each(['', null])('with the secret %j gets one of 32 random bytes, too', async (given) => {
    const { secret, secretLast4 } = await api.createWebhook((await api.createForm()).id, { secret: given });
    expect(Buffer.from(secret?.slice('whsec_'.length) ?? '', 'base64')).toHaveLength(32);
    expect(secretLast4).toBe(secret?.slice(-4));
  });

  it.each([
    ['a secret with a 🔑', 'a 🔑'],
    ['a secret with a 🔑!!', '🔑!!'],
    ['a secret with a 🔑!!!', '!!!'],
  ])('with the secret %j shows its end as %j, without half a character', async (secret, last4) => {
    const { id, formId, ...created } = await api.createWebhook((await api.createForm()).id, { secret });
    expect(created.secretLast4).toBe(last4);
    const { body } = await api.client.post<WebhookCreatedOut>(
      `/api/forms/${formId}/webhooks/${id}/rotate-secret`,
      { body: { secret }, expect: 200 },
    );
    expect(body.data.secretLast4).toBe(last4);
  });

  it.each(['https://hooks.example:8080/x', 'https://hooks.example:1024/x'])(
    'may listen on %s',
    async (url) => {
      expect(await api.createWebhook((await api.createForm()).id, { url })).toMatchObject({ url });
    },
  );

  it('keeps its rate limit until it is removed', async () => {
    const path = await pathOf();
    const { id, ...created } = await api.createWebhook(path.split('/')[3] ?? '', {
      rateLimitPerSecond: 1000,
    });
    const change = async (body: object) =>
      (await api.client.patch<WebhookOut>(`${path}/${id}`, { body, expect: 200 })).body.data
        .rateLimitPerSecond;
    expect(created.rateLimitPerSecond).toBe(1000);
    expect(await change({ description: 'CRM' })).toBe(1000);
    expect(await change({ rateLimitPerSecond: 1 })).toBe(1);
    expect(await change({ rateLimitPerSecond: null })).toBeNull();
    expect(await records().findOne({ _id: id })).not.toHaveProperty('rateLimitPerSecond');
  });

  it.each([0, -1, 1001, 1.5, '5', true, [1]])('refuses the rate limit %j', async (rateLimitPerSecond) => {
    const path = await pathOf();
    const refusal = {
      status: 422,
      errors: [{ pointer: '/rateLimitPerSecond', message: expect.any(String) }],
    };
    const created = await api.client.post(path, { body: { ...HOOK, rateLimitPerSecond } });
    expect({ status: created.status, errors: created.body.errors }).toEqual(refusal);
    const { id } = await api.createWebhook(path.split('/')[3] ?? '');
    const changed = await api.client.patch(`${path}/${id}`, { body: { rateLimitPerSecond } });
    expect({ status: changed.status, errors: changed.body.errors }).toEqual(refusal);
  });

  it('that is created disabled is disabled manually', async () => {
    const webhook = await api.createWebhook((await api.createForm()).id, { isEnabled: false });
    expect(webhook).toMatchObject({
      isEnabled: false,
      disabledReason: 'manual',
      disabledAt: '2026-03-14T09:26:53.589Z',
    });
  });

  it('is returned again with its secret if the first response was lost', async () => {
    const path = await pathOf();
    const create = async () =>
      (
        await api.client.post<WebhookCreatedOut>(path, {
          body: HOOK,
          headers: { 'idempotency-key': 'webhook-1' },
          expect: 201,
        })
      ).body.data;
    const lost = await create();
    expect(await create()).toEqual({ ...lost, secret: null });
    await loseResponses(api.store);
    expect(await create()).toEqual(lost);
    expect(await records().count({ formId: lost.formId })).toBe(1);
  });

  it('is one of at most twenty of its form, with any number of concurrent requests', async () => {
    const form = await api.createForm();
    const body = { url: 'https://hooks.example/x', events: ['form.submission.new'] };
    const post = () => api.client.post(`/api/forms/${form.id}/webhooks`, { body });
    const responses = await Promise.all(Array.from({ length: 30 }, post));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    expect(statuses.filter((status) => status === 409)).toHaveLength(10);
  });

  it('is one of at most twenty of its form', async () => {
    const path = await pathOf();
    for (let n = 0; n < 20; n++) await api.client.post(path, { body: HOOK, expect: 201 });
    const { status, body } = await api.client.post(path, { body: HOOK });
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'CONFLICT' });
    const { body: list } = await api.client.get<WebhookOut[]>(`${path}?limit=100`);
    expect(list.data).toHaveLength(20);
    await api.client.delete(`${path}/${list.data[0]?.id}`, { expect: 204 });
    await api.client.post(path, { body: HOOK, expect: 201 });
  });

  it.each([
    ['http', 'http://hooks.example/x'],
    ['another port', 'https://hooks.example:22/'],
    ['credentials', 'https://user:pw@hooks.example/'],
    ['a private address', 'https://192.168.1.1/'],
    ['a private address in disguise', 'https://0x7f000001/'],
    ['a private address behind NAT64', 'https://[64:ff9b::192.168.1.1]/'],
    ['the metadata of a cloud', 'https://169.254.169.254/latest'],
    ['a name of this machine', 'https://localhost/'],
    ['a name that leads inside, too', 'https://inside.example/'],
    ['no URL', 'hooks'],
  ])("can't call %s", async (_, url) => {
    const path = await pathOf();
    const refusal = { status: 422, errors: [{ pointer: '/url', message: expect.any(String) }] };
    const created = await api.client.post(path, { body: { ...HOOK, url } });
    expect({ status: created.status, errors: created.body.errors }).toEqual(refusal);
    const webhook = await api.createWebhook(path.split('/')[3] ?? '');
    const changed = await api.client.patch(`${path}/${webhook.id}`, { body: { url } });
    expect({ status: changed.status, errors: changed.body.errors }).toEqual(refusal);
    expect(await records().findOne({ _id: webhook.id })).toMatchObject({ url: HOOK.url });
  });

  it('may call a public IPv4 address through NAT64', async () => {
    const url = 'https://[64:ff9b::808:808]/';
    expect((await api.createWebhook((await api.createForm()).id, { url })).url).toBe(url);
  });

  it('may call a name that does not resolve yet', async () => {
    const url = 'https://not-yet.example/';
    expect((await api.createWebhook((await api.createForm()).id, { url })).url).toBe(url);
  });

  it.each([
    [{ ...HOOK, events: ['hitl.task.created'] }, '/events/0'],
    [{ ...HOOK, events: [] }, '/events'],
    [{ ...HOOK, secret: 'fifteen chars--' }, '/secret'],
    [{ ...HOOK, enabled: true }, '/enabled'],
    [{ events: HOOK.events }, '/url'],
  ])('is refused with the pointer of the fault: %j', async (body, pointer) => {
    const response = await api.client.post(await pathOf(), { body });
    expect(response.status).toBe(422);
    expect(response.body.errors?.map((issue) => issue.pointer)).toEqual([pointer]);
  });
});

describe('changing a webhook', () => {
  async function webhookIn(state: Partial<WebhookRecord>) {
    const form = await api.createForm();
    const webhook = await api.createWebhook(form.id, { description: 'CRM' });
    await records().updateOne({ _id: webhook.id }, { $set: state });
    const path = `/api/forms/${form.id}/webhooks/${webhook.id}`;
    return async (body: object) =>
      (await api.client.patch<WebhookOut>(path, { body, expect: 200 })).body.data;
  }

  it('keeps what the request omits', async () => {
    const change = await webhookIn({});
    const before = await change({});
    expect(await change({ url: 'https://hooks.example/y' })).toEqual({
      ...before,
      url: 'https://hooks.example/y',
    });
    expect(await change({ events: ['submission.created'] })).toMatchObject({
      url: 'https://hooks.example/y',
      events: ['submission.created'],
      description: 'CRM',
    });
  });

  it('keeps its last 20 URLs of 30 days before this one, without their queries', async () => {
    const change = await webhookIn({});
    const formerUrls = async (id: string) => (await records().findOne({ _id: id }))?.formerUrls;
    const { id } = await change({ url: 'https://hooks.example/y?key=1#top' });
    await change({ url: 'https://hooks.example/y?key=1#top' });
    const shown = await change({ url: 'https://hooks.example/z' });
    const until = '2026-03-14T09:26:53.589Z';
    expect(await formerUrls(id)).toEqual([
      { url: HOOK.url, until },
      { url: 'https://hooks.example/y', until },
    ]);
    expect(shown).not.toHaveProperty('formerUrls');
    for (let n = 0; n < 20; n++) await change({ url: `https://hooks.example/${n}` });
    expect((await formerUrls(id))?.map(({ url }) => url.split('/').at(-1))).toEqual([
      'z',
      ...Array.from({ length: 19 }, (_, n) => String(n)),
    ]);
    const old = { url: 'https://hooks.example/old', until: '2026-02-12T09:26:53.589Z' };
    await records().updateOne({ _id: id }, { $set: { formerUrls: [old] } });
    await change({ url: 'https://hooks.example/y' });
    expect(await formerUrls(id)).toEqual([{ url: 'https://hooks.example/19', until }]);
  });

  it.each([
    [{ description: 'ERP' }, 'ERP'],
    [{ description: '' }, ''],
    [{ description: null }, undefined],
    [{}, 'CRM'],
  ])('with %j results in the description %j', async (body, description) => {
    const change = await webhookIn({});
    expect((await change(body)).description).toBe(description);
  });

  const on = { isEnabled: true, disabledReason: null, disabledAt: null } as const;
  const failing = { failingSince: '2026-03-01T00:00:00.000Z', consecutiveFailures: 7 };
  const healthy = { failingSince: null, consecutiveFailures: 0 };
  const off = (disabledReason: 'manual' | 'failures' | 'gone') => ({
    isEnabled: false,
    disabledReason,
    disabledAt: '2026-03-02T00:00:00.000Z',
  });
  const offNow = { isEnabled: false, disabledReason: 'manual', disabledAt: '2026-03-14T09:26:53.589Z' };

  it.each([
    ['on one that is disabled manually', off('manual'), true, { ...on, ...healthy }],
    ['on one that failed', { ...off('failures'), ...failing }, true, { ...on, ...healthy }],
    ['on one whose endpoint returned 410', { ...off('gone'), ...failing }, true, { ...on, ...healthy }],
    ['on one that is on and failing', { ...on, ...failing }, true, { ...on, ...healthy }],
    ['off one that is on', on, false, offNow],
    ['off one that is on and failing', { ...on, ...failing }, false, { ...offNow, ...failing }],
    ['off one that failed', { ...off('failures'), ...failing }, false, { ...offNow, ...failing }],
    ['off one whose endpoint returned 410', off('gone'), false, off('gone')],
    ['off one that is disabled manually', off('manual'), false, off('manual')],
  ])('switches %s', async (_, before, isEnabled, after) => {
    const change = await webhookIn(before);
    expect(await change({ isEnabled })).toMatchObject(after);
  });

  it.each([
    ['another URL', on, { url: 'https://hooks.example/y' }, healthy],
    ['the same URL', on, { url: HOOK.url }, failing],
    ['another URL and is off by then', on, { url: 'https://hooks.example/y', isEnabled: false }, failing],
    ['another URL while it is off', off('failures'), { url: 'https://hooks.example/y' }, failing],
  ])('has the failures that belong to its URL when it gets %s', async (_, state, body, after) => {
    const change = await webhookIn({ ...state, ...failing });
    expect(await change(body)).toMatchObject(after);
  });

  it('ends the pause and the warning of the old URL when it gets another one', async () => {
    const pausedUntil = '2026-03-14T09:27:00.000Z';
    const given = { ...failing, warnedAt: '2026-03-02T00:00:00.000Z', givenUpAt: '2026-03-02T00:00:00.000Z' };
    const change = await webhookIn({ ...given, pausedUntil });
    const { id, formId } = await change({ description: 'CRM' });
    const deliveries = api.store.collection<DeliveryRecord>(DELIVERIES);
    const postponed = {
      _id: `del_${id.slice(4)}`,
      formId,
      webhookId: id,
      status: 'pending',
      dueAt: pausedUntil,
    };
    await deliveries.insertMany([postponed as DeliveryRecord]);
    await change({ url: 'https://hooks.example/y' });
    expect(await deliveries.findOne({ _id: postponed._id })).toMatchObject({
      dueAt: '2026-03-14T09:26:53.589Z',
    });
    const stored = await records().findOne({ _id: id });
    for (const name of ['warnedAt', 'givenUpAt', 'pausedUntil']) expect(stored).not.toHaveProperty(name);
  });

  it('keeps its failures unless it enables or disables it', async () => {
    const change = await webhookIn({ ...off('failures'), ...failing });
    expect(await change({ description: 'x' })).toMatchObject({ ...off('failures'), ...failing });
  });
});

describe('deleting a webhook', () => {
  it('responds before its deliveries are deleted, which exist no longer, and deletes no others', async () => {
    const form = await api.createForm();
    const [one, two] = [await api.createWebhook(form.id), await api.createWebhook(form.id)];
    const deliveries = api.store.collection<DeliveryRecord>(DELIVERIES);
    const deliveryOf = ({ id }: { id: string }): DeliveryRecord => ({
      _id: `del_${id.slice(4)}`,
      accountId: api.accountId,
      formId: form.id,
      webhookId: id,
      eventId: `evt_${id.slice(4)}`,
      eventType: 'form.submission.new',
      body: '{"data":{}}',
      status: 'failed',
      attempts: [],
      createdAt: new Date(api.clock.now).toISOString(),
      expireAt: new Date(api.clock.now + 86_400_000).toISOString(),
    });
    await deliveries.insertMany([one, two].map(deliveryOf));
    const hooks = `/api/forms/${form.id}/webhooks`;
    const pathsOf = ({ id }: { id: string }) => {
      const { _id } = deliveryOf({ id });
      return [`${hooks}/${id}/deliveries/${_id}`, `${hooks}/deliveries/${_id}`];
    };
    for (const path of pathsOf(one)) await api.client.get(path, { expect: 200 });

    await api.client.delete(`${hooks}/${one.id}`, { expect: 204 });
    expect(await deliveries.count({ webhookId: one.id })).toBe(1);
    for (const path of [`${hooks}/${one.id}`, `${hooks}/${one.id}/deliveries`, ...pathsOf(one)])
      expect([path, (await api.client.get(path)).status]).toEqual([path, 404]);
    for (const path of pathsOf(one)) expect((await api.client.post(`${path}/redeliver`)).status).toBe(404);
    for (const path of pathsOf(two)) await api.client.get(path, { expect: 200 });

    // By this record, the dispatcher deletes them, also what was stored later.
    const erasures = await api.store.collection<ErasureRecord>(ERASURES).find({});
    const own = erasures.filter(({ webhookIds }) => webhookIds.includes(one.id));
    expect(own).toMatchObject([{ kind: 'values', isDeferred: true, passes: 0, dueAt: expect.any(String) }]);
    await api.applyErasures();
    expect((await deliveries.find({ formId: form.id })).map(({ webhookId }) => webhookId)).toEqual([two.id]);
  });
});
