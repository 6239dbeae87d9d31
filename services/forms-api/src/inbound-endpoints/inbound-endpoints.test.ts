import type {
  InboundCreatedOut,
  InboundOut,
  InboundPatchedOut,
  InboundRotatedOut,
} from '@svcforms/contracts';
import { beforeFirst } from '@svcforms/document-store/testing';
import {
  INBOUND_ENDPOINTS,
  INBOUND_REQUESTS,
  inboundSecretContext,
  type InboundEndpointRecord,
  type InboundRequest,
  type InboundRequestsRecord,
} from '@svcforms/records';
import { hashToken } from '@svcforms/signing';
import { BASE_URL, loseResponses, openFormsApi } from '../../test/fixture.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
beforeAll(async () => void (api = await openFormsApi()));

const pathOf = async () => `/api/forms/${(await api.createForm()).id}/inbound`;
const create = async (path: string, body: object = {}, headers: Record<string, string> = {}) =>
  (await api.client.post<InboundCreatedOut>(path, { body, headers, expect: 201 })).body.data;
const patch = async (path: string, body: object) =>
  (await api.client.patch<InboundPatchedOut>(path, { body, expect: 200 })).body.data;
const get = async (path: string) => (await api.client.get<InboundOut>(path, { expect: 200 })).body.data;

async function stored(endpointId: string) {
  const record = await api.store
    .collection<InboundEndpointRecord>(INBOUND_ENDPOINTS)
    .findOne({ _id: endpointId });
  if (!record) throw new Error('it is not stored');
  const { tokenHash, secret } = record;
  return {
    text: JSON.stringify(record),
    tokenHash,
    secret: secret && api.secretBox.open(secret, inboundSecretContext(endpointId)),
  };
}

