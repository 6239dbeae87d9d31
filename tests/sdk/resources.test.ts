import {
  AuthenticationError,
  ConflictError,
  NotFoundError,
  PermissionDeniedError,
  verifyWebhook,
  type Form,
  type SvcForms,
} from '@svcforms/sdk';
import { createClient, poll, startWebhookEndpoint, type ReceivedRequest } from '@svcforms/test-kit';
import { ADA, createContactForm, FIELDS, startProduct, type Product } from './product.ts';

let product: Product;
let client: SvcForms;
let form: Form;

beforeAll(async () => {
  product = await startProduct();
  client = product.client;
});

beforeEach(async () => {
  form = await createContactForm(client);
});

const verified = (request: ReceivedRequest | undefined, secret: string) =>
  verifyWebhook(request?.rawBody ?? '', request?.headers ?? {}, secret);

async function delivered(list: () => AsyncIterable<{ id: string; status: string }>): Promise<string> {
  return poll(
    async () => {
      for await (const { id, status } of list()) if (status === 'delivered') return id;
      return null;
    },
    { what: 'a delivered delivery' },
  );
}

describe('forms', () => {
  it('are created, replaced, copied and deleted', async () => {
    const settings = { popup: { enabled: true, trigger: 'delay' as const, delayMs: 3000 } };
    const created = await client.forms.create({ name: 'A', title: 'T', fields: [...FIELDS], settings });
    expect(await client.forms.get(created.id)).toEqual(created);
    const replaced = await client.forms.replace(
      created.id,
      { ...created, name: 'B' },
      { ifVersion: created.version },
    );
    expect(replaced).toMatchObject({ name: 'B', title: 'T', version: created.version + 1, settings });
    const outdated = client.forms.replace(created.id, { name: 'C' }, { ifVersion: created.version });
    await expect(outdated).rejects.toThrow(ConflictError);
    expect((await client.forms.duplicate(created.id, { name: 'Copy' })).name).toBe('Copy');
    const template = await client.forms.export(created.id);
    expect((await client.forms.import(template)).fields).toEqual(created.fields);
    expect((await client.forms.import(template, { draft: true })).version).toBe(0);
    expect((await client.forms.duplicate(created.id, {}, { draft: true })).version).toBe(0);
    const [builtIn] = await client.forms.templates({ limit: 5 }).toArray();
    expect(builtIn).toMatchObject({ template: 1 });
    await client.forms.delete(created.id);
    await expect(client.forms.get(created.id)).rejects.toThrow(NotFoundError);
  });

  it('are listed by pages', async () => {
    const name = `Page ${form.id}`;
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) ids.unshift((await client.forms.create({ name })).id);
    const listed: string[] = [];
    for await (const { id } of client.forms.list({ q: name, limit: 2 })) listed.push(id);
    expect(listed).toEqual(ids);
    const pages = client.forms.list({ q: name, limit: 2 }).pages();
    const { value: first } = await pages.next();
    expect(first).toMatchObject({ limit: 2, nextCursor: expect.any(String) });
    const rest = client.forms.list({ q: name, limit: 2, cursor: first?.nextCursor ?? '' });
    expect((await rest.toArray()).map(({ id }) => id)).toEqual(ids.slice(2));
  });

  it('have statistics', async () => {
    await client.submissions.create(form.id, ADA);
    const [today] = (await client.forms.stats(form.id)).slice(-1);
    expect(today).toMatchObject({ submissions: 1, shown: 0 });
    const day = today?.date ?? '';
    expect(await client.forms.stats(form.id, { from: day, to: day })).toHaveLength(1);
    const [stats] = await client.forms.statsOf([form.id], { from: day, to: day });
    expect(stats).toMatchObject({ formId: form.id, totalSubmissions: 1, days: [{ date: day }] });
  });
});

