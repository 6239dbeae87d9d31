import {
  APIConnectionError,
  APITimeoutError,
  ApprovalCancelledError,
  ApprovalExpiredError,
  ApprovalRejectedError,
  ApprovalUsedError,
  DedupeKeyReusedError,
  isResolved,
  NotFoundError,
  PermissionDeniedError,
  requireApproval,
  SvcForms,
  TaskAlreadySettledError,
  TaskClaimedError,
  TaskTimeoutError,
  UnprocessableError,
  verifyWebhook,
  type ApprovalOptions,
  type Form,
  type Task,
} from '@svcforms/sdk';
import type { UserOut } from '@svcforms/contracts';
import { atEnd, createClient, freePort, poll, startWebhookEndpoint } from '@svcforms/test-kit';
import { createServer, type AddressInfo } from 'node:net';
import { startFaultyProxy, type FaultyProxy } from './faulty-proxy.ts';
import { ADA, createContactForm, startProduct, type Product } from './product.ts';

const PREFILL = { email: 'ada@example.com', message: 'Hello' };

let product: Product;
let client: SvcForms;
let form: Form;
let proxy: FaultyProxy;
let proxied: SvcForms;

beforeAll(async () => {
  product = await startProduct();
  client = product.client;
});

beforeEach(async () => {
  form = await createContactForm(client);
  proxy = await startFaultyProxy(product.process.url);
  proxied = product.connect({ baseUrl: proxy.url });
});

const createTask = (): Promise<Task> => client.tasks.create({ templateId: form.id, prefill: PREFILL });

/** Waits for a task of the form. */
const pendingTask = (by = client, templateId = form.id): Promise<Task> =>
  poll(async () => (await by.tasks.list({ templateId, status: 'awaiting' }).toArray())[0], {
    what: 'a pending task',
  });

describe('tasks', () => {
  it('are created, decided and listed', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const task = await client.tasks.create({
      templateId: form.id,
      title: 'Answer her?',
      prefill: PREFILL,
      editableFields: ['message'],
      priority: 'high',
      expiresAt,
      rejectOptions: ['Spam'],
      metadata: { run: 7 },
    });
    const { eventCursor, ...stored } = task;
    expect(eventCursor).toEqual(expect.any(String));
    expect(stored).toMatchObject({
      hitlTaskId: task.id,
      prefill: PREFILL,
      priority: 'high',
      status: 'awaiting',
    });
    expect(stored).toMatchObject({ expiresAt: expiresAt.toISOString(), metadata: { run: 7 } });
    expect(await client.tasks.get(task.id)).toEqual(stored);
    expect(isResolved(task)).toBe(false);
    const decided = await client.tasks.decide(task.id, {
      outcome: 'approved',
      fields: { message: 'Hi' },
      comment: 'Fine',
    });
    expect(decided).toMatchObject({ status: 'approved', comment: 'Fine', formData: { message: 'Hi' } });
    expect(isResolved(decided)).toBe(true);
    await expect(client.tasks.decide(task.id, { outcome: 'approved' })).rejects.toThrow(
      TaskAlreadySettledError,
    );
    const history = await client.tasks.history(task.id);
    expect(history.map(({ event }) => event)).toEqual(['created', 'decided']);
    const urgent = await client.tasks.create({ templateId: form.id, prefill: PREFILL, priority: 'urgent' });
    const all = await client.tasks.list({ templateId: form.id, limit: 1 }).toArray();
    expect(all.map(({ id }) => id)).toEqual([urgent.id, task.id]);
    await client.tasks.delete(task.id);
    await expect(client.tasks.get(task.id)).rejects.toThrow(NotFoundError);
  });

  it('are claimed, released and cancelled', async () => {
    const { id } = await createTask();
    const { key } = await client.keys.create({ name: 'reviewer', scopes: ['tasks:read', 'tasks:decide'] });
    const other = product.connect({ apiKey: key });
    expect((await client.tasks.claim(id)).claim).toMatchObject({ until: expect.any(String) });
    await expect(other.tasks.decide(id, { outcome: 'approved' })).rejects.toThrow(TaskClaimedError);
    expect((await client.tasks.release(id)).claim).toBeUndefined();
    await expect(other.tasks.decide(id, { outcome: 'approved', fields: { x: 1 } })).rejects.toThrow(
      UnprocessableError,
    );
    await client.tasks.cancel(id, { reason: 'Too late' });
    expect((await client.tasks.cancel(id)).status).toBe('cancelled');
  });

  it('with a dedupe key are created once', async () => {
    const dedupeKey = `refund-${form.id}`;
    const first = await client.tasks.create({ templateId: form.id, prefill: PREFILL, dedupeKey });
    const again = await client.tasks.create({ templateId: form.id, prefill: PREFILL, dedupeKey });
    expect(again.id).toBe(first.id);
    const other = client.tasks.create({ templateId: form.id, prefill: PREFILL, title: 'other', dedupeKey });
    await expect(other).rejects.toThrow(DedupeKeyReusedError);
  });

  it('name the scope that an agent lacks', async () => {
    const { key } = await client.keys.create({ name: 'agent', scopes: ['tasks:create'] });
    const agent = product.connect({ apiKey: key });
    const refused: unknown = await agent.tasks
      .create({ templateId: form.id, prefill: PREFILL, onExpiry: 'approve' })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PermissionDeniedError);
    expect(refused).toMatchObject({ requiredScope: 'tasks:decide' });
  });

  it('have callbacks with a valid signature, which can be repeated', async () => {
    const endpoint = await startWebhookEndpoint();
    const secret = 'a secret of a callback';
    const task = await client.tasks.create({
      templateId: form.id,
      prefill: PREFILL,
      callbackUrl: endpoint.url,
      callbackSecret: secret,
    });
    await client.tasks.decide(task.id, { outcome: 'approved' });
    const [first] = await endpoint.waitFor(1);
    const verified = await verifyWebhook(first?.rawBody ?? '', first?.headers ?? {}, secret);
    expect(verified.event.taskId ?? verified.event.data['taskId']).toBe(task.id);
    await poll(async () => (await client.tasks.get(task.id)).callback?.state === 'delivered', {
      what: 'the state of the callback',
    });
    await client.tasks.redeliverCallback(task.id);
    expect(await endpoint.waitFor(2)).toHaveLength(2);
  });
});

