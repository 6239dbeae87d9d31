import type { AccountWebhookCreatedOut, AccountWebhookOut, AuditChanges } from '@svcforms/contracts';
import { AUDIT_LOG, type AuditRecord } from '@svcforms/http';
import { WEBHOOKS, webhookSecretContext, type WebhookRecord } from '@svcforms/records';
import { isSignedWithKey, startWebhookEndpoint } from '@svcforms/test-kit';
import { openFormsApi } from '../../test/fixture.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
beforeAll(async () => void (api = await openFormsApi()));

const HOOK = { url: 'https://hooks.example/x', events: ['form.submission.new'] };
const KEYS = '/.well-known/webhooks-keys.json';
const records = () => api.store.collection<WebhookRecord>(WEBHOOKS);
afterEach(() => records().deleteMany({}));

const publicKeys = async (query = '') =>
  JSON.parse((await api.visitor.get(`${KEYS}${query}`, { expect: 200 })).text) as unknown;

describe.each([
  ['a form', async () => `/api/forms/${(await api.createForm()).id}/webhooks`],
  ['the account', async () => '/api/webhooks'],
])('the public-key signature of a webhook of %s', (_, listPath) => {
  async function create(isPublicKeySigned?: boolean) {
    const path = await listPath();
    const body = { ...HOOK, ...(isPublicKeySigned !== undefined && { isPublicKeySigned }) };
    const { data } = (await api.client.post<AccountWebhookCreatedOut>(path, { body, expect: 201 })).body;
    return { path: `${path}/${data.id}`, id: data.id, created: data };
  }
  const change = async (path: string, isPublicKeySigned: boolean) =>
    (await api.client.patch<AccountWebhookOut>(path, { body: { isPublicKeySigned }, expect: 200 })).body.data;

  it('is off by default, with no key pair', async () => {
    const { id, created } = await create();
    expect(created).toMatchObject({ isPublicKeySigned: false });
    expect(created).not.toHaveProperty('publicKey');
    expect(created).not.toHaveProperty('publicKeyId');
    expect(await records().findOne({ _id: id })).not.toHaveProperty('signingKey');
    expect(await publicKeys()).toEqual({ keys: [] });
  });

  it('has a key pair when it is switched on, whose private key is encrypted and shown nowhere', async () => {
    const { path, id, created } = await create(true);
    const { publicKey, publicKeyId } = created;
    expect(publicKey).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
    expect((await api.client.get<AccountWebhookOut>(path)).body.data).toMatchObject({
      isPublicKeySigned: true,
      publicKey,
      publicKeyId,
    });
    const { signingKey } = (await records().findOne({ _id: id }))!;
    const privateKey = api.secretBox.open(signingKey?.privateKey ?? '', webhookSecretContext(id));
    expect(privateKey).toMatch(/^whsk_/);
    expect(JSON.stringify(created)).not.toContain('whsk_');
    expect(await publicKeys()).toEqual({ keys: [{ id: publicKeyId, publicKey }] });
  });

  it('is on test events, beside the signature of the secret', async () => {
    const { path, id, created } = await create(true);
    const webhookEndpoint = await startWebhookEndpoint();
    await records().updateOne({ _id: id }, { $set: { url: webhookEndpoint.url } });
    await api.client.post(`${path}/test`, { body: {}, expect: 200 });
    const [request] = webhookEndpoint.requests;
    expect(request!.headers['webhook-signature']).toMatch(/^v1,\S{44} v1a,\S{88}$/);
    expect(isSignedWithKey(request!, created.publicKey!)).toBe(true);
  });

  it('keeps its key pair until it is switched off, and gets another one afterwards', async () => {
    const { path } = await create();
    const first = await change(path, true);
    expect((await change(path, true)).publicKey).toBe(first.publicKey);
    const { body } = await api.client.patch<AccountWebhookOut>(path, { body: { description: 'CRM' } });
    expect(body.data.publicKey).toBe(first.publicKey);
    const off = await change(path, false);
    expect(off).toMatchObject({ isPublicKeySigned: false });
    expect(off).not.toHaveProperty('publicKey');
    expect(await publicKeys()).toEqual({ keys: [] });
    expect((await change(path, true)).publicKey).not.toBe(first.publicKey);
  });

  it('keeps its key pair when the secret is rotated', async () => {
    const { path, created } = await create(true);
    const rotated = await api.client.post<AccountWebhookCreatedOut>(`${path}/rotate-secret`, { expect: 200 });
    expect(rotated.body.data).toMatchObject({ isPublicKeySigned: true, publicKey: created.publicKey });
  });

  it('gets one key pair when several processes switch it on at once', async () => {
    const { path, id } = await create();
    const other = (await api.start()).client(api.key);
    const responses = await Promise.all(
      [api.client, other, api.client, other].map((client) =>
        client.patch<AccountWebhookOut>(path, { body: { isPublicKeySigned: true }, expect: 200 }),
      ),
    );
    const { signingKey } = (await records().findOne({ _id: id }))!;
    expect(new Set(responses.map(({ body }) => body.data.publicKey))).toEqual(
      new Set([signingKey?.publicKey]),
    );
  });

  it('is in the audit log without its keys', async () => {
    const { path, id } = await create(true);
    await change(path, false);
    await change(path, false);
    const rows = await api.store
      .collection<AuditRecord>(AUDIT_LOG)
      .find({ 'target.id': id }, { sort: ['_id'] });
    expect(rows.map(({ changes }) => (JSON.parse(changes) as AuditChanges)['isPublicKeySigned'])).toEqual([
      { to: true },
      { from: true, to: false },
      undefined,
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/wh[sp]k_/);
  });

  it.each([null, 'true', 1])('is refused as %j', async (isPublicKeySigned) => {
    const responses = [
      await api.client.post(await listPath(), { body: { ...HOOK, isPublicKeySigned } }),
      await api.client.patch((await create()).path, { body: { isPublicKeySigned } }),
    ];
    for (const { status, body } of responses) {
      const pointers = body.errors?.map(({ pointer }) => pointer);
      expect({ status, pointers }).toEqual({ status: 422, pointers: ['/isPublicKeySigned'] });
    }
  });
});

describe('the public keys', () => {
  it('are public, cacheable, and found by their id', async () => {
    const path = `/api/forms/${(await api.createForm()).id}/webhooks`;
    const body = { ...HOOK, isPublicKeySigned: true };
    const ids: string[] = [];
    for (let n = 0; n < 2; n++) {
      const { data } = (await api.client.post<AccountWebhookCreatedOut>(path, { body, expect: 201 })).body;
      ids.unshift(data.publicKeyId ?? '');
    }
    await api.createWebhook(path.split('/')[3]!);
    const { headers, text } = await api.visitor.get(KEYS, { expect: 200 });
    expect(headers.get('content-type')).toMatch(/^application\/json\b/);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    const { keys } = JSON.parse(text) as { keys: { id: string; publicKey: string }[] };
    expect(new Set(keys.map(({ id }) => id))).toEqual(new Set(ids));
    for (const key of keys) expect(Object.keys(key)).toEqual(['id', 'publicKey']);
    expect(await publicKeys(`?id=${ids[1]}`)).toEqual({ keys: keys.filter(({ id }) => id === ids[1]) });
    expect(await publicKeys('?id=unknown')).toEqual({ keys: [] });
    const etag = headers.get('etag') ?? '';
    expect((await api.visitor.get(KEYS, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await api.visitor.get(`${KEYS}?ids=x`)).status).toBe(422);
  });

  it('may be read by pages of other sites', async () => {
    const { headers } = await api.visitor.get(KEYS, {
      headers: { origin: 'https://elsewhere.example' },
      expect: 200,
    });
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });
});