describe('submissions', () => {
  it('are created once per idempotency key, found, exported and deleted', async () => {
    const key = { idempotencyKey: `key-${form.id}` };
    const id = await client.submissions.create(form.id, ADA, { ...key, page: 'https://example.com/a' });
    expect(await client.submissions.create(form.id, ADA, { ...key, page: 'https://example.com/a' })).toBe(id);
    const other = await client.submissions.create(form.id, { email: 'bob@example.com' });
    expect(await client.submissions.get(id)).toMatchObject({ data: ADA, metadata: { submittedVia: 'web' } });
    const found = await client.submissions
      .list(form.id, { q: 'bob', since: new Date(0), via: 'web' })
      .toArray();
    expect(found.map((one) => one.id)).toEqual([other]);
    expect(await client.submissions.list(form.id, { until: new Date(0) }).toArray()).toEqual([]);
    let text = '';
    for await (const chunk of client.submissions.export(form.id, { format: 'ndjson' }))
      text += Buffer.from(chunk).toString();
    const lines = text.trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { id: string }).id).sort()).toEqual([id, other].sort());
    await client.submissions.delete(id);
    await expect(client.submissions.get(id)).rejects.toThrow(NotFoundError);
  });

  it('are released from quarantine', async () => {
    const settings = { spam: { isEnabled: true } };
    const { id } = await client.forms.create({ name: 'Protected', fields: form.fields, settings });
    // The client sends its key, and a visitor has none.
    await createClient({ baseUrl: product.process.url }).post(`/api/forms/${id}/submissions`, {
      body: { data: ADA },
      expect: 201,
    });
    expect(await client.submissions.list(id).toArray()).toEqual([]);
    const [spam] = await client.submissions.list(id, { status: 'quarantined' }).toArray();
    expect(spam).toMatchObject({ status: 'quarantined', quarantineReason: 'no_token' });
    expect(await client.submissions.release(String(spam?.id))).toMatchObject({ status: 'accepted' });
    await expect(client.submissions.release(String(spam?.id))).rejects.toThrow(ConflictError);
  });

  it('are erased by a value', async () => {
    const email = `${form.id.toLowerCase()}@example.com`;
    const id = await client.submissions.create(form.id, { email });
    expect(await client.erasures.create(email)).toMatchObject({ submissionIds: [id], taskIds: [] });
  });
});

