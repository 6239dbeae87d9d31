import { newId, type TaskOut } from '@svcforms/contracts';
import { StoreError } from '@svcforms/document-store';
import { interceptCalls } from '@svcforms/document-store/testing';
import { TASKS } from '@svcforms/records';
import { verifySvcSignature } from '@svcforms/signing';
import { poll, type Client, type ReceivedRequest } from '@svcforms/test-kit';
import { resolveWithOutcome, resolveWithoutOutcome } from '../src/tasks/resolve-task.ts';
import { eventsIn, type HitlFixture } from './fixture.ts';
import { sweepConcurrently } from './concurrent-sweeps.ts';
import { losingFirstResult } from './refusing-store.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const bodyOf = ({ rawBody }: ReceivedRequest) => JSON.parse(rawBody.toString()) as Record<string, unknown>;
const soon = (ms: number) => new Date(Date.now() + ms).toISOString();
/**
 * The shortest lifetime of a task. A process whose clock is this far ahead doesn't have to wait for
 * it.
 */
const SHORTEST_MS = 60_000;
const aheadOfTime = () => Date.now() + SHORTEST_MS;

/** What happens, exactly once, after a task is resolved. */
export function describeCompletion(fixture: () => HitlFixture): void {
  describeEvents(fixture);
  describeConcurrentDecisions(fixture);
  describeConcurrentClaims(fixture);
  describeExpiry(fixture);
  describeCallback(fixture);
  describeCallbackFairness(fixture);
  describeCallbackRetries(fixture);
  describeCallbackRecovery(fixture);
  describeRecovery(fixture);
}

function describeEvents(fixture: () => HitlFixture): void {
  describe('the events of a task', () => {
    it.each([
      ['approval', 'approved'],
      ['approval', 'rejected'],
      ['form', 'submitted'],
    ])('in %s mode that is %s have the documented payloads, key by key', async (decisionMode, outcome) => {
      const { createTask, decide, form, readEvents, owner, listen, until } = fixture();
      const receiver = await listen();
      const reader = await readEvents('*');
      const task = await createTask({
        decisionMode,
        callbackUrl: `${receiver.url}/done`,
        metadata: { run: 'r-1' },
      });
      const { body } = await decide(task, outcome, undefined, { comment: 'So.' });
      const { submissionId, settledAt } = body.data;
      const frames = await reader.waitFor(outcome === 'submitted' ? 3 : 4);
      const ids = { taskId: task.id, hitlTaskId: task.id, templateId: form._id, userId: owner._id };
      const created = {
        type: 'hitl.task.created',
        timestamp: task.createdAt,
        data: { ...ids, priority: 'normal', expiresAt: task.expiresAt },
      };
      const requested = { type: 'decision.requested', timestamp: task.createdAt, data: { formId: form._id } };
      const decided = {
        type: `decision.${outcome}`,
        timestamp: settledAt,
        submissionId,
        data: { formId: form._id, submissionId, decision: { outcome, taskId: task.id } },
      };
      const completed = {
        type: 'hitl.task.completed',
        timestamp: settledAt,
        submissionId,
        data: { ...ids, submissionId, completedAt: settledAt, submission: { amount: 120 } },
      };
      const expected = [created, requested, ...(outcome === 'submitted' ? [] : [decided]), completed];
      expect(eventsIn(reader)).toEqual(expected);
      expect(frames.map(({ event }) => event)).toEqual(expected.map(({ type }) => type));

      const [request] = await receiver.waitFor(1);
      if (!request) throw new Error('no callback received');
      expect(request).toMatchObject({ method: 'POST', path: '/done' });
      expect(bodyOf(request)).toEqual({
        eventType: 'hitl.task.completed',
        timestamp: settledAt,
        taskId: task.id,
        data: {
          taskId: task.id,
          status: 'completed',
          completedAt: settledAt,
          formData: { amount: 120 },
          metadata: {
            outcome,
            submissionId,
            templateId: form._id,
            comment: 'So.',
            decidedBy: fixture().keyId,
            resolvedBy: 'human',
            custom: { run: 'r-1' },
          },
        },
      });
      expect(request.headers).not.toHaveProperty('svc-signature');
      const delivered = await until(task, ({ callback }) => callback?.state === 'delivered', 'the callback');
      expect(delivered.callback).toEqual({
        url: `${receiver.url}/done`,
        state: 'delivered',
        attempts: [
          { at: expect.stringMatching(TIME), status: 200, durationMs: expect.any(Number), responseBody: '' },
        ],
      });
      reader.close();
      await receiver.close();
    });

    it('delay no task while the bus has no position', async () => {
      const { startReplica, createTask, key } = fixture();
      const replica = await startReplica({ position: () => new Promise(() => {}) });
      const startedAt = performance.now();
      const { cursor } = await createTask({}, replica.client(key));
      expect(cursor).toBe('');
      expect(performance.now() - startedAt).toBeLessThan(4_000);
      await replica.stop();
    });

    it('name the assignee as the user, and include the cancellation', async () => {
      const { createTask, client, readEvents, addUser } = fixture();
      const reviewer = await addUser('reviewer');
      const reader = await readEvents('hitl.task.*');
      const task = await createTask({ assignee: reviewer._id });
      await client.post(`/api/mcp/tasks/${task.id}/cancel`, { body: { reason: 'Moot.' }, expect: 200 });
      await reader.waitFor(2);
      const ids = { taskId: task.id, hitlTaskId: task.id, templateId: task.templateId, userId: reviewer._id };
      expect(eventsIn(reader)).toMatchObject([
        { type: 'hitl.task.created', data: ids },
        { type: 'hitl.task.cancelled', data: { ...ids, reason: 'Moot.' } },
      ]);
      reader.close();
    });

    it("include the submission's event if the form has emitSubmissionEvents", async () => {
      const { createTask, decide, readEvents, addForm } = fixture();
      const form = await addForm(undefined, { tasks: { emitSubmissionEvents: true } });
      const reader = await readEvents('form.submission.new,hitl.task.completed');
      const task = await createTask({ templateId: form._id });
      const { submissionId } = (await decide(task, 'approved')).body.data;
      await reader.waitFor(2);
      const submission = eventsIn(reader).find(({ type }) => type === 'form.submission.new');
      expect(submission).toEqual({
        type: 'form.submission.new',
        timestamp: expect.stringMatching(TIME),
        submissionId,
        data: {
          formId: form._id,
          submissionId,
          submission: { amount: 120 },
          metadata: { submittedVia: 'task', taskId: task.id, resolvedBy: 'human' },
        },
      });
      reader.close();
    });
  });
}

