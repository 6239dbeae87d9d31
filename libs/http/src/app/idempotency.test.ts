import { AppError } from '@svcforms/contracts';
import { StoreError, type DocumentStore } from '@svcforms/document-store';
import { openTestStore } from '@svcforms/document-store/testing';
import { HOUR_MS } from '@svcforms/primitives';
import { createGate, poll } from '@svcforms/test-kit';
import { z } from 'zod';
import { route, type Reply } from '../routes/route.ts';
import { addApiKey, startTestHost, type TestHost } from '../../test/host.ts';

const ACCOUNT = 'acc_01J9ZC3V6M8K2Q4R5S7T9W1X3Y';

type Handler = (name: string, id: string) => Promise<Reply>;

/** One store, any number of processes on it. */
async function openFixture() {
  const store = openTestStore();
  const { key: token } = await addApiKey(store, { accountId: ACCOUNT });
  const { key: otherToken } = await addApiKey(store, { accountId: ACCOUNT });
  const clock = { now: Date.now() };
  const runs: { name: string; id: string }[] = [];
  let handle: Handler = async (name, id) => ({
    message: 'Made',
    data: { id, name, token: 't', key: 'k', secret: 's' },
    headers: { Location: `/things/${id}` },
  });
  const rows = ['/api/things', '/api/others'].map((path) =>
    route({
      method: 'POST',
      path,
      summary: 'Make',
      access: { scope: 'forms:write' },
      body: z.strictObject({ name: z.string().max(10) }),
      status: 201,
      idempotent: true,
      handler: async ({ body, newId }) => {
        const id = newId('frm');
        runs.push({ name: body.name, id });
        return handle(body.name, id);
      },
    }),
  );
  const start = (on: DocumentStore = store) =>
    startTestHost({ routes: rows, store: on, now: () => clock.now });
  const host = await start();
  return {
    runs,
    clock,
    start,
    host,
    store,
    otherToken,
    handleBy: (handler: Handler) => (handle = handler),
    post: (
      key: string | undefined,
      name = 'a',
      { from = host, path = '/api/things', as = token }: { from?: TestHost; path?: string; as?: string } = {},
    ) =>
      from
        .client(as)
        .post<{ id: string; name: string }>(path, { body: { name }, headers: { 'idempotency-key': key } }),
  };
}

describe('a request with an Idempotency-Key', () => {
  it('runs once; a repeated request gets the same response, without one-time secrets', async () => {
    const { post, runs } = await openFixture();
    const first = await post('k1');
    const again = await post('k1');
    expect(first.status).toBe(201);
    expect(first.body.data).toMatchObject({ token: 't', key: 'k', secret: 's' });
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.status).toBe(201);
    expect(again.body).toEqual({
      ...first.body,
      data: { ...first.body.data, token: null, key: null, secret: null },
    });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(runs).toHaveLength(1);
  });

  it('with another body is 422', async () => {
    const { post, runs } = await openFixture();
    await post('k1', 'a');
    const { status, body } = await post('k1', 'b');
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(runs).toHaveLength(1);
  });

  it('is 409 with Retry-After while the first request is in progress', async () => {
    const { post, runs, handleBy } = await openFixture();
    let finish = () => {};
    handleBy((name) => new Promise((resolve) => (finish = () => resolve({ data: { name } }))));
    const first = post('k1');
    await poll(() => runs.length === 1);
    const { status, body, headers } = await post('k1');
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'IDEMPOTENCY_IN_PROGRESS' });
    expect(headers.get('retry-after')).toBe('1');
    finish();
    expect((await first).status).toBe(201);
    expect((await post('k1')).status).toBe(201);
    expect(runs).toHaveLength(1);
  });

  it('is independent of the same key of another caller, or on another path', async () => {
    const { post, runs, otherToken } = await openFixture();
    const responses = [
      await post('k1'),
      await post('k1', 'b', { as: otherToken }),
      await post('k1', 'c', { path: '/api/others' }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(runs.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  it.each(['/api/things/', '/API/Things'])('runs once, even when it is repeated as %s', async (path) => {
    const { post, runs } = await openFixture();
    const first = await post('k1');
    const again = await post('k1', 'a', { path });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body.data.id).toBe(first.body.data.id);
    expect(runs).toHaveLength(1);
  });

  it('is forgotten after 24 hours', async () => {
    const { post, runs, clock } = await openFixture();
    await post('k1');
    clock.now += 24 * HOUR_MS - 1;
    expect((await post('k1')).headers.get('idempotency-replayed')).toBe('true');
    clock.now += 1;
    expect((await post('k1', 'b')).headers.get('idempotency-replayed')).toBeNull();
    expect(runs).toHaveLength(2);
  });

  it.each([
    [1, 201],
    [255, 201],
    [256, 422],
  ])('of %d characters is %d', async (length, status) => {
    const { post } = await openFixture();
    expect((await post('k'.repeat(length))).status).toBe(status);
  });

  it('that is empty is 422', async () => {
    const { post } = await openFixture();
    const { status, body } = await post('');
    expect([status, body.code, body.errors]).toEqual([422, 'VALIDATION_FAILED', undefined]);
    expect(body.message).toContain('Idempotency-Key');
  });

  it('creates one thing for any number of concurrent requests', async () => {
    const { post, runs, start, handleBy } = await openFixture();
    const other = await start();
    const overlap = createGate();
    handleBy(async (name, id) => {
      await overlap.passed;
      return { data: { id, name } };
    });
    const responses = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const response = await post('k1', 'a', i % 2 ? { from: other } : {});
        if (response.status === 409) overlap.open();
        return response;
      }),
    );
    expect(runs).toHaveLength(1);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201, 409]));
    const ids = responses.filter(({ status }) => status === 201).map(({ body }) => body.data.id);
    expect(new Set(ids)).toEqual(new Set([runs[0]?.id]));
  });

  it('keeps the response across a restart', async () => {
    const { post, runs, start, host } = await openFixture();
    await post('k1');
    await host.stop();
    const again = await post('k1', 'a', { from: await start() });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(runs).toHaveLength(1);
  });
});

