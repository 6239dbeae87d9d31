import {
  atEnd,
  createForm,
  describeWith,
  newApiKey,
  openInbound,
  poll,
  startNats,
  type ApiResponse,
  type Backend,
} from '@svcforms/test-kit';
import { serviceSettings } from '../start/service-settings.ts';
import { startReplica, type Replica } from './start-replica.ts';

const KEY_LIMIT = 300;
const INBOUND_LIMIT = 10;
const FORM_LIMIT = 7;
const NETWORK_LIMIT = 12;
const MINUTE_MS = 60_000;
/** Two seconds, and what a busy machine adds. */
const FIRST_WITHIN_MS = 4_500;
/** Less than if they waited for NATS. */
const LATER_WITHIN_MS = 2_000;
const VALUES = { email: 'ada@example.com' };

type Send = (replica: Replica) => Promise<ApiResponse<unknown>>;

/**
 * Sends this many requests, `at` at a time, each to a random replica. Returns the statuses and
 * durations.
 */
async function sendMany(replicas: readonly Replica[], count: number, send: Send, at = 20) {
  const statuses: number[] = [];
  const durations: number[] = [];
  let left = count;
  const startedAt = performance.now();
  async function worker() {
    while (left > 0) {
      left -= 1;
      const replica = replicas[Math.floor(Math.random() * replicas.length)] as Replica;
      const sentAt = performance.now();
      statuses.push((await send(replica)).status);
      durations.push(performance.now() - sentAt);
    }
  }
  await Promise.all(Array.from({ length: at }, worker));
  const elapsedMs = performance.now() - startedAt;
  const refused = statuses.filter((status) => status === 429).length;
  return {
    accepted: statuses.filter((status) => status < 300).length,
    refused,
    elapsedMs,
    statuses,
    longestMs: Math.max(...durations),
  };
}

/**
 * Asserts that the replicas accepted what one bucket of this size allows, within this share of it.
 */
function expectOneBucket(
  sent: Awaited<ReturnType<typeof sendMany>>,
  { limit, tolerance = 0 }: { limit: number; tolerance?: number },
) {
  expect(sent.accepted + sent.refused).toBe(sent.statuses.length);
  const refilled = Math.floor((sent.elapsedMs / MINUTE_MS) * limit);
  expect(sent.accepted).toBeGreaterThanOrEqual(Math.floor(limit * (1 - tolerance)));
  expect(sent.accepted).toBeLessThanOrEqual(Math.ceil((limit + refilled) * (1 + tolerance)));
}