function describeConcurrentDecisions(fixture: () => HitlFixture): void {
  describe('fifty concurrent decisions over two processes', () => {
    it('have one winner: one submission, one event of each kind, one callback', async () => {
      const { createTask, decide, key, host, startReplica, readEvents, listen, submissions, until } =
        fixture();
      const other = await startReplica();
      const receiver = await listen();
      const reader = await readEvents('*');
      const task = await createTask({ callbackUrl: receiver.url });
      const clients = [host.client(key), other.client(key)];
      const responses = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          decide(task, n % 4 < 2 ? 'approved' : 'rejected', clients[n % 2]),
        ),
      );
      const winners = responses.filter(({ status }) => status === 200);
      const losers = responses.filter(
        ({ status, body }) => status === 409 && body.code === 'TASK_ALREADY_SETTLED',
      );
      expect([winners.length, losers.length]).toEqual([1, 49]);
      const outcome = winners[0]?.body.data.outcome;
      expect(losers.map(({ body }) => (body as unknown as { outcome: string }).outcome)).toEqual(
        Array(49).fill(outcome),
      );

      await until(task, ({ callback }) => callback?.state === 'delivered', 'the callback');
      const later = await createTask();
      await poll(() => reader.frames.some(({ data }) => data.includes(later.id)), {
        what: 'a later event',
      });
      const ofTask = eventsIn(reader).filter((event) => JSON.stringify(event).includes(task.id));
      expect(ofTask.map(({ type }) => type)).toEqual([
        'hitl.task.created',
        `decision.${outcome}`,
        'hitl.task.completed',
      ]);
      expect(receiver.requests).toHaveLength(1);
      expect(await submissions.count({ formId: task.templateId, 'metadata.taskId': task.id })).toBe(1);
      reader.close();
      await other.stop();
    });
  });
}

function describeConcurrentClaims(fixture: () => HitlFixture): void {
  describe('twenty concurrent claims', () => {
    it('have one winner', async () => {
      const { createTask, host, key, startReplica } = fixture();
      const other = await startReplica();
      const task = await createTask();
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          (n % 2 ? host : other).client(key).post<TaskOut>(`/api/mcp/tasks/${task.id}/claim`),
        ),
      );
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(responses.filter(({ status }) => status === 409)).toHaveLength(19);
      await other.stop();
    });
  });
}

