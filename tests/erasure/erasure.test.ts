import type { DeliveryOut, ErasureOut, SubmissionOut, TaskOut, WebhookHealthOut } from '@svcforms/contracts';
import {
  createClient,
  createFormWithWebhook,
  describeWith,
  poll,
  sendInbound,
  sessionCookie,
  startWebhookEndpoint,
  startProcess,
  tempFolder,
  type WebhookEndpoint,
} from '@svcforms/test-kit';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startBackends, openProduct, runAdmin, type Backends, type Product } from './product.ts';

jest.setTimeout(180_000);

/** The time limit for erasure from the event log, emails and files. */
const WITHIN_MS = 60_000;

/** Returns a unique value. */
const newEmail = () => `${randomUUID()}@example.com`;

interface Fixture extends Product {
  webhookEndpoint: WebhookEndpoint;
  /** The next response of the endpoint. */
  respond: { status: number; body: string };
  form: { id: string };
  webhook: { id: string };
  inbound: { formId: string; token: string };
}

async function openFixture(backends: Backends): Promise<Fixture> {
  const product = await openProduct(backends);
  const respond = { status: 200, body: '' };
  const webhookEndpoint = await startWebhookEndpoint({
    respond: ({ rawBody }) => ({ ...respond, body: rawBody.toString() }),
  });
  const created = await createFormWithWebhook(product.client, webhookEndpoint.url, {
    events: ['form.submission.new', 'decision.requested', 'decision.approved'],
    form: { settings: { notifications: { emails: ['team@example.com'] } } },
  });
  await confirmAddress(product);
  return { ...product, webhookEndpoint, respond, ...created };
}

