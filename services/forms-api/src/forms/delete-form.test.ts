import type { FormOut } from '@svcforms/contracts';
import { StoreError, type DocumentStore } from '@svcforms/document-store';
import { interceptCalls } from '@svcforms/document-store/testing';
import {
  DELIVERIES,
  ERASURES,
  FORMS,
  INBOUND_ENDPOINTS,
  INBOUND_REQUESTS,
  POPUP_COUNTERS,
  SUBMISSIONS,
  WEBHOOK_HEALTH,
  WEBHOOKS,
  type ErasureRecord,
  type FormRecord,
} from '@svcforms/records';
import { atEnd, poll } from '@svcforms/test-kit';
import { openFormsApi } from '../../test/fixture.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;

/** A form with everything that can hang on it. */
async function createLadenForm(api: Api): Promise<FormOut> {
  const form = await api.createForm();
  await api.client.post(`/api/forms/${form.id}/inbound`, { body: {}, expect: 201 });
  const webhook = await api.createWebhook(form.id);
  await api.visitor.post(`/api/forms/${form.id}/submissions`, {
    body: { data: { email: 'ada@example.com' } },
    expect: 201,
  });
  await api.store
    .collection<{ _id: string; formId: string; webhookId: string }>(DELIVERIES)
    .insertOne({ _id: `del_${form.id.slice(4)}`, formId: form.id, webhookId: webhook.id });
  await api.store
    .collection<{ _id: string; formId: string; webhookId: string }>(WEBHOOK_HEALTH)
    .insertOne({ _id: `${webhook.id}|hour`, formId: form.id, webhookId: webhook.id });
  await api.store
    .collection<{ _id: string; formId: string }>(INBOUND_REQUESTS)
    .insertOne({ _id: `inb_${form.id.slice(4)}`, formId: form.id });
  await api.visitor.post(`/api/forms/${form.id}/events`, { body: { type: 'shown' }, expect: 204 });
  return form;
}

/** How much hangs on a form, by collection; the form itself is not counted. */
async function hangingOn(api: Api, formId: string): Promise<number[]> {
  const collections = [
    WEBHOOKS,
    DELIVERIES,
    WEBHOOK_HEALTH,
    INBOUND_ENDPOINTS,
    INBOUND_REQUESTS,
    SUBMISSIONS,
    POPUP_COUNTERS,
  ];
  return Promise.all(
    collections.map((spec) => api.store.collection<{ _id: string; formId: string }>(spec).count({ formId })),
  );
}

/** A store that becomes unavailable after its first write, until `restore`. */
function failingAfterFirstWrite(real: DocumentStore) {
  let [hasWritten, isRestored] = [false, false];
  const store = interceptCalls(real, (call, { method }) =>
    method === 'lookUp'
      ? call
      : async (...args) => {
          if (hasWritten && !isRestored)
            throw new StoreError('UNAVAILABLE', 'the test has interrupted the store');
          hasWritten ||= /insert|update|delete/i.test(method);
          return call(...args);
        },
  );
  return { store, restore: () => void (isRestored = true) };
}