function describeExpiry(fixture: () => HitlFixture): void {
  describe('a task that nobody decides in time', () => {
    it.each([
      ['expire', 'expired', ['hitl.task.expired']],
      ['approve', 'approved', ['decision.approved', 'hitl.task.completed']],
      ['reject', 'rejected', ['decision.rejected', 'hitl.task.completed']],
    ])('with onExpiry %s is %s within two seconds', async (onExpiry, status, types) => {
      const { createTask, readEvents, listen, startReplica, until, client } = fixture();
      const receiver = await listen();
      const reader = await readEvents('hitl.task.*,decision.approved,decision.rejected');
      // A reviewer would have to enter the amount; an expiry isn't checked.
      const task = await createTask({
        onExpiry,
        prefill: {},
        editableFields: ['amount'],
        expiresAt: soon(SHORTEST_MS + 1_000),
        callbackUrl: receiver.url,
        metadata: { run: 'r-2' },
      });
      const ahead = await startReplica({ now: aheadOfTime });
      const ended = await until(task, (now) => now.status !== 'awaiting', 'the end');
      expect(ended.status).toBe(status);
      expect(Date.parse(ended.settledAt ?? '') - Date.parse(task.expiresAt)).toBeLessThan(2_000);
      await reader.waitFor(1 + types.length);
      expect(reader.frames.map(({ event }) => event)).toEqual(['hitl.task.created', ...types]);
      if (status === 'expired') {
        expect(ended).not.toHaveProperty('outcome');
        expect(ended).not.toHaveProperty('submissionId');
        const [request] = await receiver.waitFor(1);
        expect(request?.rawBody.toString()).toBe(
          JSON.stringify({
            eventType: 'hitl.task.expired',
            timestamp: ended.settledAt,
            taskId: task.id,
            data: {
              taskId: task.id,
              status: 'expired',
              completedAt: ended.settledAt,
              formData: {},
              metadata: { templateId: task.templateId, custom: { run: 'r-2' } },
            },
          }),
        );
        await until(task, ({ callback }) => callback?.state === 'delivered', 'the delivered callback');
        expect(receiver.requests).toHaveLength(1);
        expect(await fixture().decide(task, 'approved')).toMatchObject({
          status: 409,
          body: { code: 'TASK_EXPIRED' },
        });
      } else {
        expect(ended).toMatchObject({ outcome: status, resolvedBy: 'expiry', formData: {} });
        expect(ended).not.toHaveProperty('decidedBy');
        const [request] = await receiver.waitFor(1);
        expect(request && bodyOf(request)).toMatchObject({ data: { metadata: { resolvedBy: 'expiry' } } });
        expect((await client.get(`/api/submissions/x`)).status).toBe(404);
        expect(await fixture().submissions.count({ _id: ended.submissionId ?? '' })).toBe(1);
      }
      reader.close();
      await ahead.stop();
    });

    it('is resolved once, by a decision or by its expiry, whichever is first', async () => {
      const { createTask, decide, key, startReplica, until, readEvents } = fixture();
      const reader = await readEvents('hitl.task.expired,hitl.task.completed');
      const ahead = await startReplica({ now: aheadOfTime });
      const client = ahead.client(key);
      const expiresAt = soon(SHORTEST_MS + 1_500);
      const tasks = await Promise.all(Array.from({ length: 20 }, () => createTask({ expiresAt })));
      await poll(() => aheadOfTime() >= Date.parse(expiresAt) - 5, { everyMs: 1 });
      const responses = await Promise.all(tasks.map((task) => decide(task, 'approved', client)));
      for (const [n, task] of tasks.entries()) {
        const ended = await until(task, ({ status }) => status !== 'awaiting', 'the end');
        const response = responses[n];
        if (response?.status === 200) expect(ended.status).toBe('approved');
        else {
          expect(response?.body.code).toBe('TASK_EXPIRED');
          expect(ended.status).toBe('expired');
          expect(Date.parse(ended.settledAt ?? '')).toBeGreaterThanOrEqual(Date.parse(expiresAt));
        }
      }
      const ends = (await reader.waitFor(20)).map(
        ({ data }) => (JSON.parse(data) as { data: { taskId: string } }).data.taskId,
      );
      expect(ends.toSorted()).toEqual(tasks.map(({ id }) => id).toSorted());
      reader.close();
      await ahead.stop();
    });
  });
}

