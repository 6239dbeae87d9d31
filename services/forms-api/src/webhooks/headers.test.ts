import type { AuditChanges, AccountWebhookCreatedOut, AccountWebhookOut } from '@svcforms/contracts';
import { AUDIT_LOG, type AuditRecord } from '@svcforms/http';
import { WEBHOOKS, type WebhookRecord } from '@svcforms/records';
import { startWebhookEndpoint } from '@svcforms/test-kit';
import { openFormsApi } from '../../test/fixture.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
beforeAll(async () => void (api = await openFormsApi()));

const HOOK = { url: 'https://hooks.example/x', events: ['form.submission.new'] };
const KEY = 'k3y-0f-th3-3ndp01nt';
const records = () => api.store.collection<WebhookRecord>(WEBHOOKS);
afterEach(() => records().deleteMany({}));

describe.each([
  ['a form', async () => `/api/forms/${(await api.createForm()).id}/webhooks`],
  ['the account', async () => '/api/webhooks'],
])('the custom headers of a webhook of %s', (_, listPath) => {
  async function create(headers?: object) {
    const path = await listPath();
    const { body, text } = await api.client.post<AccountWebhookCreatedOut>(path, {
      body: { ...HOOK, ...(headers && { headers }) },
      expect: 201,
    });
    return { path: `${path}/${body.data.id}`, id: body.data.id, created: body.data, text };
  }
  const change = async (path: string, headers: object | null) =>
    (await api.client.patch<AccountWebhookOut>(path, { body: { headers }, expect: 200 })).body.data.headers;
  /** The headers of a test event. */
  async function sent({ path, id }: { path: string; id: string }) {
    const webhookEndpoint = await startWebhookEndpoint();
    // Past the guard of the routes, which knows no endpoints of tests.
    await records().updateOne({ _id: id }, { $set: { url: webhookEndpoint.url } });
    await api.client.post(`${path}/test`, { body: {}, expect: 200 });
    return webhookEndpoint.requests[0]!.headers;
  }

  it('are shown without their values, and stored encrypted', async () => {
    const { path, id, created, text } = await create({ 'X-Api-Key': KEY, Authorization: 'short' });
    const shown = [
      { name: 'X-Api-Key', last4: '01nt' },
      { name: 'Authorization', last4: null },
    ];
    expect(created.headers).toEqual(shown);
    const responses = [
      text,
      (await api.client.get(path)).text,
      (await api.client.get(path.replace(/\/whk_.*/, ''))).text,
    ];
    for (const response of responses) {
      expect(response).not.toContain(KEY);
      expect(response).not.toContain('short');
      expect(response).toContain(JSON.stringify(shown));
    }
    const stored = JSON.stringify(await records().findOne({ _id: id }));
    expect(stored).toContain('X-Api-Key');
    expect(stored).not.toContain(KEY);
    expect(stored).not.toContain('short');
  });

  it('are sent with test events, in their letter case, besides ours', async () => {
    const headers = await sent(await create({ 'X-Api-Key': KEY, 'X-Two-Words': 'a b\tc' }));
    expect(headers).toMatchObject({ 'x-api-key': KEY, 'x-two-words': 'a b\tc', 'svc-test': 'true' });
    expect(headers).toHaveProperty('webhook-signature');
  });

  it('are an empty list by default', async () => {
    const { created, id } = await create();
    expect(created.headers).toEqual([]);
    expect(await records().findOne({ _id: id })).not.toHaveProperty('headers');
    expect((await create({})).created.headers).toEqual([]);
  });

  it('are set, replaced in any case and removed one by one; others stay', async () => {
    const webhook = await create({ 'X-Api-Key': KEY, 'X-Stays': 'this one stays' });
    expect(
      await change(webhook.path, { 'x-api-key': 'a newer value', 'X-Added': 'added', 'X-Absent': null }),
    ).toEqual([
      { name: 'x-api-key', last4: 'alue' },
      { name: 'X-Stays', last4: 'tays' },
      { name: 'X-Added', last4: null },
    ]);
    expect(await sent(webhook)).toMatchObject({
      'x-api-key': 'a newer value',
      'x-stays': 'this one stays',
      'x-added': 'added',
    });
    const left = await change(webhook.path, { 'X-ADDED': null, 'X-Api-Key': null });
    expect(left).toEqual([{ name: 'X-Stays', last4: 'tays' }]);
    expect(await sent(webhook)).not.toHaveProperty('x-added');
    expect(await change(webhook.path, { 'X-Stays': null })).toEqual([]);
    expect(await records().findOne({ _id: webhook.id })).not.toHaveProperty('headers');
    await change(webhook.path, { 'X-Again': 'x' });
    expect(await change(webhook.path, null)).toEqual([]);
  });

  it('stay when a request changes something else, even if no key decrypts them', async () => {
    const { path, id } = await create({ 'X-Api-Key': KEY });
    await records().updateOne({ _id: id }, { $set: { 'headers.sealed': 'unreadable' } });
    const patched = await api.client.patch<AccountWebhookOut>(path, {
      body: { description: 'CRM' },
      expect: 200,
    });
    expect(patched.body.data.headers).toEqual([{ name: 'X-Api-Key', last4: '01nt' }]);
  });

  it('that no key decrypts are replaced or removed together', async () => {
    const webhook = await create({ 'X-Api-Key': KEY, 'X-Other': 'x' });
    const lose = () => records().updateOne({ _id: webhook.id }, { $set: { 'headers.sealed': 'unreadable' } });
    await lose();
    const { status, body } = await api.client.patch(webhook.path, {
      body: { headers: { 'X-Api-Key': 'y' } },
    });
    expect({ status, message: body.message }).toEqual({
      status: 409,
      message: expect.stringMatching(/for these headers, too: X-Other$/),
    });
    await change(webhook.path, { 'x-api-key': 'newer', 'X-Other': null });
    expect(await sent(webhook)).toMatchObject({ 'x-api-key': 'newer' });
    await lose();
    expect(await change(webhook.path, null)).toEqual([]);
  });

  it('are at most 20, and 6144 characters, with those that stay', async () => {
    const { path } = await create(Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`X-${n}`, 'x'])));
    const refused = async (headers: object) => {
      const { status, body } = await api.client.patch(path, { body: { headers } });
      return { status, errors: body.errors };
    };
    expect(await refused({ 'X-20': 'x' })).toEqual({
      status: 422,
      errors: [
        {
          pointer: '/headers',
          message: 'must have at most 20 headers, with those that the webhook already has',
        },
      ],
    });
    expect(await change(path, { 'X-20': 'x'.repeat(3000), 'X-0': null })).toHaveLength(20);
    expect(await refused({ 'X-1': 'x'.repeat(3200) })).toMatchObject({
      status: 422,
      errors: [{ pointer: '/headers', message: expect.stringContaining('6144') }],
    });
  });

  it('are all kept when several requests set different ones at once', async () => {
    const { path } = await create();
    const names = ['X-A', 'X-B', 'X-C'];
    await Promise.all(names.map((name) => change(path, { [name]: 'x' })));
    const { body } = await api.client.get<AccountWebhookOut>(path);
    expect(body.data.headers.map(({ name }) => name).toSorted()).toEqual(names);
  });

  it('are in the audit log with their names only', async () => {
    const { path, id } = await create({ 'X-Api-Key': KEY, 'X-Old': 'an old value' });
    await change(path, { 'X-Api-Key': 'another value', 'X-Old': null, 'X-New': 'a new value' });
    await change(path, { 'X-Api-Key': 'another value' });
    await change(path, null);
    const rows = await api.store
      .collection<AuditRecord>(AUDIT_LOG)
      .find({ 'target.id': id }, { sort: ['_id'] });
    expect(rows.map(({ changes }) => (JSON.parse(changes) as AuditChanges)['headers'])).toEqual([
      { from: null, to: ['X-Api-Key', 'X-Old'] },
      { from: ['X-Api-Key', 'X-Old'], to: ['X-Api-Key', 'X-New'] },
      undefined,
      { from: ['X-Api-Key', 'X-New'], to: null },
    ]);
    for (const value of [KEY, 'an old value', 'another value', 'a new value'])
      expect(JSON.stringify(rows)).not.toContain(value);
  });

  it.each([
    [{ 'X Y': 'x' }, '/headers/X Y'],
    [{ 'a/b~c': 'x' }, '/headers/a~1b~0c'],
    [{ 'X-Api-Key': 'hush\r\nX-Other: x' }, '/headers/X-Api-Key'],
    [{ 'Content-Length': 'hush' }, '/headers/Content-Length'],
    [{ 'X-A': 'hush', 'x-a': 'hush' }, '/headers/x-a'],
  ])('are refused with the pointer of the fault: %j', async (headers, pointer) => {
    const list = await listPath();
    const { path } = await create();
    for (const response of [
      await api.client.post(list, { body: { ...HOOK, headers } }),
      await api.client.patch(path, { body: { headers } }),
    ]) {
      expect(response.status).toBe(422);
      expect(response.body.errors?.map((issue) => issue.pointer)).toEqual([pointer]);
      expect(response.text).not.toContain('hush');
    }
  });
});