describe('deleting a form', () => {
  it('removes it with everything that belongs to it, and nothing of another form', async () => {
    const api = await openFormsApi();
    const [form, other] = [await createLadenForm(api), await createLadenForm(api)];
    await api.client.delete(`/api/forms/${form.id}`, { expect: 204 });
    expect(await hangingOn(api, form.id)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(await hangingOn(api, other.id)).toEqual([1, 1, 1, 1, 1, 1, 1]);
    expect((await api.client.get(`/api/forms/${form.id}`)).status).toBe(404);
    expect((await api.client.delete(`/api/forms/${form.id}`)).status).toBe(404);
    await api.client.get(`/api/forms/${other.id}`, { expect: 200 });
  });

  it('with the If-Match of an earlier version deletes nothing', async () => {
    const api = await openFormsApi();
    const form = await createLadenForm(api);
    const path = `/api/forms/${form.id}`;
    await api.client.put(path, { body: { name: 'Changed by somebody else' }, expect: 200 });
    const remove = (tag: string) => api.client.delete(path, { headers: { 'if-match': tag } });

    expect(await remove('"1"')).toMatchObject({ status: 409, body: { code: 'CONFLICT', version: 2 } });
    expect(await remove('latest')).toMatchObject({ status: 422, body: { code: 'VALIDATION_FAILED' } });
    expect(await hangingOn(api, form.id)).toEqual([1, 1, 1, 1, 1, 1, 1]);
    const { headers } = await api.client.get(path, { expect: 200 });
    expect((await remove(headers.get('etag') ?? '')).status).toBe(204);
  });

  it('succeeds, or a change does, if both name the same version at the same time', async () => {
    const api = await openFormsApi();
    const erasures = api.store.collection<ErasureRecord>(ERASURES);
    for (let n = 0; n < 10; n++) {
      const form = await createLadenForm(api);
      const path = `/api/forms/${form.id}`;
      const headers = { 'if-match': '"1"' };
      const [removed, changed] = await Promise.all([
        api.client.delete(path, { headers }),
        api.client.put(path, { body: { name: 'Changed meanwhile' }, headers }),
      ]);

      const isRemoved = removed.status === 204;
      expect([removed.status, changed.status]).toEqual(isRemoved ? [204, 404] : [409, 200]);
      expect(await hangingOn(api, form.id)).toEqual(
        isRemoved ? [0, 0, 0, 0, 0, 0, 0] : [1, 1, 1, 1, 1, 1, 1],
      );
      expect(await erasures.count({ _id: form.id })).toBe(isRemoved ? 1 : 0);
    }
  });

  it('with If-Match that an outage interrupts leaves the form to later changes', async () => {
    const api = await openFormsApi();
    const form = await createLadenForm(api);
    let isAway = true;
    const store = interceptCalls(api.store, (call, { collection, method }) => (...args) => {
      if (!isAway || collection !== FORMS.name || method !== 'updateOne') return call(...args);
      return Promise.reject(new StoreError('UNAVAILABLE', 'not now'));
    });
    const client = (await api.start({ store })).client(api.key);
    const path = `/api/forms/${form.id}`;
    const headers = { 'if-match': '"1"' };
    expect((await client.delete(path, { headers })).status).toBe(503);
    isAway = false;
    await client.put(path, { body: { name: 'Changed afterwards' }, headers, expect: 200 });
    expect((await client.delete(path, { headers })).status).toBe(409);
    expect(await api.store.collection<ErasureRecord>(ERASURES).find({})).toEqual([]);
    expect(await hangingOn(api, form.id)).toEqual([1, 1, 1, 1, 1, 1, 1]);
  });

  it('is recorded by its first write, and can be repeated after an outage', async () => {
    const api = await openFormsApi();
    const form = await createLadenForm(api);
    const { store, restore } = failingAfterFirstWrite(api.store);
    const client = (await api.start({ store })).client(api.key);
    expect((await client.delete(`/api/forms/${form.id}`)).status).toBe(503);
    expect(await api.store.collection<ErasureRecord>(ERASURES).find({})).toMatchObject([
      { _id: form.id, kind: 'form', dueAt: new Date(api.clock.now).toISOString() },
    ]);
    restore();
    expect((await client.delete(`/api/forms/${form.id}`)).status).toBe(204);
    expect(await hangingOn(api, form.id)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  it('hides the form if a crash interrupts it, and the next start leaves the rest to the dispatcher', async () => {
    const api = await openFormsApi();
    const form = await createLadenForm(api);
    const forms = api.store.collection<FormRecord>(FORMS);
    const { body } = await api.visitor.post<{ submissionId: string }>(`/api/forms/${form.id}/submissions`, {
      body: { data: { email: 'ada@example.com' } },
      expect: 201,
    });
    await forms.updateOne({ _id: form.id }, { $set: { deletedAt: new Date(0).toISOString() } });

    for (const [client, path] of [
      [api.client, `/api/forms/${form.id}`],
      [api.client, `/api/forms/${form.id}/inbound`],
      [api.client, `/api/forms/${form.id}/webhooks`],
      [api.client, `/api/submissions/${body.data.submissionId}`],
    ] as const) {
      expect((await client.get(path)).status).toBe(404);
    }
    const submitted = await api.visitor.post(`/api/forms/${form.id}/submissions`, {
      body: { data: { email: 'ada@example.com' } },
    });
    expect(submitted.status).toBe(404);
    expect((await api.client.get<FormOut[]>('/api/forms')).body.data).toEqual([]);

    // A form can have more data than the store deletes within its time limit.
    const store = interceptCalls(api.store, (call, { method }) =>
      method === 'deleteMany'
        ? async () => Promise.reject(new StoreError('UNAVAILABLE', 'the operation exceeded its time limit'))
        : call,
    );
    const { client } = await api.start({ store });
    await client(api.key).get('/api/forms', { expect: 200 });
    expect(await api.store.collection<ErasureRecord>(ERASURES).find({})).toMatchObject([
      { _id: form.id, kind: 'form', webhookIds: [expect.any(String)], passes: 0, dueAt: expect.any(String) },
    ]);
  });

  it('that a crash of another process interrupts is resumed within an hour', async () => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    atEnd(() => timers.mockRestore());
    const api = await openFormsApi();
    const { id } = await api.createForm();
    const deletion = { $set: { deletedAt: new Date(0).toISOString() } };
    await api.store.collection<FormRecord>(FORMS).updateOne({ _id: id }, deletion);
    for (const [run, ms] of timers.mock.calls) if (ms === 3_600_000) run();
    await poll(() => api.store.collection<ErasureRecord>(ERASURES).findOne({ _id: id }));
  });
});