function describeCallback(fixture: () => HitlFixture): void {
  describe('the callback', () => {
    it('is sent once when the store loses the response to its lease', async () => {
      const { startReplica, createTask, decide, key, listen, store, until } = fixture();
      const receiver = await listen();
      const isLease = (update: object) => JSON.stringify(update).includes('"callback.state":"sending"');
      const replica = await startReplica({ store: losingFirstResult(store, TASKS.name, isLease) });
      const task = await createTask({ callbackUrl: receiver.url });
      await decide(task, 'approved', replica.client(key));
      const { callback } = await until(task, (now) => now.callback?.state === 'delivered', 'the callback');
      expect(callback?.attempts).toHaveLength(1);
      expect(receiver.requests).toHaveLength(1);
      await replica.stop();
    });

    it('of a cancelled task is sent once, even when ten requests cancel it on two processes', async () => {
      const { createTask, key, host, startReplica, listen, until } = fixture();
      const other = await startReplica();
      const receiver = await listen();
      const task = await createTask({
        callbackUrl: receiver.url,
        callbackSecret: 'a callback secret',
        metadata: { run: 'r-3' },
      });
      const responses = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          (n % 2 ? host : other)
            .client(key)
            .post(`/api/mcp/tasks/${task.id}/cancel`, { body: { reason: 'Moot.' } }),
        ),
      );
      expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
      const delivered = ({ callback }: TaskOut) => callback?.state === 'delivered';
      const { settledAt } = await until(task, delivered, 'the callback');
      await host.client(key).post(`/api/mcp/tasks/${task.id}/callback/redeliver`, { expect: 202 });
      const [first, second] = await receiver.waitFor(2);
      await until(task, (now) => delivered(now) && now.callback?.attempts.length === 2, 'the redelivery');
      expect(receiver.requests).toHaveLength(2);
      expect(first?.rawBody.toString()).toBe(
        JSON.stringify({
          eventType: 'hitl.task.cancelled',
          timestamp: settledAt,
          taskId: task.id,
          data: {
            taskId: task.id,
            status: 'cancelled',
            completedAt: settledAt,
            formData: {},
            metadata: { templateId: task.templateId, reason: 'Moot.', custom: { run: 'r-3' } },
          },
        }),
      );
      expect(second?.rawBody.toString()).toBe(first?.rawBody.toString());
      expect(first?.headers['webhook-id']).toMatch(/^evt_/);
      expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
      await other.stop();
    });

    it('of a task that an older version cancelled stays pending until it is redelivered', async () => {
      const { createTask, client, listen, tasks, until } = fixture();
      const receiver = await listen();
      const task = await createTask({ callbackUrl: receiver.url, callbackSecret: 'a callback secret' });
      const settledAt = soon(0);
      await tasks.updateOne(
        { _id: task.id },
        { $set: { status: 'cancelled', settledAt }, $unset: { dueAt: true } },
      );
      await client.post(`/api/mcp/tasks/${task.id}/callback/redeliver`, { expect: 202 });
      await until(task, ({ callback }) => callback?.state === 'delivered', 'the callback');
      expect(receiver.requests).toHaveLength(1);
      expect(receiver.requests[0]?.headers['webhook-id']).toMatch(/^evt_/);
    });

    it('has the same webhook-id on every attempt, even without a secret', async () => {
      const { createTask, client, listen, until } = fixture();
      const receiver = await listen();
      const task = await createTask({ callbackUrl: receiver.url });
      await client.post(`/api/mcp/tasks/${task.id}/cancel`, { expect: 200 });
      await until(task, ({ callback }) => callback?.state === 'delivered', 'the callback');
      await client.post(`/api/mcp/tasks/${task.id}/callback/redeliver`, { expect: 202 });
      const [first, second] = await receiver.waitFor(2);
      expect(first?.headers['webhook-id']).toMatch(/^evt_/);
      expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
      expect(first?.headers).not.toHaveProperty('webhook-signature');
      await until(task, ({ callback }) => callback?.attempts.length === 2, 'the redelivery');
    });

    it('is signed like a webhook if the task has a secret, and no response includes the secret', async () => {
      const { createTask, decide, listen, tasks } = fixture();
      const receiver = await listen();
      const callbackSecret = 'a callback secret';
      const task = await createTask({ callbackUrl: receiver.url, callbackSecret });
      await decide(task, 'approved');
      const [request] = await receiver.waitFor(1);
      if (!request) throw new Error('no callback received');
      expect(request.headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'SvcForms-Webhooks/1',
        'webhook-id': expect.stringMatching(/^evt_/),
        'webhook-signature': expect.stringMatching(/^v1,/),
      });
      const verdict = verifySvcSignature({
        header: request.headers['svc-signature']?.toString(),
        body: request.rawBody,
        secrets: [callbackSecret],
        now: Math.floor(Date.now() / 1000),
      });
      expect(verdict.ok).toBe(true);
      expect(JSON.stringify(task)).not.toContain(callbackSecret);
      expect(JSON.stringify(await tasks.findOne({ _id: task.id }))).not.toContain(callbackSecret);
    });

    it.each([
      ['returns 500', { status: 500, body: 'no' }, { status: 500, responseBody: 'no' }],
      ['redirects', { status: 302, headers: { location: '/x' } }, { status: 302 }],
      ['resets the connection', 'reset' as const, { error: expect.any(String) }],
      ['hangs', 'hang' as const, { error: 'timeout' }],
    ])(
      'is sent once to an endpoint that %s, and fails; a redelivery sends it again',
      async (_, response, attempt) => {
        const { startReplica, createTask, decide, key, listen, until } = fixture();
        let isWell = false;
        const receiver = await listen(() => (isWell ? {} : response));
        const impatient = await startReplica({ callbackTimeoutMs: 300 });
        const client = impatient.client(key);
        const task = await createTask({ callbackUrl: receiver.url });
        await decide(task, 'approved', client);
        const failed = await until(task, ({ callback }) => callback?.state === 'failed', 'the failure');
        expect(failed.callback?.attempts).toEqual([expect.objectContaining(attempt)]);
        expect(receiver.requests).toHaveLength(1);

        isWell = true;
        const path = `/api/mcp/tasks/${task.id}/callback/redeliver`;
        await client.post(path, { expect: 202 });
        const delivered = await until(
          task,
          ({ callback }) => callback?.state === 'delivered',
          'the redelivery',
        );
        expect(delivered.callback?.attempts).toHaveLength(2);
        const [first, second] = await receiver.waitFor(2);
        expect(second?.rawBody.toString()).toBe(first?.rawBody.toString());
        await impatient.stop();
        await receiver.close();
      },
    );
  });
}

