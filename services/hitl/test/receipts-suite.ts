import type { TaskOut } from '@svcforms/contracts';
import { DAY_MS } from '@svcforms/primitives';
import type { ApiResponseBody } from '@svcforms/test-kit';
import { createHash, randomUUID } from 'node:crypto';
import type { HitlFixture } from './fixture.ts';
import { refusingFirst } from './refusing-store.ts';

const REDEEM = '/api/mcp/receipts/redeem';
const ARGS = { payment: 'pay_1', amount: 120.5, lines: [{ sku: 'é', count: 2 }], note: null };
const action = (args: object = ARGS) => ({ tool: 'refund', args });
/** The canonical form of `action()`, written by hand. */
const CANONICAL =
  '{"args":{"amount":120.5,"lines":[{"count":2,"sku":"é"}],"note":null,"payment":"pay_1"},"tool":"refund"}';
const DIGEST = `sha-256:${createHash('sha256').update(CANONICAL).digest('base64url')}`;

const claimsOf = (receipt = '') =>
  JSON.parse(Buffer.from(receipt.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

/** Actions and their receipts. docs/reference/tasks.md#actions-and-receipts */
export function describeReceipts(ready: () => HitlFixture): void {
  const create = (input: object = {}) => ready().createTask({ action: action(), ...input });
  const approve = async (input: object = {}): Promise<TaskOut> => {
    const { status, body } = await ready().decide(await create(input), 'approved');
    expect(status).toBe(200);
    return body.data;
  };
  const redeem = (body: object, by = ready().client, key: string = randomUUID()) =>
    by.post<Record<string, unknown>>(REDEEM, { body, headers: { 'Idempotency-Key': key } });
  const post = (input: object) =>
    ready().client.post<TaskOut>('/api/mcp/tasks', {
      body: { templateId: ready().form._id, prefill: { amount: 120 }, action: action(), ...input },
    });
  const failureOf = ({ status, body }: { status: number; body: ApiResponseBody<unknown> }) => ({
    status,
    code: body.code,
    at: body.errors?.[0]?.pointer,
  });

  it('returns the action and its digest, however its members are ordered', async () => {
    const { amount, payment, ...rest } = ARGS;
    const reordered = { args: { payment, ...rest, amount }, tool: 'refund' };
    for (const each of [action(), reordered]) {
      const task = await create({ action: each });
      expect(task).toMatchObject({ action: action(), actionDigest: DIGEST });
      expect(task).not.toHaveProperty('receipt');
    }
    expect(await ready().createTask()).not.toHaveProperty('actionDigest');
  });

  it('gives a receipt to an approved task only', async () => {
    const { id, receipt, settledAt } = await approve();
    const iat = Math.floor(Date.parse(settledAt ?? '') / 1000);
    expect(claimsOf(receipt)).toEqual({
      iss: 'https://forms.example',
      aud: ready().accountId,
      sub: id,
      tool: 'refund',
      actionDigest: DIGEST,
      approvedBy: [ready().keyId],
      iat: expect.closeTo(iat, -1),
      exp: expect.closeTo(iat + DAY_MS / 1000, -1),
    });
    const rejected = await ready().decide(await create(), 'rejected');
    expect(rejected.body.data).not.toHaveProperty('receipt');
    const without = await ready().decide(await ready().createTask(), 'approved');
    expect(without.body.data).not.toHaveProperty('receipt');
  });

  it('is redeemed once of 50 concurrent requests', async () => {
    const { id, receipt } = await approve();
    const replica = await ready().startReplica();
    const clients = [ready().client, replica.client(ready().key)];
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => redeem({ receipt, args: ARGS }, clients[index % 2])),
    );
    const redeemed = responses.filter(({ status }) => status === 200);
    expect(redeemed).toHaveLength(1);
    expect(redeemed[0]?.body.data).toMatchObject({ taskId: id, tool: 'refund', actionDigest: DIGEST });
    const { redeemedAt } = redeemed[0]?.body.data ?? {};
    for (const { status, body } of responses.filter((each) => each.status !== 200))
      expect({ status, ...body }).toMatchObject({ status: 409, code: 'RECEIPT_REDEEMED', redeemedAt });
    const { data } = (await ready().client.get<TaskOut>(`/api/mcp/tasks/${id}`)).body;
    expect(data.receiptRedeemedAt).toBe(redeemedAt);
    const history = await ready().client.get<{ event: string }[]>(`/api/mcp/tasks/${id}/history`);
    expect(history.body.data.filter(({ event }) => event === 'redeemed')).toHaveLength(1);
  });

  it('gets the first response again when its request is repeated', async () => {
    const { receipt } = await approve();
    const key = randomUUID();
    const [first, second] = [
      await redeem({ receipt, args: ARGS }, undefined, key),
      await redeem({ receipt, args: ARGS }, undefined, key),
    ];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.data).toEqual(first.body.data);
  });

  it('gets its response from a repeated request after the row of the audit log was refused', async () => {
    const { receipt } = await approve();
    const { store, startReplica, key } = ready();
    const replica = await startReplica({ store: refusingFirst(store, 'audit_log') });
    const repeated = randomUUID();
    const attempt = (idempotencyKey: string) =>
      redeem({ receipt, args: ARGS }, replica.client(key), idempotencyKey);
    const lost = await attempt(repeated);
    expect([lost.status, lost.body.code]).toEqual([503, 'UNAVAILABLE']);
    const other = await attempt(randomUUID());
    expect([other.status, other.body.code]).toEqual([409, 'RECEIPT_REDEEMED']);
    const { status, body } = await attempt(repeated);
    expect(status).toBe(200);
    const task = await ready().client.get<TaskOut>(`/api/mcp/tasks/${String(body.data['taskId'])}`);
    expect(body.data).toMatchObject({
      actionDigest: DIGEST,
      approvedBy: [ready().keyId],
      approvedAt: task.body.data.settledAt,
      redeemedAt: task.body.data.receiptRedeemedAt,
    });
    await replica.stop();
  });

  it.each<[string, object]>([
    ['another value', { ...ARGS, amount: 120.51 }],
    ['a further member', { ...ARGS, amount2: 1 }],
    ['a missing member', { payment: 'pay_1' }],
    ['another type', { ...ARGS, amount: '120.5' }],
    ['another order of a list', { ...ARGS, lines: [...ARGS.lines, ...ARGS.lines] }],
    ['text that only looks the same', { ...ARGS, lines: [{ sku: 'e\u0301', count: 2 }] }],
  ])('is not redeemed for %s', async (_name, args) => {
    const { receipt } = await approve();
    const refused = await redeem({ receipt, args });
    expect(failureOf(refused)).toEqual({ status: 422, code: 'ACTION_CHANGED', at: '/args' });
    expect((await redeem({ receipt, args: ARGS })).status).toBe(200);
  });

  it('is redeemed for the same arguments in another order', async () => {
    const { receipt } = await approve();
    const reordered = Object.fromEntries(Object.entries(ARGS).toReversed());
    expect((await redeem({ receipt, args: reordered })).status).toBe(200);
  });

  it('is refused when it is forged, cut, of another key or of another account', async () => {
    const { receipt = '' } = await approve();
    const [head = '', payload = '', signature = ''] = receipt.split('.');
    const forge = (part: string, change: object) =>
      Buffer.from(
        JSON.stringify({
          ...(JSON.parse(Buffer.from(part, 'base64url').toString()) as object),
          ...change,
        }),
      ).toString('base64url');
    const forged = [
      '',
      'x',
      `${head}.${payload}`,
      `${head}.${payload}.`,
      `${receipt}.x`,
      `${head}.${forge(payload, { exp: 9e9 })}.${signature}`,
      `${head}.${forge(payload, { aud: 'acc_other' })}.${signature}`,
      `${forge(head, { alg: 'none' })}.${payload}.`,
      `${forge(head, { alg: 'HS256' })}.${payload}.${signature}`,
      `${forge(head, { kid: 'other' })}.${payload}.${signature}`,
      `${forge(head, { typ: 'JWT' })}.${payload}.${signature}`,
      'e30.e30.e30',
      'bnVsbA.bnVsbA.bnVsbA',
    ];
    for (const each of forged) {
      expect({ each, ...failureOf(await redeem({ receipt: each, args: ARGS })) }).toEqual({
        each,
        status: 422,
        code: 'INVALID_RECEIPT',
        at: '/receipt',
      });
    }
    const stranger = await ready().keyWith(['*'], 'acc_other');
    const refused = await redeem({ receipt, args: ARGS }, stranger.client);
    expect(failureOf(refused)).toEqual({ status: 422, code: 'INVALID_RECEIPT', at: '/receipt' });
    expect((await redeem({ receipt, args: ARGS })).status).toBe(200);
  });

  it('expires a day after the approval, which a redeemed receipt keeps saying', async () => {
    const [open, used] = [await approve(), await approve()];
    expect((await redeem({ receipt: used.receipt, args: ARGS })).status).toBe(200);
    const nextDay = await ready().startReplica({ now: () => Date.now() + DAY_MS + 1000 });
    const later = nextDay.client(ready().key);
    expect(failureOf(await redeem({ receipt: open.receipt, args: ARGS }, later))).toEqual({
      status: 422,
      code: 'RECEIPT_EXPIRED',
      at: '/receipt',
    });
    const again = await redeem({ receipt: used.receipt, args: ARGS }, later);
    expect(again.body.code).toBe('RECEIPT_REDEEMED');
    // It would follow up the tasks of other tests a day ahead.
    await nextDay.stop();
  });

  it('is gone with its task', async () => {
    const { id, receipt } = await approve();
    await ready().client.delete(`/api/mcp/tasks/${id}`, { expect: 204 });
    expect((await redeem({ receipt, args: ARGS })).body.code).toBe('INVALID_RECEIPT');
  });

  it('needs the scope of programs that create tasks', async () => {
    const { receipt } = await approve();
    const [reader, creator] = [
      await ready().keyWith(['tasks:read', 'tasks:decide']),
      await ready().keyWith(['tasks:create']),
    ];
    expect((await redeem({ receipt, args: ARGS }, reader.client)).body.code).toBe('INSUFFICIENT_SCOPE');
    expect((await redeem({ receipt, args: ARGS }, creator.client)).status).toBe(200);
  });

  it.each<[string, string, object]>([
    ['form mode', '/action', { decisionMode: 'form' }],
    ['an approval by expiry', '/onExpiry', { onExpiry: 'approve' }],
    ['no tool', '/action/tool', { action: { args: {} } }],
    ['an empty tool', '/action/tool', { action: { tool: '', args: {} } }],
    ['no arguments', '/action/args', { action: { tool: 'refund' } }],
    ['arguments that are a list', '/action/args', { action: { tool: 'refund', args: [1] } }],
    ['a further member', '/action/extra', { action: { ...action(), extra: 1 } }],
    ['an unsafe number', '/action/args/a/0/b', { action: action({ a: [{ b: 2 ** 53 }] }) }],
    ['an unpaired surrogate', '/action/args/a', { action: action({ a: '\ud800' }) }],
    [
      'a name with an unpaired surrogate',
      expect.stringMatching(/^\/action\/args\/a/),
      { action: action({ a: { '\udc00': 1 } }) },
    ],
    ['arguments above 64 KiB', '/action/args', { action: action({ a: 'x'.repeat(65_536) }) }],
  ])('is refused with %s', async (_name, at, input) => {
    expect(failureOf(await post(input))).toEqual({ status: 422, code: 'VALIDATION_FAILED', at });
  });

  it('is refused with a number that is too large for any program', async () => {
    const body = JSON.stringify({ templateId: ready().form._id, action: action({ a: 0 }) });
    const created = await ready().client.post('/api/mcp/tasks', {
      rawBody: body.replace('"a":0', '"a":1e400'),
    });
    expect(failureOf(created)).toEqual({ status: 422, code: 'VALIDATION_FAILED', at: '/action/args/a' });
    const { receipt } = await approve();
    const rawBody = JSON.stringify({ receipt, args: { a: 0 } }).replace('"a":0', '"a":-1e400');
    const redeemed = await ready().client.post('/api/mcp/receipts/redeem', { rawBody });
    expect(failureOf(redeemed)).toEqual({ status: 422, code: 'VALIDATION_FAILED', at: '/args/a' });
  });

  it('is a part of what a dedupe key stands for', async () => {
    const dedupeKey = randomUUID();
    const first = await post({ dedupeKey });
    const reordered = await post({ dedupeKey, action: { args: { ...ARGS }, tool: 'refund' } });
    expect([first.status, reordered.status]).toEqual([201, 200]);
    for (const other of [action({ ...ARGS, amount: 1 }), { ...action(), tool: 'pay' }, undefined]) {
      const { status, body } = await post({ dedupeKey, action: other });
      expect([status, body.code]).toEqual([422, 'DEDUPE_KEY_REUSED']);
    }
  });
}