describe('the inbound endpoint of a form', () => {
  it('shows its token in the response to its creation, and nowhere else', async () => {
    const path = await pathOf();
    const made = await create(path);
    expect(made).toEqual({
      id: expect.stringMatching(/^inb_/),
      formId: path.split('/')[3],
      token: expect.stringMatching(/^svc_inb_[\w-]{43}$/),
      tokenLast4: made.token?.slice(-4),
      name: 'Inbound endpoint',
      hasSecret: false,
      requireTimestamp: false,
      fieldMapping: {},
      isEnabled: true,
      url: `${BASE_URL}/api/inbound/${path.split('/')[3]}`,
      createdAt: '2026-03-14T09:26:53.589Z',
    });
    const { token, ...rest } = made;
    expect(await get(path)).toEqual(rest);
    const { text, tokenHash } = await stored(made.id);
    expect(tokenHash).toBe(hashToken(token ?? ''));
    expect(text).not.toContain(token);
  });

  it.each(['', '/endpoints'])('is created without a body, at %j', async (suffix) => {
    const path = `${await pathOf()}${suffix}`;
    const response = await api.client.post<InboundCreatedOut>(path, { expect: 201 });
    expect(response.body.data).toMatchObject({ hasSecret: false, fieldMapping: {} });
  });

  it('shows a generated secret once, and never one that was given', async () => {
    const [one, two] = [await pathOf(), await pathOf()];
    const generated = await create(one, { secret: true });
    expect(generated).toMatchObject({ hasSecret: true, secret: expect.stringMatching(/^[\w-]{43}$/) });
    expect(await stored(generated.id)).toMatchObject({ secret: generated.secret });
    expect((await stored(generated.id)).text).not.toContain(generated.secret);
    const given = await create(two, { secret: 'sixteen---------' });
    expect(given).not.toHaveProperty('secret');
    expect(given.hasSecret).toBe(true);
    expect(await stored(given.id)).toMatchObject({ secret: 'sixteen---------' });
    expect(await get(one)).not.toHaveProperty('secret');
  });

  it('keeps the token and the secret that another request has just got', async () => {
    const path = await pathOf();
    const { id } = await create(path);
    const shown: (string | null | undefined)[] = [];
    const during = async (first: () => Promise<string | null | undefined>) => {
      const where = { collection: INBOUND_ENDPOINTS.name, method: 'findOneAndUpdate' };
      const store = beforeFirst(api.store, where, async () => shown.push(await first()));
      return (await api.start({ store })).client(api.key);
    };
    const rotate = async () =>
      (await api.client.post<InboundRotatedOut>(`${path}/rotate`, { expect: 200 })).body.data.token;
    const rotated = await (await during(rotate)).post(`${path}/rotate`);
    const renewed = await (
      await during(async () => (await patch(path, { secret: true })).secret)
    ).patch(path, { body: { secret: true } });
    for (const { status, body } of [rotated, renewed]) expect([status, body.code]).toEqual([409, 'CONFLICT']);
    const { tokenHash, secret } = await stored(id);
    expect([tokenHash, secret]).toEqual([hashToken(shown[0] ?? ''), shown[1]]);
    expect(await rotate()).not.toBe(shown[0]);
    expect((await patch(path, { secret: true })).secret).not.toBe(shown[1]);
  });

  it('exists once: a second POST is 409, also concurrently', async () => {
    const path = await pathOf();
    const responses = await Promise.all(Array.from({ length: 5 }, () => api.client.post(path, { body: {} })));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 409, 409, 409, 409,
    ]);
    const { status, body } = await api.client.post(path, { body: {} });
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'CONFLICT' });
  });

  it('is returned again for its Idempotency-Key, without its token', async () => {
    const path = await pathOf();
    const headers = { 'idempotency-key': 'inbound-1' };
    const made = await create(path, { secret: true }, headers);
    expect(await create(path, { secret: true }, headers)).toEqual({ ...made, token: null, secret: null });
  });

  it('has a new token if the first response was lost, because nobody has the old one', async () => {
    const path = await pathOf();
    const headers = { 'idempotency-key': 'inbound-2' };
    const lost = await create(path, { secret: true }, headers);
    await loseResponses(api.store);
    const again = await create(path, { secret: true }, headers);
    expect(again.id).toBe(lost.id);
    expect(again.token).toMatch(/^svc_inb_/);
    expect(await stored(again.id)).toMatchObject({
      tokenHash: hashToken(again.token ?? ''),
      secret: again.secret,
    });
  });

  it('keeps what a PATCH omits', async () => {
    const path = await pathOf();
    const made = await create(path, { secret: 'sixteen---------', fieldMapping: { mail: 'email' } });
    expect(await patch(path, { isEnabled: false })).toMatchObject({
      isEnabled: false,
      hasSecret: true,
      fieldMapping: { mail: 'email' },
    });
    expect(await patch(path, { fieldMapping: {} })).toMatchObject({ isEnabled: false, fieldMapping: {} });
    expect(await stored(made.id)).toMatchObject({
      secret: 'sixteen---------',
      tokenHash: hashToken(made.token ?? ''),
    });
  });

  it('gets a given secret, a generated one or none by PATCH', async () => {
    const path = await pathOf();
    const { id } = await create(path);
    expect(await patch(path, { secret: 'another-sixteen-or-more' })).not.toHaveProperty('secret');
    expect(await stored(id)).toMatchObject({ secret: 'another-sixteen-or-more' });
    const generated = await patch(path, { secret: true });
    expect(generated.secret).toMatch(/^[\w-]{43}$/);
    expect(await stored(id)).toMatchObject({ secret: generated.secret });
    expect(await patch(path, { secret: null })).toMatchObject({ hasSecret: false });
    expect((await stored(id)).secret).toBeUndefined();
  });

  it('gets a new token by rotate, and the old one stops working immediately', async () => {
    const path = await pathOf();
    const made = await create(path, { secret: true });
    const { body } = await api.client.post<InboundRotatedOut>(`${path}/rotate`, { expect: 200 });
    expect(body.data).toMatchObject({ id: made.id, hasSecret: true, tokenLast4: body.data.token?.slice(-4) });
    expect(body.data).not.toHaveProperty('secret');
    expect(body.data.token).not.toBe(made.token);
    expect(await stored(made.id)).toMatchObject({ tokenHash: hashToken(body.data.token ?? '') });
  });

  it('can be created again after it is deleted', async () => {
    const path = await pathOf();
    const made = await create(path);
    await api.client.delete(path, { expect: 204 });
    for (const call of [
      api.client.get(path),
      api.client.patch(path, { body: {} }),
      api.client.delete(path),
      api.client.post(`${path}/rotate`),
    ]) {
      expect((await call).status).toBe(404);
    }
    expect((await create(path)).token).not.toBe(made.token);
  });

  it('is deleted by one of several requests, and has one row about it in the audit log', async () => {
    const path = await pathOf();
    const { id } = await create(path);
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => api.client.delete(`${path}/endpoints/${id}`)),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404, 404, 404]);
    const log = `/api/audit-log?target=${id}&action=inbound.deleted`;
    expect((await api.client.get<unknown[]>(log, { expect: 200 })).body.data).toHaveLength(1);
  });

  it.each([
    [{ secret: 'fifteen--------' }, '/secret'],
    [{ secret: false }, '/secret'],
    [{ fieldMapping: { mail: '__proto__' } }, '/fieldMapping/mail'],
    [{ enabled: true }, '/enabled'],
  ])('is refused with the pointer of the fault: %j', async (body, pointer) => {
    const response = await api.client.post(await pathOf(), { body });
    expect(response.status).toBe(422);
    expect(response.body.errors?.map((issue) => issue.pointer)).toEqual([pointer]);
  });
});