function describeCallbackFairness(fixture: () => HitlFixture): void {
  describe('an account with many callbacks that hang', () => {
    it('sends 16 at once, and delays no callback of another account', async () => {
      const { createTask, client, keyWith, form, forms, tasks, accountId, listen } = fixture();
      const hanging = await listen(() => 'hang');
      const receiver = await listen();
      const otherForm = { ...form, _id: newId('frm'), accountId: newId('acc') };
      const other = await keyWith(['*'], otherForm.accountId);
      await forms.insertOne(otherForm);
      const end = async (by: Client, callbackUrl: string, templateId = form._id) => {
        const { id } = await createTask({ callbackUrl, templateId }, by);
        await by.post(`/api/mcp/tasks/${id}/cancel`, { body: {}, expect: 200 });
        return id;
      };
      await Promise.all(Array.from({ length: 120 }, () => end(client, hanging.url)));
      const id = await end(other.client, receiver.url, otherForm._id);
      await receiver.waitFor(1);
      expect(hanging.requests).toHaveLength(16);

      // Now only a sweep finds it, after those of the first account.
      const due = { 'callback.state': 'pending', callbackDue: soon(-1_000) } as const;
      await tasks.updateMany(
        { accountId, 'callback.state': 'pending' },
        { $set: { callbackDue: soon(-60_000) } },
      );
      await tasks.updateOne({ _id: id }, { $set: due });
      await receiver.waitFor(2);
      await hanging.close();
      await receiver.close();
    });
  });
}