describeWith(['nats', 'mongo'], 'rate limits of three processes', () => {
  jest.setTimeout(120_000);
  let nats: Backend;
  let replicas: Replica[];

  beforeAll(async () => {
    nats = await startNats();
    atEnd(() => nats.remove());
    const apiKey = newApiKey();
    const settings = {
      ...(await serviceSettings(nats.url, apiKey)),
      SVC_RATE_LIMIT_KEY: String(KEY_LIMIT),
      SVC_RATE_LIMIT_INBOUND: String(INBOUND_LIMIT),
      SVC_RATE_LIMIT_PUBLIC: String(FORM_LIMIT),
      SVC_RATE_LIMIT_PUBLIC_IP: String(NETWORK_LIMIT),
      SVC_TRUST_PROXY: '1',
    };
    replicas = [await startReplica(settings, apiKey)];
    replicas.push(await startReplica(settings, apiKey), await startReplica(settings, apiKey));
  }, 120_000);

  const first = () => replicas[0] as Replica;

  /** Returns a function that posts to a new inbound endpoint. */
  async function anInbound(): Promise<Send> {
    const form = await createForm(first().client);
    const { token } = await openInbound(first().client, form.id);
    const headers = { authorization: `Bearer ${token}` };
    return ({ visitor }) => visitor.post(`/api/inbound/${form.id}`, { body: VALUES, headers });
  }

  /** Whether a request to one process counts in another one. */
  async function countTogether(): Promise<boolean> {
    const send = await anInbound();
    for (const replica of replicas) await send(replica);
    return remainingOf(await send(first())) === INBOUND_LIMIT - replicas.length - 1;
  }

  const remainingOf = ({ headers }: ApiResponse<unknown>) => Number(headers.get('ratelimit-remaining'));

  it('accept a large limit within 5 % in total', async () => {
    const body = { name: 'Large', scopes: ['forms:read'] };
    const created = await first().client.post<{ key: string }>('/api/keys', { body, expect: 201 });
    const headers = { authorization: `Bearer ${created.body.data.key}` };

    const sent = await sendMany(replicas, 1.5 * KEY_LIMIT, ({ visitor }) =>
      visitor.get('/api/forms', { headers }),
    );

    expectOneBucket(sent, { limit: KEY_LIMIT, tolerance: 0.05 });
  });

  it('accept a small limit exactly', async () => {
    expectOneBucket(await sendMany(replicas, 60, await anInbound()), { limit: INBOUND_LIMIT });
  });

  it('accept exactly the limits of a client network, per form and in total', async () => {
    const [form, other] = [await createForm(first().client), await createForm(first().client)];
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const submit =
      (formId: string): Send =>
      ({ visitor }) =>
        visitor.post(`/api/forms/${formId}/submissions`, { body: { data: VALUES }, headers });

    const one = await sendMany(replicas, FORM_LIMIT, submit(form.id));
    const two = await sendMany(replicas, 30, submit(other.id));

    expectOneBucket(one, { limit: FORM_LIMIT });
    // The wider bucket is empty before the one of the second form.
    expectOneBucket(
      { ...two, accepted: two.accepted + FORM_LIMIT, statuses: [...one.statuses, ...two.statuses] },
      { limit: NETWORK_LIMIT },
    );
  });

  it('return what is left in all of them, and when to retry', async () => {
    const send = await anInbound();
    const remaining: number[] = [];
    for (let n = 0; n < INBOUND_LIMIT; n += 1)
      remaining.push(remainingOf(await send(replicas[n % 3] as Replica)));
    const refused = await Promise.all(replicas.map((replica) => send(replica)));

    expect(remaining).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    for (const { status, headers } of refused) {
      expect([status, headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual([
        429,
        String(INBOUND_LIMIT),
        '0',
      ]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(MINUTE_MS / 1000 / INBOUND_LIMIT);
      expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThan(50);
    }
  });

  it('are counted by each process alone while NATS is cut off, and together again afterwards', async () => {
    const [before, during] = [await anInbound(), await anInbound()];
    for (let n = 0; n < INBOUND_LIMIT; n += 1) await before(first());
    for (const { toNats } of replicas) toNats.cut();

    const refusedBefore = await before(first());
    const sent = await Promise.all(replicas.map((replica) => sendMany([replica], 15, during, 3)));

    for (const { toNats } of replicas) toNats.mend();
    expect(refusedBefore.status).toBe(429);
    for (const ofOne of sent) expectOneBucket(ofOne, { limit: INBOUND_LIMIT });
    await poll(countTogether, { timeoutMs: 60_000, what: 'common counting' });
    const afterwards = await Promise.all(replicas.map((replica) => during(replica)));
    // What each of them accepted meanwhile is in the common bucket now: it is empty but for the
    // refill.
    expect(afterwards.filter(({ status }) => status === 202).length).toBeLessThanOrEqual(2);
    expectOneBucket(await sendMany(replicas, 60, await anInbound()), { limit: INBOUND_LIMIT });
  });

  it('let requests wait two seconds at most for a NATS server that hangs, and only at first', async () => {
    const send = await anInbound();
    await nats.pause();

    const atFirst = await sendMany(replicas, 30, send, 6);
    const later = await sendMany(replicas, 30, send, 6);

    await nats.unpause();
    expect(atFirst.longestMs).toBeLessThan(FIRST_WITHIN_MS);
    expect(later.longestMs).toBeLessThan(LATER_WITHIN_MS);
    const counted = [atFirst, later].map(({ accepted, refused }) => accepted + refused);
    expect(counted).toEqual([30, 30]);
    expect(atFirst.accepted).toBeGreaterThanOrEqual(INBOUND_LIMIT);
    await poll(countTogether, { timeoutMs: 60_000, what: 'common counting' });
  });

  it('are counted together again after a restart of NATS, which loses the counters', async () => {
    const send = await anInbound();
    for (let n = 0; n < INBOUND_LIMIT; n += 1) await send(first());

    await nats.crash();

    await poll(countTogether, { timeoutMs: 60_000, what: 'common counting' });
    const again = await sendMany(replicas, 30, send);
    // The process that counted them still knows.
    expect(again.accepted).toBeLessThanOrEqual(INBOUND_LIMIT);
  });
});