describe('several inbound endpoints of a form', () => {
  it('compete with the single call: at most one becomes the first endpoint', async () => {
    for (let n = 0; n < 5; n++) {
      const path = await pathOf();
      const [single, ...others] = await Promise.all([
        api.client.post(path, { body: {} }),
        api.client.post(`${path}/endpoints`, { body: {} }),
        api.client.post(`${path}/endpoints`, { body: {} }),
      ]);
      expect([201, 409]).toContain(single.status);
      expect(others.map(({ status }) => status)).toEqual([201, 201]);
      const listed = await api.client.get<InboundOut[]>(`${path}/endpoints`, { expect: 200 });
      expect(listed.body.data).toHaveLength(single.status === 201 ? 3 : 2);
      expect(new Set(listed.body.data.map(({ formId }) => formId))).toEqual(new Set([path.split('/')[3]]));
    }
  });

  it('don’t change what a repeated request to the single call returns', async () => {
    const path = await pathOf();
    const headers = { 'idempotency-key': 'inbound-4' };
    const lost = await create(path, {}, headers);
    await create(`${path}/endpoints`);
    await loseResponses(api.store);
    expect((await create(path, {}, headers)).id).toBe(lost.id);
  });

  it('leave the first slot to the endpoints of an older version', async () => {
    const path = await pathOf();
    const [first, second] = [await create(path), await create(`${path}/endpoints`)];
    const slots = await api.store.collection<InboundEndpointRecord>(INBOUND_ENDPOINTS).find({
      _id: { $in: [first.id, second.id] },
    });
    // An older version finds the endpoint of a form by the form's id, and its index lets no other
    // have it.
    expect(slots.map(({ formId }) => formId).toSorted()).toEqual([
      first.formId,
      expect.stringContaining(`${first.formId}|`),
    ]);
  });

  it('are created once if the response was lost, with a new token', async () => {
    const path = await pathOf();
    await create(path);
    const headers = { 'idempotency-key': 'inbound-3' };
    const lost = await create(`${path}/endpoints`, { secret: true }, headers);
    await loseResponses(api.store);
    const again = await create(`${path}/endpoints`, { secret: true }, headers);
    expect(again.id).toBe(lost.id);
    expect(await stored(again.id)).toMatchObject({
      tokenHash: hashToken(again.token ?? ''),
      secret: again.secret,
    });
    const listed = await api.client.get<InboundOut[]>(`${path}/endpoints`, { expect: 200 });
    expect(listed.body.data).toHaveLength(2);
  });

  it('are named in the error for an id that can be none', async () => {
    const { id } = await api.createForm();
    const { body } = await api.client.get(`/api/forms/${id}/inbound/endpoints/inb_bad`, { expect: 404 });
    expect(body.message).toBe('There is no such inbound endpoint');
  });
});

describe('the last requests of an inbound endpoint', () => {
  const records = () => api.store.collection<InboundRequestsRecord>(INBOUND_REQUESTS);
  const note = (second: number, status = 202): InboundRequest => ({
    time: `2026-03-14T09:26:${String(second).padStart(2, '0')}.000Z`,
    status,
    code: status === 202 ? null : 'VALIDATION_FAILED',
    ...(status !== 202 && { pointer: '/email' }),
    ip: '203.0.113.7',
    size: 12,
  });

  it('are listed newest first, and deleted with the endpoint', async () => {
    const form = await api.createForm();
    const path = `/api/forms/${form.id}/inbound`;
    expect((await api.client.get(`${path}/requests`)).status).toBe(404);
    const { body } = await api.client.post<{ id: string }>(path, { body: {}, expect: 201 });
    expect((await api.client.get(`${path}/requests`, { expect: 200 })).body.data).toEqual([]);
    const requests = [note(1), note(3, 401), note(2)];
    const expireAt = '2100-01-01T00:00:00.000Z';
    await records().insertOne({ _id: body.data.id, formId: form.id, requests, expireAt });
    const list = await api.client.get(`${path}/requests`, { expect: 200 });
    expect(list.body.data).toEqual(
      [note(3, 401), note(2), note(1)].map((each) => ({ pointer: null, ...each })),
    );
    const more = Array.from({ length: 57 }, (_, n) => note(3 + n));
    await records().updateOne({ _id: body.data.id }, { $push: { requests: { $each: more } } });
    const last = (await api.client.get<InboundRequest[]>(`${path}/requests`)).body.data;
    expect(last).toHaveLength(50);
    expect([last[0], last[49]]).toMatchObject([note(59), note(10)]);
    expect((await api.stranger.get(`${path}/requests`)).status).toBe(404);
    await api.client.delete(path, { expect: 204 });
    expect(await records().count({ formId: form.id })).toBe(0);
    await api.client.post(path, { body: {}, expect: 201 });
    expect((await api.client.get(`${path}/requests`, { expect: 200 })).body.data).toEqual([]);
  });
});