function describeCallbackRetries(fixture: () => HitlFixture): void {
  describe('a callback with retries', () => {
    const callbackSecret = 'a callback secret';

    it('is repeated after failures with the same body and id until the endpoint accepts it', async () => {
      const { createTask, client, listen, until } = fixture();
      let requests = 0;
      const receiver = await listen(() => (++requests < 3 ? { status: 500, body: 'no' } : {}));
      const input = { callbackUrl: receiver.url, callbackSecret, callbackRetries: true };
      const task = await createTask(input);
      expect(task.callback).toEqual({ url: receiver.url, state: 'pending', attempts: [], retries: true });
      await client.post(`/api/mcp/tasks/${task.id}/cancel`, { expect: 200 });
      const delivered = await until(task, ({ callback }) => callback?.state === 'delivered', 'the callback');
      expect(delivered.callback).toEqual({
        url: receiver.url,
        state: 'delivered',
        retries: true,
        attempts: [500, 500, 200].map((status) => expect.objectContaining({ status })),
      });
      expect(receiver.requests).toHaveLength(3);
      expect(new Set(receiver.requests.map(({ rawBody }) => rawBody.toString())).size).toBe(1);
      const ids = new Set(receiver.requests.map(({ headers }) => headers['webhook-id']));
      expect([...ids]).toEqual([expect.stringMatching(/^evt_/)]);
      const { body } = await client.get<{ event: string; state: string }[]>(
        `/api/mcp/tasks/${task.id}/history`,
      );
      expect(body.data.filter(({ event }) => event === 'callback').map(({ state }) => state)).toEqual([
        'failed',
        'failed',
        'delivered',
      ]);
    });

    it.each([
      ['after its last attempt', 500, 3],
      ['at once when the endpoint is gone', 410, 1],
    ])('fails %s, and can be redelivered, which starts over', async (_, status, attempts) => {
      const { createTask, decide, client, listen, until } = fixture();
      const receiver = await listen(() => ({ status }));
      const task = await createTask({ callbackUrl: receiver.url, callbackRetries: true });
      await decide(task, 'approved');
      const hasFailed = ({ callback }: TaskOut) => callback?.state === 'failed';
      expect((await until(task, hasFailed, 'the failure')).callback?.attempts).toHaveLength(attempts);
      await client.post(`/api/mcp/tasks/${task.id}/callback/redeliver`, { expect: 202 });
      const again = (now: TaskOut) => hasFailed(now) && now.callback?.attempts.length === 2 * attempts;
      await until(task, again, 'the second failure');
      expect(receiver.requests).toHaveLength(2 * attempts);
    });

    it('shows when it is repeated, waits as long as the endpoint asks, and can be sent earlier', async () => {
      const { createTask, decide, client, listen, until } = fixture();
      let isWell = false;
      const receiver = await listen(() =>
        isWell ? {} : { status: 503, headers: { 'retry-after': '3600' } },
      );
      const task = await createTask({ callbackUrl: receiver.url, callbackRetries: true });
      await decide(task, 'approved');
      const isWaiting = ({ callback }: TaskOut) => callback?.nextAttemptAt !== undefined;
      const { callback } = await until(task, isWaiting, 'the time of the next attempt');
      expect(callback?.state).toBe('pending');
      const pauseMs = Date.parse(callback?.nextAttemptAt ?? '') - Date.parse(callback?.attempts[0]?.at ?? '');
      expect(Math.abs(pauseMs - 3_600_000)).toBeLessThan(10_000);
      expect(receiver.requests).toHaveLength(1);

      isWell = true;
      await client.post(`/api/mcp/tasks/${task.id}/callback/redeliver`, { expect: 202 });
      await until(task, (now) => now.callback?.state === 'delivered', 'the callback');
      expect(receiver.requests).toHaveLength(2);
    });

    it('is sent again when its process dies before the response', async () => {
      const { startReplica, createTask, decide, key, listen, until } = fixture();
      const receiver = await listen();
      const dying = await startReplica({
        client: {
          post: async ({ url, body, headers }) => {
            await fetch(url, { method: 'POST', body: Buffer.from(body), headers: { ...headers } });
            throw Object.assign(new Error('gone'), { code: 'CLIENT_CLOSED' });
          },
        },
      });
      const task = await createTask({ callbackUrl: receiver.url, callbackSecret, callbackRetries: true });
      await decide(task, 'approved', dying.client(key));
      await receiver.waitFor(1);
      await dying.stop();
      const later = await startReplica({ now: () => Date.now() + 3_600_000 });
      await until(task, ({ callback }) => callback?.state === 'delivered', 'the callback');
      expect(receiver.requests).toHaveLength(2);
      const [first, second] = receiver.requests;
      expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
      await later.stop();
    });

    it('is not repeated after its values were erased', async () => {
      const { createTask, decide, client, listen, until } = fixture();
      const receiver = await listen(() => ({ status: 503, headers: { 'retry-after': '2' } }));
      const task = await createTask({ callbackUrl: receiver.url, callbackRetries: true });
      await decide(task, 'approved');
      const isWaiting = ({ callback }: TaskOut) => callback?.nextAttemptAt !== undefined;
      const { callback } = await until(task, isWaiting, 'the retry');
      await client.delete(`/api/mcp/tasks/${task.id}`, { expect: 204 });
      // The callback of a later task is repeated after the erased one would be.
      const other = await createTask({ callbackUrl: receiver.url, callbackRetries: true });
      await decide(other, 'approved');
      await receiver.waitFor(3);
      expect(Date.now()).toBeGreaterThan(Date.parse(callback?.nextAttemptAt ?? ''));
      const taskIds = receiver.requests.map((request) => bodyOf(request)['taskId']);
      expect(taskIds).toEqual([task.id, other.id, other.id]);
    });

    it('needs a callbackUrl', async () => {
      const { client, form } = fixture();
      const body = { templateId: form._id, prefill: { amount: 1 }, callbackRetries: true };
      expect(await client.post('/api/mcp/tasks', { body })).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/callbackRetries' }] },
      });
    });
  });
}