/** Follows the link of the verification email, so that the address gets notifications. */
async function confirmAddress({ client, folder, mails }: Product): Promise<void> {
  const link = await poll(
    () => {
      const texts = mails().map((name) => readFileSync(join(folder, 'mail', name), 'utf8'));
      const decoded = texts.map((text) => text.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='));
      return /\/api\/notifications\/verify\?token=[\w.-]+/.exec(decoded.join('\n'))?.[0];
    },
    { what: 'the verification email' },
  );
  await client.post(link, { expect: 200 });
}

const deliveriesOf = async ({ client, form, webhook }: Fixture) =>
  (
    await client.get<DeliveryOut[]>(`/api/forms/${form.id}/webhooks/${webhook.id}/deliveries?limit=100`, {
      expect: 200,
    })
  ).body.data;

const waitUntilReceived = (webhookEndpoint: WebhookEndpoint, text: string) =>
  webhookEndpoint.waitFor(({ rawBody }) => rawBody.includes(text), `a request with ${text}`);

/**
 * Creates a submission that is delivered and notified, and returns the position in the log before
 * it.
 */
async function submit(fixture: Fixture, email: string) {
  const { client, inbound, webhookEndpoint } = fixture;
  const cursor = await cursorOf(fixture);
  const { body } = await sendInbound(client, inbound, { email, message: `from ${email}` });
  const { submissionId } = body.data;
  await waitUntilReceived(webhookEndpoint, email);
  const delivery = await poll(
    async () => {
      const id = (await waitUntilReceived(webhookEndpoint, email)).headers['svc-delivery-id'];
      return (await deliveriesOf(fixture)).find((each) => each.id === id && each.attempts.length > 0);
    },
    { what: 'the delivery' },
  );
  return { submissionId, cursor, delivery };
}

async function createTask({ client, form }: Fixture, email: string, more: object = {}, headers = {}) {
  const { body, headers: responseHeaders } = await client.post<TaskOut>('/api/mcp/tasks', {
    body: { templateId: form.id, title: `About ${email}`, prefill: { email }, ...more },
    headers,
    expect: 201,
  });
  return { ...body.data, cursor: responseHeaders.get('svc-event-cursor') ?? '' };
}

/** Adds a user who can vote on tasks. */
async function addReviewer({ client, product }: Fixture) {
  const [email, password] = [newEmail(), randomUUID()];
  const user = { email, name: 'Ada', role: 'admin', password };
  const { id } = (await client.post<{ id: string }>('/api/users', { body: user, expect: 201 })).body.data;
  const visitor = createClient({ baseUrl: product.url });
  const login = await visitor.post('/api/auth/login', { body: { email, password }, expect: 200 });
  const cookie = sessionCookie(login);
  return {
    id,
    vote: (taskId: string, more: object = {}) =>
      visitor.post(`/api/mcp/tasks/${taskId}/decision`, {
        body: { outcome: 'approved', ...more },
        headers: { cookie },
      }),
  };
}

async function approve({ client }: Fixture, taskId: string): Promise<TaskOut> {
  const path = `/api/mcp/tasks/${taskId}/decision`;
  return (await client.post<TaskOut>(path, { body: { outcome: 'approved', comment: 'ok' }, expect: 200 }))
    .body.data;
}

/** Returns the current position in the log, which the response to a new task contains. */
async function cursorOf(fixture: Fixture): Promise<string> {
  return (await createTask(fixture, 'nobody@example.com')).cursor;
}

/** Waits until a stream from that position shows the newest event and not the text. */
async function waitUntilGoneFromLog(fixture: Fixture, cursor: string, text: string): Promise<void> {
  await poll(
    async () => {
      const marker = `marker ${randomUUID()}`;
      const { id } = await createTask(fixture, 'marker@example.com', { title: marker });
      const readers = await Promise.all(
        ['', '?format=webhook'].map((query) => fixture.eventsAfter(cursor, query)),
      );
      for (const reader of readers) {
        await poll(() => reader.text().includes(id), { what: 'the newest event' });
        reader.close();
        expect(reader.text()).not.toContain('stream.reset');
      }
      return readers.every((reader) => !reader.text().includes(text));
    },
    { what: `a log without ${text}`, timeoutMs: WITHIN_MS, everyMs: 500 },
  );
}

function describeErasure(
  title: string,
  backends: () => Promise<Backends>,
  { isEmbedded }: { isEmbedded: boolean },
) {
  describe(title, () => {
    let fixture: Fixture;
    beforeAll(async () => {
      fixture = await openFixture(await backends());
    }, 120_000);

    const expectNoFileWith = (text: string) =>
      poll(() => fixture.filesWith(text).length === 0, {
        what: `no file with ${text}: ${fixture.filesWith(text).join()}`,
        timeoutMs: WITHIN_MS,
        everyMs: 500,
      });

    it('erases the values of a submission from deliveries, the event log, emails and files', async () => {
      const email = newEmail();
      const { client, form } = fixture;
      const { submissionId, cursor, delivery } = await submit(fixture, email);
      await poll(() => fixture.mails().some((name) => name.includes(submissionId)), { what: 'the email' });
      expect(delivery.attempts[0]?.responseBody).toContain(email);

      await client.delete(`/api/submissions/${submissionId}`, { expect: 204 });

      expect((await client.get(`/api/submissions/${submissionId}`)).status).toBe(404);
      const own = `/api/forms/${form.id}/webhooks/deliveries/${delivery.id}`;
      const shown = await client.get<DeliveryOut>(own, { expect: 200 });
      expect(shown.text).not.toContain(email);
      expect(shown.body.data).toMatchObject({ status: 'delivered', erasedAt: expect.any(String) });
      const again = await client.post(`${own}/redeliver`);
      expect([again.status, again.body.code]).toEqual([410, 'ERASED']);
      await waitUntilGoneFromLog(fixture, cursor, email);
      await poll(() => !fixture.mails().some((name) => name.includes(submissionId)), {
        what: 'the deletion of the email',
        timeoutMs: WITHIN_MS,
      });
      await expectNoFileWith(email);
    });

    it('cancels pending deliveries, which neither redeliver nor recover sends', async () => {
      const email = newEmail();
      const { client, form, webhook, webhookEndpoint, respond } = fixture;
      respond.status = 500;
      const { submissionId, delivery } = await submit(fixture, email);
      respond.status = 200;
      expect(delivery.status).toBe('pending');

      await client.delete(`/api/submissions/${submissionId}`, { expect: 204 });

      const path = `/api/forms/${form.id}/webhooks/${webhook.id}`;
      const shown = await client.get<DeliveryOut>(`${path}/deliveries/${delivery.id}`, { expect: 200 });
      expect(shown.body.data).toMatchObject({ status: 'failed', nextAttemptAt: null });
      expect((await client.post(`${path}/deliveries/${delivery.id}/redeliver`)).status).toBe(410);
      const since = new Date(0).toISOString();
      const recovery = await client.post<{ count: number }>(`${path}/recover`, {
        body: { since },
        expect: 202,
      });
      expect(recovery.body.data.count).toBe(0);
      const next = newEmail();
      await submit(fixture, next);
      expect(webhookEndpoint.requests.filter(({ rawBody }) => rawBody.includes(email))).toHaveLength(1);
    });

    it('empties the task of a submission, and nothing restores the submission', async () => {
      const email = newEmail();
      const { client } = fixture;
      const task = await createTask(fixture, email);
      const { submissionId = '' } = await approve(fixture, task.id);
      await client.get(`/api/submissions/${submissionId}`, { expect: 200 });

      await client.delete(`/api/submissions/${submissionId}`, { expect: 204 });

      const left = await client.get<TaskOut>(`/api/mcp/tasks/${task.id}`, { expect: 200 });
      expect(left.text).not.toContain(email);
      expect(left.body.data).toMatchObject({ status: 'approved', prefill: {}, formData: {} });
      expect((await client.get(`/api/mcp/tasks/${task.id}/history`)).text).not.toContain(email);
      await fixture.admin('events', 'republish', '--since', new Date(Date.now() - 3600_000).toISOString());
      await waitUntilGoneFromLog(fixture, task.cursor, email);
      expect((await client.get(`/api/submissions/${submissionId}`)).status).toBe(404);
      await expectNoFileWith(email);
    });

    it('keeps no callback response that arrives after the erasure', async () => {
      const email = newEmail();
      const { client } = fixture;
      let release = () => {};
      const isReleased = new Promise<void>((resolve) => (release = resolve));
      const callback = await startWebhookEndpoint({
        respond: async ({ rawBody }) => {
          await isReleased;
          return { body: rawBody.toString() };
        },
      });
      const { id } = await createTask(fixture, email, { callbackUrl: callback.url });
      const { submissionId = '' } = await approve(fixture, id);
      await callback.waitFor(1);

      await client.delete(`/api/submissions/${submissionId}`, { expect: 204 });
      release();

      const finished = await poll(
        async () => {
          const task = await client.get<TaskOut>(`/api/mcp/tasks/${id}`, { expect: 200 });
          return task.body.data.callback?.state === 'sending' ? undefined : task;
        },
        { what: 'the result of the callback' },
      );
      expect(finished.body.data.callback).toMatchObject({ state: 'delivered', attempts: [{ status: 200 }] });
      expect(finished.text).not.toContain(email);
    });

    it('deletes a task with its submission and keeps its keys reserved', async () => {
      const email = newEmail();
      const { client } = fixture;
      const dedupeKey = `refund ${email}`;
      const headers = { 'idempotency-key': randomUUID() };
      const task = await createTask(fixture, email, { dedupeKey }, headers);
      const { submissionId = '' } = await approve(fixture, task.id);
      const reader = await fixture.clientWith(['tasks:read', 'tasks:decide', 'tasks:create']);
      expect((await reader.delete(`/api/mcp/tasks/${task.id}`)).status).toBe(403);

      await client.delete(`/api/mcp/tasks/${task.id}`, { expect: 204 });

      expect((await client.get(`/api/mcp/tasks/${task.id}`)).status).toBe(404);
      expect((await client.delete(`/api/mcp/tasks/${task.id}`)).status).toBe(404);
      expect((await client.get('/api/mcp/tasks?limit=100')).text).not.toContain(email);
      expect((await client.get(`/api/submissions/${submissionId}`)).status).toBe(404);
      const body = { templateId: fixture.form.id, title: `About ${email}`, prefill: { email }, dedupeKey };
      const sameKey = await client.post('/api/mcp/tasks', { body });
      expect([sameKey.status, sameKey.body.code]).toEqual([410, 'ERASED']);
      const replayed = await client.post('/api/mcp/tasks', { body, headers });
      expect([replayed.status, replayed.body.code]).toEqual([410, 'ERASED']);
      await waitUntilGoneFromLog(fixture, task.cursor, email);
      await expectNoFileWith(email);
    });

    it('leaves nothing of tasks that are decided during their deletion', async () => {
      const { client } = fixture;
      const own = await createFormWithWebhook(client, fixture.webhookEndpoint.url);
      const race = async (index: number) => {
        const { id } = await createTask({ ...fixture, ...own }, newEmail());
        const remove = () => client.delete(`/api/mcp/tasks/${id}`, { expect: 204 });
        const decide = () => client.post(`/api/mcp/tasks/${id}/decision`, { body: { outcome: 'approved' } });
        const calls = index % 2 === 0 ? [remove, decide] : [decide, remove];
        const responses = await Promise.all(calls.map((call) => call()));
        return responses.some(({ status }) => status === 200);
      };
      const decided = [];
      for (let round = 0; round < 5; round++)
        decided.push(...(await Promise.all(Array.from({ length: 10 }, (_, index) => race(index)))));

      expect(decided).toContain(true);
      const left = await client.get(`/api/forms/${own.form.id}/submissions`, { expect: 200 });
      expect(left.body.data).toEqual([]);
    });

    it('shows no deliveries of events that were never emitted', async () => {
      const { client, webhookEndpoint } = fixture;
      const events = ['form.submission.new'] as const;
      const withoutEvents = {
        ...fixture,
        ...(await createFormWithWebhook(client, webhookEndpoint.url, { events })),
      };
      const [byTask, bySubmission, byValue] = [newEmail(), newEmail(), newEmail()];
      const task = await createTask(withoutEvents, byTask);
      await approve(fixture, task.id);
      await client.delete(`/api/mcp/tasks/${task.id}`, { expect: 204 });
      const created = await approve(fixture, (await createTask(withoutEvents, bySubmission)).id);
      await client.delete(`/api/submissions/${created.submissionId ?? ''}`, { expect: 204 });
      await approve(fixture, (await createTask(withoutEvents, byValue)).id);
      const report = await client.post<ErasureOut>('/api/erasures', {
        body: { value: byValue },
        expect: 201,
      });

      expect(report.body.data).toMatchObject({ deliveryIds: [], endpoints: [] });
      expect(await deliveriesOf(withoutEvents)).toEqual([]);
    });

    it('erases the delivery of a submission created by a task when the form emits its events', async () => {
      const { client, webhookEndpoint } = fixture;
      const withEvents = {
        ...fixture,
        ...(await createFormWithWebhook(client, webhookEndpoint.url, {
          events: ['form.submission.new'],
          form: { settings: { tasks: { emitSubmissionEvents: true } } },
        })),
      };
      for (const path of ['task', 'submission'] as const) {
        const email = newEmail();
        const { id } = await createTask(withEvents, email);
        const { submissionId = '' } = await approve(fixture, id);
        await waitUntilReceived(webhookEndpoint, email);
        await client.delete(path === 'task' ? `/api/mcp/tasks/${id}` : `/api/submissions/${submissionId}`, {
          expect: 204,
        });
      }

      const deliveries = await deliveriesOf(withEvents);
      expect(deliveries.map(({ erasedAt }) => erasedAt)).toEqual([expect.any(String), expect.any(String)]);
    });

    it('returns 404 to requests that wait for a deleted task', async () => {
      const task = await createTask(fixture, newEmail());
      const waiting = fixture.client.get(`/api/mcp/tasks/${task.id}?wait=50`);
      await fixture.client.delete(`/api/mcp/tasks/${task.id}`, { expect: 204 });
      expect((await waiting).status).toBe(404);
    });

    it('finds a person by a value, erases the data and names the endpoints that received it', async () => {
      const [email, other] = [newEmail(), newEmail()];
      const { client, form, webhook, webhookEndpoint } = fixture;
      const callback = await startWebhookEndpoint();
      const { submissionId, cursor } = await submit(fixture, email);
      const { submissionId: otherId } = await submit(fixture, other);
      const task = await createTask(fixture, email, { callbackUrl: `${callback.url}/done` });
      const awaiting = await createTask(fixture, email);
      await approve(fixture, task.id);
      await callback.waitFor(1);
      await poll(async () => {
        const { callback: state } = (await client.get<TaskOut>(`/api/mcp/tasks/${task.id}`)).body.data;
        return state?.state === 'delivered';
      });
      for (const scopes of [['submissions:write'], ['tasks:manage']]) {
        const limited = await fixture.clientWith(scopes);
        expect((await limited.post('/api/erasures', { body: { value: email } })).status).toBe(403);
      }
      const stranger = await fixture.anotherAccount();
      const foreign = await stranger.post<ErasureOut>('/api/erasures', {
        body: { value: email },
        expect: 201,
      });
      expect(foreign.body.data).toMatchObject({
        submissionIds: [],
        taskIds: [],
        deliveryIds: [],
        endpoints: [],
      });
      await client.get(`/api/submissions/${submissionId}`, { expect: 200 });
      expect((await client.post('/api/erasures', { body: { value: '' } })).status).toBe(422);
      const part = await client.post<ErasureOut>('/api/erasures', {
        body: { value: email.slice(1) },
        expect: 201,
      });
      expect(part.body.data).toMatchObject({
        submissionIds: [],
        taskIds: [],
        deliveryIds: [],
        endpoints: [],
      });

      const { body, text } = await client.post<ErasureOut>('/api/erasures', {
        body: { value: email },
        expect: 201,
      });

      expect(text).not.toContain(email);
      const { submissionIds, taskIds, endpoints } = body.data;
      expect(submissionIds).toContain(submissionId);
      expect(taskIds.toSorted()).toEqual([task.id, awaiting.id].toSorted());
      expect(endpoints).toEqual(
        expect.arrayContaining([
          {
            kind: 'webhook',
            id: webhook.id,
            formId: form.id,
            url: webhookEndpoint.url,
            receivedAt: expect.any(String),
          },
          {
            kind: 'callback',
            id: task.id,
            formId: form.id,
            url: `${callback.url}/done`,
            receivedAt: expect.any(String),
          },
        ]),
      );
      expect((await client.get(`/api/submissions/${submissionId}`)).status).toBe(404);
      expect((await client.get(`/api/mcp/tasks/${awaiting.id}`)).status).toBe(404);
      await client.get<SubmissionOut>(`/api/submissions/${otherId}`, { expect: 200 });
      const again = await client.post<ErasureOut>('/api/erasures', { body: { value: email }, expect: 201 });
      expect(again.body.data).toMatchObject({ submissionIds: [], taskIds: [], endpoints: [] });
      await waitUntilGoneFromLog(fixture, cursor, email);
      await expectNoFileWith(email);
    });

    it('finds a value that only the action, a reviewer or the cancellation put into a task', async () => {
      const { client, form } = fixture;
      const nobody = 'nobody@example.com';
      const [first, second] = [await addReviewer(fixture), await addReviewer(fixture)];
      const policy = { approvals: 2, users: [first.id, second.id] };
      const value = {
        action: newEmail(),
        option: newEmail(),
        change: newEmail(),
        comment: newEmail(),
        reason: newEmail(),
      };
      const action = { tool: 'send_mail', args: { to: [value.action] } };
      const task = {
        action: await createTask(fixture, nobody, { action }),
        option: await createTask(fixture, nobody, { rejectOptions: [value.option] }),
        change: await createTask(fixture, nobody, { policy, editableFields: ['email'] }),
        comment: await createTask(fixture, nobody, { policy }),
        reason: await createTask(fixture, nobody),
      };
      const votes = [
        await first.vote(task.change.id, { fields: { email: value.change } }),
        await first.vote(task.comment.id, { comment: value.comment }),
      ];
      expect(votes.map(({ status }) => status)).toEqual([200, 200]);
      const cancellation = { body: { reason: value.reason }, expect: 200 };
      await client.post(`/api/mcp/tasks/${task.reason.id}/cancel`, cancellation);

      const found: Record<string, string[]> = {};
      for (const [name, each] of Object.entries(value)) {
        const call = { body: { value: each }, expect: 201 };
        found[name] = (await client.post<ErasureOut>('/api/erasures', call)).body.data.taskIds;
      }

      expect(found).toEqual({
        action: [task.action.id],
        option: [task.option.id],
        change: [task.change.id],
        comment: [task.comment.id],
        reason: [task.reason.id],
      });
      expect((await second.vote(task.change.id)).status).toBe(404);
      const submissions = await client.get(`/api/forms/${form.id}/submissions?limit=100`, { expect: 200 });
      expect(submissions.text).not.toContain(value.change);
    });

    it('names endpoints that got the data but never responded, and none that was unreachable', async () => {
      const email = newEmail();
      const { client } = fixture;
      const dropping = await startWebhookEndpoint({ respond: () => 'reset' });
      const hanging = await startWebhookEndpoint({ respond: () => 'hang' });
      const closed = await startWebhookEndpoint();
      await closed.close();
      const { form, inbound } = await createFormWithWebhook(client, dropping.url);
      const path = `/api/forms/${form.id}/webhooks`;
      const events = ['form.submission.new'];
      await client.post(path, { body: { url: hanging.url, events }, expect: 201 });
      const unreached = await client.post<{ id: string }>(path, {
        body: { url: closed.url, events },
        expect: 201,
      });
      await sendInbound(client, inbound, { email, message: 'hello' });
      await Promise.all([dropping.waitFor(1), hanging.waitFor(1)]);
      await poll(
        async () => {
          const own = await client.get<DeliveryOut[]>(`${path}/${unreached.body.data.id}/deliveries`);
          return own.body.data.some(({ attempts }) => attempts.some(({ error }) => error === 'connect'));
        },
        { what: 'an attempt without a connection' },
      );
      const { id } = await createTask({ ...fixture, form }, email, { callbackUrl: `${hanging.url}/done` });
      await approve(fixture, id);
      await hanging.waitFor(({ path: at }) => at === '/done', 'the callback');

      const { body } = await client.post<ErasureOut>('/api/erasures', {
        body: { value: email },
        expect: 201,
      });

      const urls = body.data.endpoints.map(({ kind, url }) => `${kind} ${url}`);
      expect(urls.toSorted()).toEqual(
        [`callback ${hanging.url}/done`, `webhook ${dropping.url}`, `webhook ${hanging.url}`].toSorted(),
      );
    });

    it('names the URL that got the data, even if the webhook has another one by now', async () => {
      const [email, later] = [newEmail(), newEmail()];
      const { client } = fixture;
      const [first, second] = [await startWebhookEndpoint(), await startWebhookEndpoint()];
      const created = await createFormWithWebhook(client, `${first.url}/hook`);
      const path = `/api/forms/${created.form.id}/webhooks/${created.webhook.id}`;
      await submit({ ...fixture, ...created, webhookEndpoint: first }, email);
      await client.patch(path, { body: { url: `${second.url}/hook` }, expect: 200 });
      await submit({ ...fixture, ...created, webhookEndpoint: second }, later);
      const urlsOf = async (value: string) => {
        const report = await client.post<ErasureOut>('/api/erasures', { body: { value }, expect: 201 });
        return report.body.data.endpoints.map(({ id, url }) => [id, url]);
      };

      expect(await urlsOf(email)).toEqual([[created.webhook.id, `${first.url}/hook`]]);
      expect(await urlsOf(later)).toContainEqual([created.webhook.id, `${second.url}/hook`]);
    });

    it('keeps no value that is part of the URL of an endpoint', async () => {
      const email = newEmail();
      const { client } = fixture;
      const callback = await startWebhookEndpoint();
      const inQuery = await createTask(fixture, email, {
        callbackUrl: `${callback.url}/done?to=${email}#${email}`,
      });
      const inPath = await createTask(fixture, email, { callbackUrl: `${callback.url}/people/${email}` });
      const encoded = encodeURIComponent(email);
      const encodedInPath = await createTask(fixture, email, { callbackUrl: `${callback.url}/${encoded}` });
      for (const { id } of [inQuery, inPath, encodedInPath]) await approve(fixture, id);
      await callback.waitFor(3);
      const headers = { 'idempotency-key': randomUUID() };
      const call = { body: { value: email }, headers, expect: 201 };

      const report = await client.post<ErasureOut>('/api/erasures', call);

      expect(report.text).not.toContain(email);
      expect(report.text).not.toContain(encoded);
      const urls = report.body.data.endpoints.map(({ id, url }) => [id, url]);
      expect(Object.fromEntries(urls)).toMatchObject({
        [inQuery.id]: `${callback.url}/done`,
        [inPath.id]: callback.url,
        [encodedInPath.id]: callback.url,
      });
      const again = await client.post<ErasureOut>('/api/erasures', call);
      expect(again.headers.get('idempotency-replayed')).toBeNull();
      expect(again.body.data).toMatchObject({ submissionIds: [], taskIds: [] });
      await expectNoFileWith(email);
    });

    it('completes after kill -9', async () => {
      const email = newEmail();
      const { client, product } = fixture;
      const { submissionId, cursor } = await submit(fixture, email);
      await client.delete(`/api/submissions/${submissionId}`, { expect: 204 });
      await product.kill('SIGKILL');
      await product.restart();

      expect((await client.get(`/api/submissions/${submissionId}`)).status).toBe(404);
      await waitUntilGoneFromLog(fixture, cursor, email);
      await expectNoFileWith(email);
    });

    /** Creates a form with a stored response and two inbound endpoints. */
    async function addFormToDelete(): Promise<string> {
      const { client } = fixture;
      const headers = { 'idempotency-key': randomUUID() };
      const body = { name: 'Deleted' };
      const created = await client.post<{ id: string }>('/api/forms', { body, headers, expect: 201 });
      const { id: formId } = created.body.data;
      for (const name of ['first', 'second'])
        await client.post(`/api/forms/${formId}/inbound/endpoints`, { body: { name }, expect: 201 });
      return formId;
    }

    it('omits erased data when an older dump is restored', async () => {
      const [email, kept] = [newEmail(), newEmail()];
      const { client } = fixture;
      const { submissionId } = await submit(fixture, email);
      const { submissionId: keptId } = await submit(fixture, kept);
      // Its deliveries have the titles of tasks, and name no submission.
      const body = { url: fixture.webhookEndpoint.url, events: ['hitl.task.created'] };
      const { id: webhookId } = (await client.post<{ id: string }>('/api/webhooks', { body, expect: 201 }))
        .body.data;
      const task = await createTask(fixture, email);
      const decided = await createTask(fixture, email);
      await poll(
        async () =>
          (await client.get<object[]>(`/api/webhooks/${webhookId}/deliveries`)).body.data.length === 2,
        { what: 'the deliveries about the tasks' },
      );
      const { submissionId: createdId = '' } = await approve(fixture, decided.id);
      const formId = await addFormToDelete();
      const [dump, erasures] = [join(tempFolder(), 'dump.ndjson'), join(tempFolder(), 'erasures.ndjson')];
      await fixture.admin('dump', dump);
      await client.delete(`/api/forms/${formId}`, { expect: 204 });
      await client.delete(`/api/submissions/${submissionId}`, { expect: 204 });
      await client.delete(`/api/submissions/${createdId}`, { expect: 204 });
      await client.delete(`/api/mcp/tasks/${task.id}`, { expect: 204 });
      await fixture.admin('erasures', 'export', erasures);

      const fresh = { ...fixture.env, ...(isEmbedded ? {} : await backends()), SVC_DATA_DIR: tempFolder() };
      const key = { SVC_ENCRYPTION_KEY_FILE: join(fixture.folder, 'encryption.key') };
      await runAdmin(['restore', dump, '--erasures', erasures], { ...fresh, ...key });

      const restored = await startProcess('standalone', { env: { ...fresh, ...key } });
      const read = async (path: string) => {
        const response = await fetch(restored.url + path, {
          headers: { authorization: `Bearer ${fixture.apiKey}` },
        });
        return { status: response.status, text: await response.text() };
      };
      expect((await read(`/api/submissions/${keptId}`)).status).toBe(200);
      expect((await read(`/api/submissions/${submissionId}`)).status).toBe(404);
      expect((await read(`/api/submissions/${createdId}`)).status).toBe(404);
      expect((await read(`/api/mcp/tasks/${task.id}`)).status).toBe(404);
      const emptied = await read(`/api/mcp/tasks/${decided.id}`);
      expect(emptied.status).toBe(200);
      expect(emptied.text).not.toContain(email);
      const again = join(tempFolder(), 'again.ndjson');
      await runAdmin(['dump', again], { ...fresh, ...key });
      expect(filesHolding(again, email)).toBe(false);
      const ofForm = linesOf(again).filter((line) => /^\{"in":"(inbound|idempotency)/.test(line));
      expect(ofForm.filter((line) => line.includes(formId))).toEqual([]);
      expect(filesHolding(again, kept)).toBe(true);
      await restored.stop();
    });

    it('deletes a form with its tasks, deliveries, emails and events', async () => {
      const email = newEmail();
      const { client, form } = fixture;
      const { cursor } = await submit(fixture, email);
      const task = await createTask(fixture, email);
      const elsewhere = await createFormWithWebhook(client, fixture.webhookEndpoint.url);
      await client.delete(`/api/forms/${form.id}`, { expect: 204 });

      expect((await client.get(`/api/mcp/tasks/${task.id}`)).status).toBe(404);
      fixture = { ...fixture, ...elsewhere };
      await waitUntilGoneFromLog(fixture, cursor, email);
      await poll(() => !fixture.mails().some((name) => name.includes(form.id)), { timeoutMs: WITHIN_MS });
      await expectNoFileWith(email);
    });

    it('deletes the stored response that shows a form with the form', async () => {
      const email = newEmail();
      const { client } = fixture;
      const headers = { 'idempotency-key': randomUUID() };
      const body = { name: 'Contact', settings: { notifications: { emails: [email] } } };
      const { id } = (await client.post<{ id: string }>('/api/forms', { body, headers, expect: 201 })).body
        .data;

      await client.delete(`/api/forms/${id}`, { expect: 204 });

      const again = await client.post('/api/forms', { body, headers });
      expect([again.status, again.body.code]).toEqual([410, 'ERASED']);
      const dump = join(tempFolder(), 'dump.ndjson');
      await fixture.admin('dump', dump);
      const storedResponses = linesOf(dump).filter((line) => line.startsWith('{"in":"idempotency_keys"'));
      expect(storedResponses.filter((line) => line.includes(email))).toEqual([]);
    });

    it('deletes an account with all of its data', async () => {
      const email = newEmail();
      const { client, product } = fixture;
      await submit(fixture, email);
      const headers = () => ({ 'idempotency-key': randomUUID() });
      const user = { email, name: 'Ada', role: 'reviewer', password: randomUUID() };
      await client.post('/api/users', { body: user, headers: headers(), expect: 201 });
      const byVisitor = { body: { data: { email } }, headers: headers(), expect: 201 };
      await client.post(`/api/forms/${fixture.form.id}/submissions`, byVisitor);
      await sendInbound(client, fixture.inbound, { email }, { headers: headers() });
      const health = `/api/forms/${fixture.form.id}/webhooks/${fixture.webhook.id}/health`;
      await poll(
        async () =>
          (await client.get<WebhookHealthOut>(health, { expect: 200 })).body.data.totals.attempts > 0,
        { what: 'the counted attempts' },
      );
      const { id: accountId } = (await client.get<{ id: string }>('/api/account', { expect: 200 })).body.data;
      await expect(fixture.admin('account', 'delete', accountId)).rejects.toThrow('--yes');

      await fixture.admin('account', 'delete', accountId, '--yes', accountId);

      expect((await client.get('/api/forms')).status).toBe(401);
      expect(await fixture.admin('account', 'list')).not.toContain(accountId);
      const dump = join(tempFolder(), 'dump.ndjson');
      await fixture.admin('dump', dump);
      expect(linesOf(dump).filter((line) => line.startsWith('{"in":"idempotency_keys"'))).toEqual([]);
      expect(
        linesOf(dump).filter((line) => line.startsWith('{"in":"webhook_health"') && line.includes(accountId)),
      ).toEqual([]);
      expect(filesHolding(dump, email)).toBe(false);
      expect(filesHolding(dump, 'team@example.com')).toBe(false);
      await expectNoFileWith(email);
      await product.restart();
      expect((await client.get('/api/forms')).status).toBe(401);
    });
  });
}

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n');

function filesHolding(file: string, text: string): boolean {
  return readFileSync(file, 'utf8').includes(text);
}

describeErasure('erasure on embedded stores', async () => ({}), { isEmbedded: true });

describeWith(['nats', 'mongo'], 'with real backends', () => {
  describeErasure('erasure on NATS and a MongoDB server', startBackends, { isEmbedded: false });
});