describe('a request with an Idempotency-Key that was refused', () => {
  it('because of its body is forgotten, so a corrected one can follow', async () => {
    const { post } = await openFixture();
    expect((await post('k1', 'much too long')).status).toBe(422);
    expect((await post('k1', 'shorter')).status).toBe(201);
  });

  it('by its handler is forgotten, so a corrected one can follow', async () => {
    const { post, runs, handleBy } = await openFixture();
    handleBy(async (name) => {
      if (name === 'a') throw new AppError('CONFLICT', 'There is one already');
      return { data: { name } };
    });
    expect((await post('k1', 'a')).status).toBe(409);
    expect((await post('k1', 'b')).status).toBe(201);
    expect(runs[1]?.id).not.toBe(runs[0]?.id);
  });
});

describe('a request with an Idempotency-Key that got no response', () => {
  it('because its process died is taken over after the lease, with the same id', async () => {
    const { post, runs, clock, start, handleBy } = await openFixture();
    handleBy(() => new Promise(() => {}));
    void post('k1').catch(() => {});
    await poll(() => runs.length === 1);
    handleBy(async (name, id) => ({ data: { id, name } }));
    const successor = await start();

    clock.now += 29_999;
    expect((await post('k1', 'a', { from: successor })).status).toBe(409);
    clock.now += 1;
    const taken = await post('k1', 'a', { from: successor });
    expect(taken.status).toBe(201);
    expect(taken.body.data.id).toBe(runs[0]?.id);
    expect((await post('k1', 'a', { from: successor })).headers.get('idempotency-replayed')).toBe('true');
    expect(runs).toHaveLength(2);
  });

  it('is taken over by only one of several concurrent requests', async () => {
    const { post, runs, clock, start, handleBy } = await openFixture();
    handleBy(() => new Promise(() => {}));
    void post('k1').catch(() => {});
    await poll(() => runs.length === 1);
    clock.now += 30_000;
    const successor = await start();
    handleBy(async (name, id) => ({ data: { id, name } }));
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => post('k1', 'a', { from: successor })),
    );
    expect(runs).toHaveLength(2);
    expect(responses.filter(({ status }) => status !== 201).map(({ body }) => body.code)).toEqual(
      Array(responses.filter(({ status }) => status === 409).length).fill('IDEMPOTENCY_IN_PROGRESS'),
    );
  });

  it.each([
    ['the store was unavailable', new StoreError('UNAVAILABLE', 'away'), 503],
    ['something broke', new TypeError('oops'), 500],
  ])(
    'because %s is continued with the same id: the first may have created it nevertheless',
    async (_, error, status) => {
      const { post, runs, handleBy } = await openFixture();
      handleBy(async () => Promise.reject(error));
      expect((await post('k1')).status).toBe(status);
      handleBy(async (name, id) => ({ data: { id, name } }));
      const again = await post('k1');
      expect(again.status).toBe(201);
      expect(again.headers.get('idempotency-replayed')).toBeNull();
      expect(again.body.data.id).toBe(runs[0]?.id);
    },
  );

  it('frees its key for another body, which creates another thing', async () => {
    const { post, runs, handleBy } = await openFixture();
    handleBy(async () => Promise.reject(new StoreError('UNAVAILABLE', 'away')));
    await post('k1', 'a');
    handleBy(async (name, id) => ({ data: { id, name } }));
    const other = await post('k1', 'b');
    expect(other.status).toBe(201);
    expect(other.body.data.id).not.toBe(runs[0]?.id);
    expect((await post('k1', 'a')).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('changes nothing when it ends after another request took over', async () => {
    const { post, runs, clock, handleBy } = await openFixture();
    let fail = () => {};
    handleBy(() => new Promise((_, reject) => (fail = () => reject(new AppError('CONFLICT', 'late')))));
    const slow = post('k1');
    await poll(() => runs.length === 1);
    clock.now += 30_000;
    handleBy(async (name, id) => ({ data: { id, name } }));
    expect((await post('k1')).status).toBe(201);
    fail();
    expect((await slow).status).toBe(409);
    expect((await post('k1')).headers.get('idempotency-replayed')).toBe('true');
  });
});

it('a request without an Idempotency-Key runs each time', async () => {
  const { post, runs } = await openFixture();
  const ids = [await post(undefined), await post(undefined)].map(({ body }) => body.data.id);
  expect(new Set(ids).size).toBe(2);
  expect(runs).toHaveLength(2);
});