function describeCallbackRecovery(fixture: () => HitlFixture): void {
  describe('the callback of a process that dies', () => {
    it("becomes unknown and isn't sent again when its process dies before the response", async () => {
      const { startReplica, createTask, decide, key, listen, until, client } = fixture();
      const receiver = await listen();
      const hour = 3_600_000;
      // It sends the request but never gets the response.
      const dying = await startReplica({
        client: {
          post: async ({ url, body }) => {
            await fetch(url, { method: 'POST', body: Buffer.from(body) });
            throw Object.assign(new Error('gone'), { code: 'CLIENT_CLOSED' });
          },
        },
      });
      const task = await createTask({ callbackUrl: receiver.url });
      await decide(task, 'approved', dying.client(key));
      await receiver.waitFor(1);
      expect((await until(task, () => true, 'the task')).callback?.state).toBe('sending');
      const conflict = await client.post(`/api/mcp/tasks/${task.id}/callback/redeliver`);
      expect(conflict).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });

      const later = await startReplica({ now: () => Date.now() + hour });
      await until(task, ({ callback }) => callback?.state === 'unknown', 'the state unknown');
      expect(receiver.requests).toHaveLength(1);
      await later.stop();
      await dying.stop();
    });

    it('becomes delivered if its process was only suspended, and then gets the response', async () => {
      const { startReplica, createTask, decide, key, listen, until } = fixture();
      let respond = () => {};
      const responded = new Promise<void>((resolve) => (respond = resolve));
      const receiver = await listen(() => responded.then(() => ({})));
      const suspended = await startReplica();
      const task = await createTask({ callbackUrl: receiver.url });
      await decide(task, 'approved', suspended.client(key));
      await receiver.waitFor(1);
      // For this one, the lease is over.
      const later = await startReplica({ now: () => Date.now() + 3_600_000 });
      await until(task, ({ callback }) => callback?.state === 'unknown', 'the state unknown');

      respond();
      const { callback } = await until(task, (now) => now.callback?.state === 'delivered', 'the result');
      expect(callback?.attempts).toMatchObject([{ status: 200 }]);
      expect(receiver.requests).toHaveLength(1);
      await later.stop();
      await suspended.stop();
    });

    it('is sent once when two processes find it due at the same time', async () => {
      const { startReplica, createTask, listen, tasks, store, until } = fixture();
      let respond = () => {};
      const responded = new Promise<void>((resolve) => (respond = resolve));
      const receiver = await listen(() => responded.then(() => ({})));
      const task = await createTask({ callbackUrl: receiver.url });
      const record = await tasks.findOne({ _id: task.id });
      if (!record) throw new Error('no task');

      // Its process resolved it and died. The callback is due in an hour, and the clocks of both
      // replicas are two hours ahead.
      const hour = 3_600_000;
      const dyingProcess: Pick<typeof tasks, 'findOneAndUpdate'> = {
        findOneAndUpdate: (filter, { $set, ...update }) =>
          tasks.findOneAndUpdate(filter, { ...update, $set: { ...$set, callbackDue: soon(hour) } }),
      };
      const end = { outcome: 'approved', formData: '{}', by: 'usr_gone', emitsSubmission: false } as const;
      await resolveWithOutcome({ tasks: dyingProcess, now: Date.now }, record, end);
      const together = sweepConcurrently(store, task.id);
      const options = { store: together.store, now: () => Date.now() + 2 * hour };
      const both = [await startReplica(options), await startReplica(options)];
      await poll(() => together.tries() === 2, { what: 'the tries of both' });

      respond();
      await until(task, ({ callback }) => callback?.state === 'delivered', 'the callback');
      expect(receiver.requests).toHaveLength(1);
      await Promise.all(both.map((each) => each.stop()));
      await receiver.close();
    });

    it('is reported while no process can send it', async () => {
      const { startReplica, createTask, listen, tasks, store } = fixture();
      const task = await createTask({ callbackUrl: (await listen()).url });
      const hour = 3_600_000;
      const refusing = interceptCalls(store, (call, { collection, method }) =>
        collection === TASKS.name && method === 'findOneAndUpdate'
          ? async () => {
              throw new StoreError('UNAVAILABLE', 'the test refuses every lease');
            }
          : call,
      );
      const replica = await startReplica({ store: refusing, now: () => Date.now() + 2 * hour });
      const seconds = async () => {
        const text = await (await fetch(`${replica.url}/metrics`)).text();
        return Number(/^svc_callbacks_oldest_due_seconds (\S+)$/m.exec(text)?.[1]);
      };
      expect(await seconds()).toBe(0);
      // For the other replica, it isn't due yet.
      await tasks.updateOne({ _id: task.id }, { $set: { callbackDue: soon(hour) } });
      expect(await seconds()).toBeGreaterThan(3_590);
      await replica.stop();
    });

    it("can't be redelivered before the task ends", async () => {
      const { createTask, client } = fixture();
      for (const input of [{}, { callbackUrl: 'http://127.0.0.1:9/' }]) {
        const task = await createTask(input);
        const response = await client.post(`/api/mcp/tasks/${task.id}/callback/redeliver`);
        expect(response).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
      }
    });
  });
}