describe('inbound endpoints', () => {
  it('accept signed submissions', async () => {
    const endpoint = await client.inbound.create(form.id, {
      secret: true,
      requireTimestamp: true,
      fieldMapping: { mail: 'email' },
    });
    const secret = endpoint.secret ?? '';
    const sent = { secret, timestamped: true };
    const id = await client.inbound.send(form.id, endpoint.token, { mail: ADA.email }, sent);
    expect((await client.submissions.get(id)).data).toEqual(ADA);
    const unsigned = client.inbound.send(form.id, endpoint.token, { mail: ADA.email });
    await expect(unsigned).rejects.toThrow(AuthenticationError);
    const pointless = client.inbound.send(form.id, endpoint.token, {}, { timestamped: true });
    await expect(pointless).rejects.toThrow(TypeError);
    expect((await client.inbound.update(form.id, { secret: true })).secret).toMatch(/^[0-9a-f]{64}$/);
    expect(await client.inbound.update(form.id, { secret: null })).toMatchObject({ hasSecret: false });
    expect(await client.inbound.get(form.id)).toMatchObject({ id: endpoint.id, requireTimestamp: false });
    const { token } = await client.inbound.rotate(form.id);
    await client.inbound.send(form.id, token, { mail: ADA.email });
    const log = await poll(
      async () => {
        const requests = await client.inbound.requests(form.id);
        return requests.length === 3 && requests;
      },
      { what: 'the request log' },
    );
    expect(log.map(({ status }) => status)).toEqual([202, 401, 202]);
    await expect(client.inbound.create(form.id)).rejects.toThrow(ConflictError);
    await client.inbound.delete(form.id);
    await expect(client.inbound.get(form.id)).rejects.toThrow(NotFoundError);
  });

  it('can be several of one form', async () => {
    const { endpoints } = client.inbound;
    const first = await endpoints.create(form.id, { name: 'one' });
    const second = await endpoints.create(form.id, { name: 'two', secret: 'a secret of sixteen' });
    expect((await endpoints.list(form.id).toArray()).map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(await endpoints.get(form.id, second.id)).toMatchObject({ name: 'two', hasSecret: true });
    expect(await endpoints.update(form.id, first.id, { name: 'uno' })).toMatchObject({
      name: 'uno',
      secret: null,
    });
    const { token } = await endpoints.rotate(form.id, first.id);
    await client.inbound.send(form.id, token, ADA);
    await poll(async () => (await endpoints.requests(form.id, first.id)).length === 1, { what: 'the log' });
    await endpoints.delete(form.id, first.id);
    expect(await endpoints.list(form.id).toArray()).toHaveLength(1);
  });
});

describe('an idempotency key of the caller', () => {
  it('keeps the token of an inbound endpoint that an earlier call created', async () => {
    for (const create of [
      client.inbound.create.bind(client.inbound),
      client.inbound.endpoints.create.bind(client.inbound.endpoints),
    ]) {
      const { id } = await createContactForm(client);
      const options = { idempotencyKey: `key-${id}` };
      const { token, id: endpointId } = await create(id, { secret: 'a secret of sixteen' }, options);
      await expect(create(id, { secret: 'a secret of sixteen' }, options)).rejects.toThrow(
        new RegExp(`created the inbound endpoint ${endpointId}.*rotate`),
      );
      await client.inbound.send(id, token, ADA, { secret: 'a secret of sixteen' });
      expect(await client.inbound.endpoints.list(id).toArray()).toHaveLength(1);
    }
  });

  it('creates one webhook with a secret of the caller', async () => {
    const hook = { url: 'https://example.com/', events: ['form.submission.new' as const] };
    const secret = 'a secret of sixteen';
    const options = { idempotencyKey: `key-${form.id}` };
    const created = await client.webhooks.create(form.id, { ...hook, secret }, options);
    expect(await client.webhooks.create(form.id, { ...hook, secret }, options)).toEqual(created);
    const { id } = created;
    const rotated = await client.webhooks.rotateSecret(form.id, id, { secret: `${secret}!` }, options);
    expect(await client.webhooks.rotateSecret(form.id, id, { secret: `${secret}!` }, options)).toEqual(
      rotated,
    );
    const ofAccount = await client.accountWebhooks.create({ ...hook, secret }, options);
    expect((await client.accountWebhooks.create({ ...hook, secret }, options)).id).toBe(ofAccount.id);
    await client.accountWebhooks.delete(ofAccount.id);
  });

  it('is refused for a generated secret, which differs in each call', async () => {
    const hook = { url: 'https://example.com/', events: ['form.submission.new' as const] };
    const options = { idempotencyKey: `key-${form.id}` };
    const { id } = await client.webhooks.create(form.id, hook);
    const ofAccount = await client.accountWebhooks.create(hook);
    const calls = [
      () => client.webhooks.create(form.id, hook, options),
      () => client.webhooks.rotateSecret(form.id, id, {}, options),
      () => client.accountWebhooks.create(hook, options),
      () => client.accountWebhooks.rotateSecret(ofAccount.id, { overlapHours: 1 }, options),
      () => client.inbound.create(form.id, { secret: true }, options),
      () => client.inbound.endpoints.create(form.id, { secret: true }, options),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow(TypeError);
    expect(await client.webhooks.list(form.id).toArray()).toHaveLength(1);
    expect(await client.inbound.endpoints.list(form.id).toArray()).toEqual([]);
    await client.accountWebhooks.delete(ofAccount.id);
  });
});

describe('webhooks of a form', () => {
  it('deliver signed events, again after a rotation and by request', async () => {
    const endpoint = await startWebhookEndpoint();
    const hook = await client.webhooks.create(form.id, {
      url: endpoint.url,
      events: ['form.submission.new'],
      isPublicKeySigned: true,
      headers: { 'X-Team': 'a team' },
    });
    const id = await client.submissions.create(form.id, ADA);
    const [request] = await endpoint.waitFor(1);
    const first = await verified(request, hook.secret);
    expect(first.event).toMatchObject({ eventType: 'form.submission.new', submissionId: id, data: ADA });
    const byKey = await verified(request, hook.publicKey ?? '');
    expect(byKey.eventId).toBe(first.eventId);
    const list = () => client.webhooks.deliveries(form.id, hook.id, { status: 'delivered' });
    const deliveryId = await delivered(list);
    expect((await client.webhooks.delivery(form.id, hook.id, deliveryId)).attempts).toHaveLength(1);
    const rotated = await client.webhooks.rotateSecret(form.id, hook.id, { overlapHours: 1 });
    expect(rotated.secret).not.toBe(hook.secret);
    await client.webhooks.redeliver(form.id, hook.id, deliveryId);
    const [, again] = await endpoint.waitFor(2);
    for (const secret of [hook.secret, rotated.secret])
      expect((await verified(again, secret)).eventId).toBe(first.eventId);
    expect(await client.webhooks.recover(form.id, hook.id, { since: new Date(0), dryRun: true })).toEqual({
      count: 0,
      dryRun: true,
    });
  });

  it('end a loop of submissions that pass on their hops', async () => {
    const endpoint = await startWebhookEndpoint();
    const events = ['form.submission.new' as const];
    const { secret } = await client.webhooks.create(form.id, { url: endpoint.url, events });
    const { token } = await client.inbound.create(form.id);
    let hops = 0;
    for (const count of [1, 2, 3, 4, 5]) {
      if (count % 2) await client.submissions.create(form.id, ADA, { hops });
      else await client.inbound.send(form.id, token, ADA, { hops });
      ({ hops } = await verified((await endpoint.waitFor(count)).at(-1), secret));
      expect(hops).toBe(count);
    }
    for (const send of [
      () => client.submissions.create(form.id, ADA, { hops }),
      () => client.inbound.send(form.id, token, ADA, { hops }),
    ])
      await expect(send()).rejects.toMatchObject({ status: 508, code: 'LOOP_DETECTED' });
  });

  it('are tested, previewed, updated and deleted', async () => {
    const endpoint = await startWebhookEndpoint();
    const events = ['form.submission.new' as const];
    const filter = { all: [{ path: '/data/email', op: 'contains' as const, value: '@example.org' }] };
    const { id } = await client.webhooks.create(form.id, { url: endpoint.url, events, filter });
    const test = await client.webhooks.test(form.id, id);
    expect(test).toMatchObject({ delivered: true, passesFilter: false });
    expect(
      await client.webhooks.delivery(form.id, id, test.deliveryId, { include: 'request' }),
    ).toMatchObject({
      isTest: true,
      request: { url: endpoint.url, headers: { 'Svc-Test': 'true' } },
    });
    const tests = await client.webhooks.deliveries(form.id, id, { tests: 'include' }).toArray();
    expect(tests.map((delivery) => delivery.id)).toEqual([test.deliveryId]);
    expect(await client.webhooks.deliveries(form.id, id).toArray()).toEqual([]);
    const preview = await client.webhooks.previewFilter(form.id, { webhookId: id });
    expect(preview).toMatchObject({ passing: 0, events: [{ passes: false }] });
    const payload = await client.webhooks.previewPayload(form.id, { payload: { format: 'slack' } });
    expect(payload).toMatchObject({ eventType: 'form.submission.new', error: null });
    const updated = await client.webhooks.update(form.id, id, { filter: null, description: 'CRM' });
    expect(updated).toMatchObject({ description: 'CRM', events });
    expect(updated.filter).toBeUndefined();
    expect(await client.webhooks.get(form.id, id)).toEqual(updated);
    expect(await client.webhooks.list(form.id).toArray()).toEqual([updated]);
    await client.webhooks.delete(form.id, id);
    await expect(client.webhooks.get(form.id, id)).rejects.toThrow(NotFoundError);
  });
});

describe('webhooks of the account', () => {
  it('deliver events of forms and tasks', async () => {
    const endpoint = await startWebhookEndpoint();
    const events = ['form.submission.new' as const, 'hitl.task.created' as const];
    const { accountWebhooks } = client;
    const hook = await accountWebhooks.create({ url: endpoint.url, events, forms: [form.id] });
    await client.submissions.create(form.id, ADA);
    const [request] = await endpoint.waitFor(1);
    expect((await verified(request, hook.secret)).event.eventType).toBe('form.submission.new');
    const deliveryId = await delivered(() => accountWebhooks.deliveries(hook.id));
    expect((await accountWebhooks.delivery(hook.id, deliveryId)).status).toBe('delivered');
    await accountWebhooks.redeliver(hook.id, deliveryId);
    await endpoint.waitFor(2);
    const rotated = await accountWebhooks.rotateSecret(hook.id, { secret: 'a secret of sixteen' });
    expect(rotated.secret).toBe('a secret of sixteen');
    expect(await accountWebhooks.test(hook.id, { eventType: 'hitl.task.created' })).toMatchObject({
      delivered: true,
    });
    expect((await accountWebhooks.previewFilter({ events, forms: [form.id] })).passing).toBeGreaterThan(0);
    const payload = await accountWebhooks.previewPayload({ payload: { format: 'data' } });
    expect(payload.body).toEqual(expect.any(String));
    const recovered = await accountWebhooks.recover(hook.id, { since: '2026-01-01T00:00:00Z', dryRun: true });
    expect(recovered.count).toBe(0);
    const updated = await accountWebhooks.update(hook.id, { forms: null });
    expect(updated.forms ?? null).toBeNull();
    expect((await accountWebhooks.get(hook.id)).id).toBe(hook.id);
    expect((await accountWebhooks.list().toArray()).map(({ id }) => id)).toContain(hook.id);
    await accountWebhooks.delete(hook.id);
    await expect(accountWebhooks.get(hook.id)).rejects.toThrow(NotFoundError);
  });
});

describe('the account', () => {
  it('has keys with scopes', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const created = await client.keys.create({ name: 'reader', scopes: ['forms:read'], expiresAt });
    expect(created).toMatchObject({ expiresAt: expiresAt.toISOString(), last4: created.key.slice(-4) });
    const reader = product.connect({ apiKey: created.key });
    await reader.forms.get(form.id);
    await expect(reader.forms.delete(form.id)).rejects.toThrow(PermissionDeniedError);
    expect((await client.keys.list().toArray()).map(({ id }) => id)).toContain(created.id);
    await client.keys.delete(created.id);
    await expect(reader.forms.get(form.id)).rejects.toThrow(AuthenticationError);
  });

  it('keeps a key when a later call has the same idempotency key', async () => {
    const input = { name: 'agent', scopes: ['forms:read' as const] };
    // The types allow this member in a variable.
    const options = { maxRetries: 1, idempotencyKey: `key-${form.id}` };
    const [first, second] = [
      await client.keys.create(input, options),
      await client.keys.create(input, options),
    ];
    expect(second.id).not.toBe(first.id);
    for (const { key } of [first, second]) await product.connect({ apiKey: key }).forms.get(form.id);
  });

  it('has an audit log', async () => {
    const page = client.auditLog.list({ action: 'form.created', target: form.id, since: new Date(0) });
    expect(await page.toArray()).toMatchObject([{ action: 'form.created', target: { id: form.id } }]);
  });

  it('has notification addresses', async () => {
    const settings = { notifications: { emails: ['owner@example.com'] } };
    await client.forms.create({ name: 'Mail', settings });
    const [address] = await client.notificationAddresses.list().toArray();
    expect(address).toMatchObject({ email: 'owner@example.com', status: 'verified' });
    await expect(client.notificationAddresses.verify(address?.id ?? '')).rejects.toThrow(ConflictError);
  });
});