describe('a wait for a task', () => {
  it('ends with the decision', async () => {
    const waiting = client.tasks.requestAndWait({ templateId: form.id, prefill: PREFILL });
    await client.tasks.decide((await pendingTask()).id, { outcome: 'rejected', comment: 'No' });
    expect(await waiting).toMatchObject({ status: 'rejected', comment: 'No' });
  });

  it.each([0, 300, 1200])('ends after a timeout of %d ms with the task', async (timeoutMs) => {
    const { id } = await createTask();
    const error: unknown = await client.tasks.waitFor(id, { timeoutMs }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TaskTimeoutError);
    expect(error).toMatchObject({ task: { id, status: 'awaiting' } });
    const asked = client.tasks.requestAndWait({ templateId: form.id, prefill: PREFILL }, { timeoutMs });
    await expect(asked).rejects.toThrow(/^Task tsk_\w+ was not resolved within the timeout; call waitFor/);
  });

  it('ends with an unknown task, an unreachable server, and the signal of the caller', async () => {
    await expect(client.tasks.waitFor('tsk_01J9ZC3V6M8K2Q4R5S7T9W1X3Y')).rejects.toThrow(NotFoundError);
    const nobody = product.connect({ baseUrl: `http://127.0.0.1:${await freePort()}` });
    await expect(nobody.tasks.waitFor('tsk_1', { timeoutMs: 300 })).rejects.toThrow(APIConnectionError);
    const { id } = await createTask();
    const reason = new Error('enough');
    const controller = new AbortController();
    const waiting = client.tasks.waitFor(id, { signal: controller.signal });
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });

  it('rejects when the server never responds, also without a timeout', async () => {
    const nobody = product.connect({ baseUrl: `http://127.0.0.1:${await freePort()}`, maxRetries: 0 });
    await expect(nobody.tasks.waitFor('tsk_1')).rejects.toThrow(APIConnectionError);
    await expect(nobody.tasks.waitFor('tsk_1', { maxRetries: 1 })).rejects.toThrow(APIConnectionError);
  });

  it('ends soon after its timeout when a silent server gets the task', async () => {
    let connections = 0;
    const silent = createServer(() => (connections += 1));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    atEnd(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const { tasks } = product.connect({ baseUrl: `http://127.0.0.1:${port}` });
    const asked = tasks.requestAndWait({ templateId: form.id }, { timeoutMs: 100 });
    await expect(asked).rejects.toThrow(APITimeoutError);
    expect(connections).toBe(1);
  });

  it('survives broken connections and refusals', async () => {
    const { id } = await createTask();
    const waiting = proxied.tasks.waitFor(id, { timeoutMs: 30_000 });
    // The first one only finds out that the server is there.
    await poll(() => proxy.requests.length === 2, { what: 'the request that waits' });
    proxy.respond('503 X');
    proxy.respond('429 X', { headers: ['Retry-After: 0'] });
    proxy.respond('408 X');
    proxy.cut();
    await poll(() => proxy.requests.length === 6, { what: 'the sixth request' });
    await client.tasks.decide(id, { outcome: 'approved' });
    expect((await waiting).status).toBe('approved');
  });

  it('asks again within two minutes when a maintenance page says Retry-After: 7200', async () => {
    const { id } = await createTask();
    const lines: string[] = [];
    const stop = new AbortController();
    const logger = { info: (line: string) => void lines.push(line), debug: () => {} };
    const waiting = product
      .connect({ baseUrl: proxy.url, logger })
      .tasks.waitFor(id, { signal: stop.signal });
    await poll(() => proxy.requests.length === 2, { what: 'the request that waits' });
    proxy.respond('503 X', { headers: ['Retry-After: 7200'] });
    proxy.cut();
    await poll(() => lines.some((line) => line.endsWith('retrying in 120000 ms')), { what: 'the delay' });
    stop.abort(new Error('seen'));
    await expect(waiting).rejects.toThrow('seen');
  });

  it('pauses before the next request when the server does not wait', async () => {
    const data = { id: 'tsk_1', status: 'awaiting' };
    let requests = 0;
    const stopping = new SvcForms({
      apiKey: 'svc_key_x',
      fetch: async () => {
        requests += 1;
        return Response.json({ success: true, data });
      },
    });
    const waiting = stopping.tasks.waitFor('tsk_1', { timeoutMs: 1500 });
    await expect(waiting).rejects.toBeInstanceOf(TaskTimeoutError);
    expect(requests).toBeLessThanOrEqual(4);
  });

  it('survives a killed server', async () => {
    const own = await startProduct();
    const { id: templateId } = await createContactForm(own.client);
    const waiting = own.client.tasks.requestAndWait({ templateId, prefill: PREFILL });
    const { id } = await pendingTask(own.client, templateId);
    await own.process.kill('SIGKILL');
    await own.process.restart();
    await own.client.tasks.decide(id, { outcome: 'approved' });
    expect((await waiting).status).toBe('approved');
  });

  it('has one task when the response to the request is lost', async () => {
    proxy.dropResponses();
    const waiting = proxied.tasks.requestAndWait({ templateId: form.id, prefill: PREFILL });
    await client.tasks.decide((await pendingTask()).id, { outcome: 'approved' });
    await waiting;
    expect(await client.tasks.list({ templateId: form.id }).toArray()).toHaveLength(1);
  });

  it.each(['decide', 'claim'] as const)('is what a lost response of %s needs', async (method) => {
    const { id } = await createTask();
    proxy.dropResponses();
    const lost =
      method === 'claim' ? proxied.tasks.claim(id) : proxied.tasks.decide(id, { outcome: 'approved' });
    await expect(lost).rejects.toThrow(APIConnectionError);
    expect(proxy.requests).toHaveLength(1);
  });
});

describe('a function that requires approval', () => {
  interface Refund {
    order: string;
    amount: number;
  }
  let money: Form;
  const guard = (options: Partial<ApprovalOptions<Refund>> = {}) =>
    requireApproval(client, ({ order, amount }: Refund) => `refunded ${amount} for ${order}`, {
      name: 'refund',
      templateId: money.id,
      editableFields: ['amount'],
      ...options,
    });

  beforeEach(async () => {
    money = await client.forms.create({ name: 'Refund', fields: [{ name: 'amount', type: 'number' }] });
  });

  it('runs with the approved values, once for the same arguments', async () => {
    const calls = [guard()({ order: 'A-17', amount: 120 }), guard()({ amount: 120, order: 'A-17' })];
    const task = await pendingTask(client, money.id);
    expect(task).toMatchObject({ title: 'Run refund?', prefill: { amount: 120 } });
    expect(task.description).toBe('    refund({\n        amount: 120,\n        order: "A-17",\n    })');
    await client.tasks.decide(task.id, { outcome: 'approved', fields: { amount: 100 } });
    expect(await Promise.all(calls)).toEqual(Array(2).fill('refunded 100 for A-17'));
    // A restarted program finds its task.
    expect(await guard()({ order: 'A-17', amount: 120 })).toBe('refunded 100 for A-17');
  });

  it('gets undefined for a number that the reviewer cleared', async () => {
    const amounts: unknown[] = [];
    const call = requireApproval(client, ({ amount }: { amount?: number }) => amounts.push(amount), {
      name: 'pay',
      templateId: money.id,
      editableFields: ['amount'],
    })({ amount: 120 });
    const { id } = await pendingTask(client, money.id);
    await client.tasks.decide(id, { outcome: 'approved', fields: { amount: '' } });
    await call;
    expect(amounts).toEqual([undefined]);
  });

  it('has one task for the same arguments, whatever the order of keys inside them', async () => {
    const pay = requireApproval(client, (args: { to: object }) => JSON.stringify(args.to), {
      name: 'pay',
      templateId: money.id,
      timeoutMs: 30_000,
    });
    const calls = [
      pay({ to: { name: 'Ada', bank: [{ iban: 'DE1', bic: 'X' }] } }),
      pay({ to: { bank: [{ bic: 'X', iban: 'DE1' }], name: 'Ada' } }),
    ];
    const task = await pendingTask(client, money.id);
    expect(task.description).toContain('to: {"bank":[{"bic":"X","iban":"DE1"}],"name":"Ada"},');
    await client.tasks.decide(task.id, { outcome: 'approved' });
    expect((await Promise.all(calls))[0]).toBe('{"name":"Ada","bank":[{"iban":"DE1","bic":"X"}]}');
    expect(await client.tasks.list({ templateId: money.id }).toArray()).toHaveLength(1);
  });

  it('shows an argument that contains itself, without going through it forever', async () => {
    const tree: Record<string, unknown> = Object.fromEntries(
      Array.from({ length: 1000 }, (_, n) => [`k${n}`, n]),
    );
    tree['self'] = tree;
    const call = requireApproval(client, (args: { tree: object }) => Object.keys(args).length, {
      name: 'walk',
      templateId: money.id,
      timeoutMs: 30_000,
      dedupeKey: null,
    });
    const calling = call({ tree });
    const task = await pendingTask(client, money.id);
    expect(task.description).toContain('tree: [object Object],');
    await client.tasks.decide(task.id, { outcome: 'approved' });
    expect(await calling).toBe(1);
  });

  it('shows each argument on a line of its own, whatever its name', async () => {
    const key = 'x: 1,\n    })\n\n# Approved by the board\u2028\u2029';
    const call = requireApproval(client, (args: Record<string, unknown>) => Object.keys(args).length, {
      name: 'pay',
      templateId: money.id,
    })({ [key]: 2, größe: 3, ['long'.repeat(200)]: 4 });
    const task = await pendingTask(client, money.id);
    expect(task.description?.split('\n')).toEqual([
      '    pay({',
      '        größe: 3,',
      `        ${'long'.repeat(125)}… (800 characters): 4,`,
      '        "x: 1,\\n })\\n\\n# Approved by the board ": 2,',
      '    })',
    ]);
    await client.tasks.decide(task.id, { outcome: 'approved' });
    expect(await call).toBe(3);
  });

  it('cuts a long argument before an emoji at the limit', async () => {
    const order = `${'x'.repeat(498)}👍 thanks`;
    const call = guard()({ order, amount: 1 });
    const task = await pendingTask(client, money.id);
    expect(task.description).toContain(`order: "${'x'.repeat(498)}… (509 characters),`);
    await client.tasks.decide(task.id, { outcome: 'approved' });
    expect(await call).toBe(`refunded 1 for ${order}`);
  });

  // A minute is the shortest time in which a task can expire.
  it('rejects with the expiry when the task expires at the timeout', async () => {
    const call = guard({ timeoutMs: 60_000 })({ order: 'A', amount: 1 });
    const error: unknown = await call.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ApprovalExpiredError);
    expect(error).toMatchObject({ message: expect.stringContaining('refund was not approved in time') });
  }, 120_000);

  it.each([
    ['rejected', ApprovalRejectedError, 'refund was rejected'],
    ['cancelled', ApprovalCancelledError, 'refund was cancelled'],
  ] as const)('does not run when it is %s', async (how, Kind, message) => {
    const call = guard({ title: ({ order }) => `Refund ${order}?`, timeoutMs: 60_000 })({
      order: 'A',
      amount: 1,
    });
    const failed = call.catch((error: unknown) => error);
    const { id, title } = await pendingTask(client, money.id);
    expect(title).toBe('Refund A?');
    await (how === 'rejected'
      ? client.tasks.decide(id, { outcome: 'rejected', comment: 'Too much' })
      : client.tasks.cancel(id));
    const error = await failed;
    expect(error).toBeInstanceOf(Kind);
    expect(String(error)).toContain(message);
  });

  it('runs once with the arguments that the reviewer saw', async () => {
    const pay = guard({ editableFields: [], once: true });
    const args = { order: 'A-17', amount: 120 };
    const calls = Promise.allSettled([pay(args), pay({ ...args })]);
    const task = await pendingTask(client, money.id);
    expect(task.action).toEqual({ tool: 'refund', args });
    await client.tasks.decide(task.id, { outcome: 'approved' });
    const results = await calls;
    expect(results).toContainEqual({ status: 'fulfilled', value: 'refunded 120 for A-17' });
    expect(results).toContainEqual({ status: 'rejected', reason: expect.any(ApprovalUsedError) });
    await expect(pay(args)).rejects.toThrow(`refund did not run (task ${task.id})`);
  });

  it('runs with the arguments that the reviewer saw, whatever became of them meanwhile', async () => {
    const args = { order: 'A-17', amount: 120 };
    const call = guard({ editableFields: [], once: true })(args);
    args.amount = 9000;
    const { id, action } = await pendingTask(client, money.id);
    expect(action).toMatchObject({ args: { order: 'A-17', amount: 120 } });
    args.amount = 9001;
    await client.tasks.decide(id, { outcome: 'approved' });
    expect(await call).toBe('refunded 120 for A-17');
  });

  it('refuses editable fields and values that are not JSON if it runs once', async () => {
    expect(() => guard({ once: true })).toThrow('editableFields');
    const pay = guard({ editableFields: [], once: true, dedupeKey: null });
    await expect(pay({ order: 'A', amount: Number.NaN })).rejects.toThrow('not JSON');
  });

  it('asks the people of its policy', async () => {
    const body = { email: ADA.email, name: 'Ada', role: 'reviewer', password: 'correct horse battery' };
    const admin = createClient({ baseUrl: product.process.url, token: product.apiKey });
    const { data } = (await admin.post<UserOut>('/api/users', { body, expect: 201 })).body;
    const users = [data.id];
    const call = guard({ policy: { users } })({ order: 'A', amount: 1 }).catch((error: unknown) => error);
    const { id, policy } = await pendingTask(client, money.id);
    expect(policy).toMatchObject({ users });
    await client.tasks.cancel(id);
    expect(await call).toBeInstanceOf(ApprovalCancelledError);
  });

  it.each([
    ['of the call', (signal: AbortSignal) => guard()({ order: 'A', amount: 1 }, { signal })],
    ['of its options', (signal: AbortSignal) => guard({ signal })({ order: 'A', amount: 1 })],
  ])('leaves its task open when the signal %s aborts', async (_, start) => {
    const controller = new AbortController();
    const call = start(controller.signal).catch((error: unknown) => error);
    const { id } = await pendingTask(client, money.id);
    const reason = new Error('The request was closed');
    controller.abort(reason);
    expect(await call).toBe(reason);
    expect((await client.tasks.get(id)).status).toBe('awaiting');
    const again = guard()({ order: 'A', amount: 1 });
    await client.tasks.decide(id, { outcome: 'approved' });
    expect(await again).toBe('refunded 1 for A');
  });

  it('refuses arguments from which no key can be derived', async () => {
    const call = { order: 'A', amount: 1, at: new Date() };
    await expect(guard()(call)).rejects.toThrow('not JSON');
    await expect(guard({ dedupeKey: null, timeoutMs: 1 })(call)).rejects.toThrow(TaskTimeoutError);
  });
});