function describeRecovery(fixture: () => HitlFixture): void {
  describe('a process that dies right after it resolves a task', () => {
    it('leaves the rest to another, which stores the submission, then publishes and sends the callback, once', async () => {
      const { createTask, tasks, submissions, readEvents, listen, until } = fixture();
      const receiver = await listen();
      const reader = await readEvents('decision.approved,hitl.task.completed');
      const task = await createTask({ callbackUrl: receiver.url });
      // It died after the update, a while ago.
      const past = () => Date.now() - 30_000;
      const record = await tasks.findOne({ _id: task.id });
      if (!record) throw new Error('no task');
      const resolved = await resolveWithOutcome({ tasks, now: past }, record, {
        outcome: 'approved',
        formData: '{"amount":1}',
        by: 'usr_gone',
        emitsSubmission: false,
      });
      await reader.waitFor(2);
      expect(reader.frames.map(({ event }) => event)).toEqual(['decision.approved', 'hitl.task.completed']);
      expect(await submissions.count({ _id: resolved?.submissionId ?? '' })).toBe(1);
      await until(task, ({ callback }) => callback?.state === 'delivered', 'the callback');

      // A cancellation has no submission to store.
      const dropped = await createTask({ callbackUrl: receiver.url });
      const droppedRecord = await tasks.findOne({ _id: dropped.id });
      if (!droppedRecord) throw new Error('no task');
      await resolveWithoutOutcome({ tasks, now: past }, droppedRecord, {
        status: 'cancelled',
        by: 'usr_gone',
        requestId: 'req_gone',
      });
      await until(dropped, ({ callback }) => callback?.state === 'delivered', 'the callback');

      // The submission is stored before the events of tasks without a callback, too.
      const plain = await createTask();
      const plainRecord = await tasks.findOne({ _id: plain.id });
      if (!plainRecord) throw new Error('no task');
      const end = { outcome: 'approved', formData: '{}', by: 'usr_gone', emitsSubmission: false } as const;
      const left = await resolveWithOutcome({ tasks, now: past }, plainRecord, end);
      await reader.waitFor(4);
      expect(await submissions.count({ _id: left?.submissionId ?? '' })).toBe(1);
      await poll(async () => !(await tasks.findOne({ _id: task.id }))?.pendingEvents, { what: 'the end' });
      expect(reader.frames).toHaveLength(4);
      expect(receiver.requests).toHaveLength(2);
      reader.close();
    });
  });
}
