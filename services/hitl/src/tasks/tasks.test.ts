import { newId, type TaskHistoryOut, type TaskOut } from '@svcforms/contracts';
import { StoreError } from '@svcforms/document-store';
import { interceptCalls, watchFinds } from '@svcforms/document-store/testing';
import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import { AUDIT_LOG, type AuditRecord } from '@svcforms/http';
import { API_KEYS, GROUPS, USERS, type ApiKeyRecord, type GroupRecord } from '@svcforms/identity';
import { TASKS } from '@svcforms/records';
import { poll } from '@svcforms/test-kit';
import { eventsIn, openFixture, type HitlFixture } from '../../test/fixture.ts';
import { refusingFirst } from '../../test/refusing-store.ts';

let fixture: HitlFixture;
beforeAll(async () => {
  fixture = await openFixture(openEmbeddedPair());
});

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('creating a task', () => {
  it('returns the task, its location and an event cursor from before it', async () => {
    const { client, form, keyId } = fixture;
    const body = {
      templateId: form._id,
      title: 'Refund?',
      prefill: { amount: '120', reason: 'lost' },
      metadata: { run: 'r-1', 'a.b': { $x: 1 } },
    };
    const response = await client.post<TaskOut>('/api/mcp/tasks', { body, expect: 201 });
    const { data } = response.body;
    expect(data).toEqual({
      id: expect.stringMatching(/^tsk_[0-9A-Z]{26}$/),
      hitlTaskId: data.id,
      templateId: form._id,
      title: 'Refund?',
      prefill: { amount: 120, reason: 'lost' },
      decisionMode: 'approval',
      priority: 'normal',
      status: 'awaiting',
      valuesDigest: expect.stringMatching(/^[\w-]{43}$/),
      createdBy: keyId,
      createdByName: 'Test',
      expiresAt: expect.stringMatching(TIME),
      onExpiry: 'expire',
      metadata: { run: 'r-1', 'a.b': { $x: 1 } },
      createdAt: expect.stringMatching(TIME),
    });
    expect(Date.parse(data.expiresAt) - Date.parse(data.createdAt)).toBe(604_800_000);
    expect(response.headers.get('location')).toBe(`/api/mcp/tasks/${data.id}`);
    expect(response.headers.get('svc-event-cursor')).toMatch(/^[0-9a-z]+-\d+$/);
    expect((await client.get(`/api/mcp/tasks/${data.id}`)).body.data).toEqual(data);
  });

  it.each([
    [{ prefill: { amount: 'many' } }, '/prefill/amount'],
    [{ prefill: { amount: 1001 } }, '/prefill/amount'],
    [{ prefill: { colour: 'red' } }, '/prefill/colour'],
    [{ editableFields: ['amount', 'colour'] }, '/editableFields/1'],
    [{ expiresInSeconds: 59 }, '/expiresInSeconds'],
    [{ expiresInSeconds: 31_536_001 }, '/expiresInSeconds'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt'],
    [{ expiresAt: '2199-01-01T00:00:00Z' }, '/expiresAt'],
    [{ expiresAt: 'tomorrow' }, '/expiresAt'],
    [{ expiresAt: '2027-01-01T00:00:00Z', expiresInSeconds: 60 }, '/expiresInSeconds'],
    [{ priority: 'huge' }, '/priority'],
    [{ decisionMode: 'form', onExpiry: 'approve' }, '/onExpiry'],
    [{ callbackUrl: 'https://10.0.0.1/x' }, '/callbackUrl'],
    [{ callbackUrl: 'nonsense' }, '/callbackUrl'],
    [{ callbackSecret: 'long enough, but for nobody' }, '/callbackSecret'],
    [{ callbackUrl: 'https://8.8.8.8/x', callbackSecret: 'fifteen chars--' }, '/callbackSecret'],
    [{ assignee: newId('usr') }, '/assignee'],
    [{ color: 'red' }, '/color'],
    [{ title: ' \t\u3000' }, '/title'],
  ])('rejects a task with %j, and says where', async (input, pointer) => {
    const body = { templateId: fixture.form._id, ...input };
    const response = await fixture.client.post('/api/mcp/tasks', { body, expect: 422 });
    expect(response.body.errors?.map((issue) => issue.pointer)).toEqual([pointer]);
  });

  it('rejects more than 16 KiB of metadata', async () => {
    const body = { templateId: fixture.form._id, metadata: { text: 'x'.repeat(16 * 1024) } };
    const response = await fixture.client.post('/api/mcp/tasks', { body, expect: 422 });
    expect(response.body.errors?.map((issue) => issue.pointer)).toEqual(['/metadata']);
  });

  it('rejects a number that is too large for a double, which would be stored as null', async () => {
    const rawBody = `{"templateId":"${fixture.form._id}","metadata":{"runs":[0,-1e400]}}`;
    const response = await fixture.client.post('/api/mcp/tasks', { rawBody, expect: 422 });
    expect(response.body.errors).toEqual([
      { pointer: '/metadata/runs/1', message: expect.stringContaining('1.8e308') },
    ]);
  });

  it.each(['prefill', 'metadata'])('rejects the key __proto__ in %s, which would be lost', async (name) => {
    const rawBody = `{"templateId":"${fixture.form._id}","${name}":{"__proto__":{"amount":1}}}`;
    const response = await fixture.client.post('/api/mcp/tasks', { rawBody, expect: 422 });
    expect(response.body.errors?.map((issue) => issue.pointer)).toEqual([`/${name}/__proto__`]);
  });

  it('rejects a decision with the key __proto__', async () => {
    const { id } = await fixture.createTask();
    const rawBody = '{"outcome":"approved","fields":{"__proto__":{"amount":1}}}';
    const response = await fixture.client.post(`/api/mcp/tasks/${id}/decision`, { rawBody, expect: 422 });
    expect(response.body.errors?.map((issue) => issue.pointer)).toEqual(['/fields/__proto__']);
  });

  it('checks and stores the prefill of a field that logic hides like any other', async () => {
    const { _id: templateId } = await fixture.addForm([
      { name: 'kind', type: 'text' },
      { name: 'count', type: 'number', showIf: { field: 'kind', equals: 'several' } },
    ]);
    const body = { templateId, prefill: { kind: 'one', count: 'many' } };
    const response = await fixture.client.post('/api/mcp/tasks', { body, expect: 422 });
    expect(response.body.errors?.map((issue) => issue.pointer)).toEqual(['/prefill/count']);
    const prefill = { count: '2', kind: 'one' };
    expect((await fixture.createTask({ templateId, prefill })).prefill).toEqual({ count: 2, kind: 'one' });
  });

  it("doesn't require prefill values for editable fields", async () => {
    const input = { prefill: {}, editableFields: ['amount'] };
    expect((await fixture.createTask(input)).prefill).toEqual({});
  });

  it.each(['frm_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'nonsense'])(
    'returns 404 for the form %s',
    async (templateId) => {
      await fixture.client.post('/api/mcp/tasks', { body: { templateId }, expect: 404 });
    },
  );

  it("returns 404 for another account's form", async () => {
    const { client } = await fixture.keyWith(['*'], newId('acc'));
    await client.post('/api/mcp/tasks', { body: { templateId: fixture.form._id }, expect: 404 });
  });

  it('returns the first task for the same dedupeKey of the same account', async () => {
    const first = await fixture.createTask({ dedupeKey: 'refund 1' });
    const body = { templateId: fixture.form._id, prefill: { amount: 120 }, dedupeKey: 'refund 1' };
    const second = await fixture.client.post<TaskOut>('/api/mcp/tasks', { body, expect: 200 });
    expect(second.body.data.id).toBe(first.id);
    expect(second.headers.get('location')).toBe(`/api/mcp/tasks/${first.id}`);
    expect(second.headers.get('svc-event-cursor')).toBe(first.cursor);

    const other = await fixture.createTask({ dedupeKey: 'refund 2' });
    expect(other.id).not.toBe(first.id);
  });

  it('returns the cursor from before the task to a repeated request whose first response was lost', async () => {
    const replica = await fixture.startReplica({ store: refusingFirst(fixture.store, AUDIT_LOG.name) });
    const headers = { 'Idempotency-Key': newId('evt') };
    const body = { templateId: fixture.form._id, prefill: { amount: 120 }, title: newId('evt') };
    const create = () => replica.client(fixture.key).post<TaskOut>('/api/mcp/tasks', { body, headers });
    const reader = await fixture.readEvents('decision.requested');
    expect((await create()).status).toBe(503);
    await reader.waitFor(1);
    const repeated = await create();
    expect(repeated.status).toBe(201);
    const lastEventId = repeated.headers.get('svc-event-cursor') ?? '';
    const again = await fixture.readEvents('hitl.task.created', { lastEventId });
    await again.waitFor(1);
    expect(eventsIn(again)).toMatchObject([{ data: { taskId: repeated.body.data.id } }]);
    await replica.stop();
  });

  it('creates one task for parallel requests with one dedupeKey', async () => {
    const body = { templateId: fixture.form._id, prefill: { amount: 120 }, dedupeKey: 'at once' };
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => fixture.client.post<TaskOut>('/api/mcp/tasks', { body })),
    );
    expect(new Set(responses.map(({ body: { data } }) => data.id)).size).toBe(1);
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(9);
  });

  it('returns the id of the assignee for an id and for an email', async () => {
    const reviewer = await fixture.addUser('reviewer');
    expect((await fixture.createTask({ assignee: reviewer._id })).assignee).toBe(reviewer._id);
    expect((await fixture.createTask({ assignee: reviewer.email.toUpperCase() })).assignee).toBe(
      reviewer._id,
    );
    const stranger = await fixture.addUser('reviewer', newId('acc'));
    const body = { templateId: fixture.form._id, assignee: stranger._id };
    await fixture.client.post('/api/mcp/tasks', { body, expect: 422 });
  });
});

describe('a decision', () => {
  it('approves with the edited values and stores a submission', async () => {
    const task = await fixture.createTask({ editableFields: ['amount'] });
    const { status, body } = await fixture.decide(task, 'approved', fixture.client, {
      fields: { amount: '100' },
      comment: 'Less.',
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      status: 'approved',
      outcome: 'approved',
      formData: { amount: 100 },
      comment: 'Less.',
      decidedBy: fixture.keyId,
      resolvedBy: 'human',
      settledAt: expect.stringMatching(TIME),
    });
    const { submissionId = '', settledAt = '' } = body.data;
    expect(await fixture.submissions.findOne({ _id: submissionId })).toMatchObject({
      formId: fixture.form._id,
      data: '{"amount":100}',
      metadata: { submittedVia: 'task', taskId: task.id },
      createdAt: settledAt,
    });
  });

  it('rejects without checking the values', async () => {
    const task = await fixture.createTask({ prefill: {}, editableFields: ['amount'] });
    const { body } = await fixture.decide(task, 'rejected');
    expect(body.data).toMatchObject({
      status: 'rejected',
      formData: {},
      submissionId: expect.stringMatching(/^sub_/),
    });
  });

  it('submits the values of any field in form mode', async () => {
    const task = await fixture.createTask({ decisionMode: 'form', prefill: { reason: 'lost' } });
    const refused = await fixture.decide(task, 'submitted', fixture.client, { fields: { reason: 'found' } });
    expect(refused.body.errors).toEqual([{ pointer: '/fields/amount', message: 'is required' }]);
    const { body } = await fixture.decide(task, 'submitted', fixture.client, { fields: { amount: 7 } });
    expect(body.data).toMatchObject({ status: 'submitted', formData: { amount: 7, reason: 'lost' } });
  });

  it.each([
    [{}, { outcome: 'submitted' }, '/outcome'],
    [{ decisionMode: 'form' }, { outcome: 'approved' }, '/outcome'],
    [{ decisionMode: 'form' }, { outcome: 'rejected' }, '/outcome'],
    [{}, { outcome: 'maybe' }, '/outcome'],
    [{}, { outcome: 'approved', fields: { amount: 1 } }, '/fields/amount'],
    [{ editableFields: ['reason'] }, { outcome: 'rejected', fields: { amount: 1 } }, '/fields/amount'],
    [{ editableFields: ['amount'] }, { outcome: 'approved', fields: { amount: 'x' } }, '/fields/amount'],
    [{ editableFields: ['amount'] }, { outcome: 'approved', fields: { amount: '' } }, '/fields/amount'],
    [{ prefill: {}, editableFields: ['amount'] }, { outcome: 'approved' }, '/fields/amount'],
    [{ requireComment: ['rejected'] }, { outcome: 'rejected' }, '/comment'],
    [{ requireComment: ['rejected'] }, { outcome: 'rejected', comment: ' ' }, '/comment'],
    [{ requireComment: ['rejected'] }, { outcome: 'rejected', comment: '\u200b' }, '/comment'],
    [{ rejectOptions: ['Too much'] }, { outcome: 'rejected', rejectOption: 'Else' }, '/rejectOption'],
    [{ rejectOptions: ['Too much'] }, { outcome: 'approved', rejectOption: 'Too much' }, '/rejectOption'],
    [{}, { outcome: 'approved', colour: 'red' }, '/colour'],
  ])('on a task with %j refuses %j at %s, and leaves the task awaited', async (input, body, pointer) => {
    const task = await fixture.createTask(input);
    const response = await fixture.client.post(`/api/mcp/tasks/${task.id}/decision`, { body, expect: 422 });
    expect(response.body.errors?.map((issue) => issue.pointer)).toEqual([pointer]);
    expect((await fixture.client.get<TaskOut>(`/api/mcp/tasks/${task.id}`)).body.data.status).toBe(
      'awaiting',
    );
  });

  it('accepts the required comment and a reject option of the task', async () => {
    const task = await fixture.createTask({ requireComment: ['rejected'], rejectOptions: ['Too much'] });
    const more = { comment: 'No.', rejectOption: 'Too much' };
    expect((await fixture.decide(task, 'rejected', fixture.client, more)).body.data).toMatchObject(more);
  });

  it('is accepted once; the second request gets the outcome of the first', async () => {
    const task = await fixture.createTask();
    await fixture.decide(task, 'approved');
    const again = await fixture.decide(task, 'rejected', fixture.client, { fields: { nonsense: 1 } });
    expect(again).toMatchObject({ status: 409, body: { code: 'TASK_ALREADY_SETTLED', outcome: 'approved' } });
  });

  it("needs tasks:decide, so the key of an agent can't decide its own task", async () => {
    const agent = await fixture.keyWith(['tasks:create', 'tasks:read', 'tasks:manage']);
    const task = await fixture.createTask({}, agent.client);
    expect(await fixture.decide(task, 'approved', agent.client)).toMatchObject({
      status: 403,
      body: { code: 'INSUFFICIENT_SCOPE', requiredScope: 'tasks:decide' },
    });
  });

  it('is impossible after the form was deleted; the task can be cancelled', async () => {
    const form = await fixture.addForm();
    const task = await fixture.createTask({ templateId: form._id });
    await fixture.forms.deleteOne({ _id: form._id });
    expect(await fixture.decide(task, 'approved')).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    await fixture.client.post(`/api/mcp/tasks/${task.id}/cancel`, { expect: 200 });
  });
});

describe('a claim', () => {
  it('is exclusive: others get the claimant and can neither decide nor release', async () => {
    const task = await fixture.createTask();
    const path = `/api/mcp/tasks/${task.id}`;
    const other = await fixture.keyWith(['*']);
    const { body } = await fixture.client.post<TaskOut>(`${path}/claim`, { expect: 200 });
    expect(body.data.claim).toEqual({ by: fixture.keyId, until: expect.stringMatching(TIME) });
    const until = Date.parse(body.data.claim?.until ?? '');
    expect(Math.abs(until - Date.now() - 15 * 60_000)).toBeLessThan(10_000);

    const refusal = {
      status: 409,
      body: { code: 'TASK_CLAIMED', claimedBy: fixture.keyId, claimedUntil: body.data.claim?.until },
    };
    expect(await other.client.post(`${path}/claim`)).toMatchObject(refusal);
    expect(await other.client.post(`${path}/release`)).toMatchObject(refusal);
    expect(await fixture.decide(task, 'approved', other.client)).toMatchObject(refusal);

    const released = await fixture.client.post<TaskOut>(`${path}/release`, { expect: 200 });
    expect(released.body.data).not.toHaveProperty('claim');
    await other.client.post(`${path}/release`, { expect: 200 });
    expect((await fixture.decide(task, 'approved', other.client)).status).toBe(200);
  });

  it('has one entry in the audit log for its release, however often a task is released', async () => {
    const { id } = await fixture.createTask();
    const path = `/api/mcp/tasks/${id}`;
    for (const step of ['release', 'claim', 'release', 'release'])
      await fixture.client.post(`${path}/${step}`, { expect: 200 });
    const rows = await fixture.store
      .collection<AuditRecord>(AUDIT_LOG)
      .find({ 'target.id': id }, { sort: ['createdAt', '_id'] });
    expect(rows.map(({ action }) => action)).toEqual(['task.created', 'task.claimed', 'task.released']);
  });

  it('is in the audit log like its release even if the reviewers can’t be read for the response', async () => {
    const { client, key } = await fixture.addPerson();
    const { id } = await fixture.createTask({ policy: { approvals: 1 } });
    let isChanged = false;
    const store = interceptCalls(fixture.store, (call, { collection, method }) => {
      // Without it, each look-up is a `find`.
      if (method === 'lookUp') return undefined as never;
      if (collection === USERS.name && method === 'find')
        return async (...args) => {
          if (isChanged) throw new StoreError('UNAVAILABLE', 'the test refuses the call');
          return call(...args);
        };
      if (collection === TASKS.name && method === 'findOneAndUpdate')
        return async (...args) => {
          const result = await call(...args);
          isChanged = true;
          return result;
        };
      return call;
    });
    const replica = await fixture.startReplica({ store });
    for (const step of ['claim', 'release']) {
      isChanged = false;
      expect((await replica.client(key).post(`/api/mcp/tasks/${id}/${step}`)).status).toBe(503);
    }
    const rows = await fixture.store
      .collection<AuditRecord>(AUDIT_LOG)
      .find({ 'target.id': id }, { sort: ['createdAt', '_id'] });
    expect(rows.map(({ action, actor }) => [action, actor.id])).toEqual([
      ['task.created', fixture.keyId],
      ['task.claimed', client.keyId],
      ['task.released', client.keyId],
    ]);
    await replica.stop();
  });

  it('expires', async () => {
    const task = await fixture.createTask();
    await fixture.client.post(`/api/mcp/tasks/${task.id}/claim`, { expect: 200 });
    const later = await fixture.startReplica({ now: () => Date.now() + 15 * 60_000 + 1 });
    const { key, keyId } = await fixture.keyWith(['*']);
    const taken = await later.client(key).post<TaskOut>(`/api/mcp/tasks/${task.id}/claim`, { expect: 200 });
    expect(taken.body.data.claim?.by).toBe(keyId);
    await later.stop();
  });

  it.each([
    ['a decision', 'decision', { outcome: 'approved' }],
    ['another claim', 'claim', undefined],
  ])('that is released at once doesn’t fail %s that it came before', async (_, path, body) => {
    const task = await fixture.createTask();
    const own = (what: string) => fixture.client.post(`/api/mcp/tasks/${task.id}/${what}`, { expect: 200 });
    const steps = [
      ['findOneAndUpdate', 'claim'],
      ['findOne', 'release'],
    ];
    // Claims the task before the other caller changes it, and releases it before that caller reads
    // it again.
    const store = interceptCalls(fixture.store, (call, { collection, method }) =>
      collection === TASKS.name
        ? async (...args) => {
            const [step] = steps;
            if (step?.[0] === method && (args[0] as { _id?: string })._id === task.id) {
              steps.shift();
              await own(step[1] ?? '');
            }
            return call(...args);
          }
        : call,
    );
    const replica = await fixture.startReplica({ store });
    const { key } = await fixture.keyWith(['*']);
    const { status } = await replica.client(key).post(`/api/mcp/tasks/${task.id}/${path}`, { body });
    expect([status, steps]).toEqual([200, []]);
    await replica.stop();
  });

  it('is removed by the decision', async () => {
    const task = await fixture.createTask();
    await fixture.client.post(`/api/mcp/tasks/${task.id}/claim`, { expect: 200 });
    expect((await fixture.decide(task, 'approved')).body.data).not.toHaveProperty('claim');
    expect(await fixture.client.post(`/api/mcp/tasks/${task.id}/claim`)).toMatchObject({
      status: 409,
      body: { code: 'TASK_ALREADY_SETTLED' },
    });
  });
});

describe('cancelling', () => {
  it('resolves a task without an outcome and is idempotent', async () => {
    const task = await fixture.createTask();
    const path = `/api/mcp/tasks/${task.id}/cancel`;
    const { body } = await fixture.client.post<TaskOut>(path, { body: { reason: 'Moot.' }, expect: 200 });
    expect(body.data).toMatchObject({ status: 'cancelled', settledAt: expect.stringMatching(TIME) });
    expect(body.data).not.toHaveProperty('submissionId');
    expect((await fixture.client.post(path, { expect: 200 })).body.data).toEqual(body.data);
    expect(await fixture.decide(task, 'approved')).toMatchObject({
      status: 409,
      body: { code: 'TASK_ALREADY_SETTLED', outcome: 'cancelled' },
    });
  });

  it('fails for a resolved task', async () => {
    const task = await fixture.createTask();
    await fixture.decide(task, 'rejected');
    expect(await fixture.client.post(`/api/mcp/tasks/${task.id}/cancel`)).toMatchObject({
      status: 409,
      body: { code: 'TASK_ALREADY_SETTLED', outcome: 'rejected' },
    });
  });
});

describe('deleting a task', () => {
  it('is in the audit log even if the request fails once the erasure is certain', async () => {
    const task = await fixture.createTask();
    // After the record of the erasure is stored.
    const store = refusingFirst(fixture.store, TASKS.name, 'bulkUpdate');
    const replica = await fixture.startReplica({ store });

    const { status } = await replica.client(fixture.key).delete(`/api/mcp/tasks/${task.id}`);

    expect(status).toBe(503);
    const filter = { 'target.id': task.id, action: 'task.deleted' } as const;
    expect(await fixture.store.collection<AuditRecord>(AUDIT_LOG).find(filter)).toHaveLength(1);
    await replica.stop();
  });
});

describe('the history', () => {
  it('lists actors and actions in order', async () => {
    const task = await fixture.createTask();
    const path = `/api/mcp/tasks/${task.id}`;
    for (const step of ['claim', 'release', 'claim'])
      await fixture.client.post(`${path}/${step}`, { expect: 200 });
    await fixture.decide(task, 'approved', fixture.client, { comment: 'Fine.' });
    const { body } = await fixture.client.get<TaskHistoryOut[]>(`${path}/history`, { expect: 200 });
    const by = fixture.keyId;
    const at = expect.stringMatching(TIME) as string;
    expect(body.data).toEqual([
      { at, event: 'created', by },
      { at, event: 'claimed', by },
      { at, event: 'released', by },
      { at, event: 'claimed', by },
      { at, event: 'decided', by, outcome: 'approved', channel: 'api', proof: 'api_key', comment: 'Fine.' },
    ]);
  });
});

describe('waiting for a task', () => {
  it('ends as soon as any process resolves it', async () => {
    const task = await fixture.createTask();
    const other = await fixture.startReplica();
    const [here, there] = [fixture.client, other.client(fixture.key)].map((client) =>
      client.get<TaskOut>(`/api/mcp/tasks/${task.id}?wait=55`, { expect: 200 }),
    );
    await fixture.decide(task, 'approved');
    expect((await here)?.body.data.status).toBe('approved');
    expect((await there)?.body.data.status).toBe('approved');
    await other.stop();
  });

  it('returns the awaiting task after the timeout', async () => {
    const task = await fixture.createTask();
    const { body } = await fixture.client.get<TaskOut>(`/api/mcp/tasks/${task.id}?wait=1`, { expect: 200 });
    expect(body.data.status).toBe('awaiting');
  });

  it('returns the awaiting task with the votes of the wait', async () => {
    const people = [await fixture.addPerson(), await fixture.addPerson()];
    const [ada] = people;
    const policy = { approvals: 2, users: people.map(({ id }) => id) };
    const task = await fixture.createTask({ policy });
    const waiting = fixture.client.get<TaskOut>(`/api/mcp/tasks/${task.id}?wait=3`, { expect: 200 });
    await fixture.decide(task, 'approved', ada?.client);
    expect((await waiting).body.data).toMatchObject({ votes: [{ by: ada?.id }], progress: { approved: 1 } });
  });

  /** Starts a process that tells which tasks its requests wait for. */
  async function startWaitingProcess() {
    let waitedFor: readonly string[] = [];
    const store = watchFinds(fixture.store, TASKS, (filter, find) => {
      // Waiting requests share one query by ids.
      const { _id } = filter as { _id?: { $in: string[] } };
      waitedFor = _id?.$in ?? [];
      return find();
    });
    return {
      host: await fixture.startReplica({ store }),
      untilWaiting: (...tasks: TaskOut[]) =>
        poll(() => tasks.every(({ id }) => waitedFor.includes(id)), { what: 'requests that wait' }),
    };
  }

  it('ends when the client has left', async () => {
    const { host, untilWaiting } = await startWaitingProcess();
    const task = await fixture.createTask();
    const leaving = new AbortController();
    const waiting = fetch(`${host.url}/api/mcp/tasks/${task.id}?wait=55`, {
      headers: { authorization: `Bearer ${fixture.key}` },
      signal: leaving.signal,
    });
    await untilWaiting(task);
    leaving.abort();
    await expect(waiting).rejects.toThrow(/abort/i);
    const hasEnded = () => host.logged().some(({ route }) => route === 'GET /api/mcp/tasks/:taskId');
    await poll(hasEnded, { what: 'the end of the request' });
    await host.stop();
  });

  it('returns nothing to a key that was deleted during the wait', async () => {
    const { keyId, key } = await fixture.clientOf(fixture.owner._id, ['tasks:read']);
    const { host, untilWaiting } = await startWaitingProcess();
    const [polled, called] = [await fixture.createTask(), await fixture.createTask()];
    const waiting = host.client(key).get(`/api/mcp/tasks/${polled.id}?wait=20`);
    const calling = host.client(key).post('/api/mcp', {
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'wait_for_task', arguments: { taskId: called.id, timeoutSeconds: 20 } },
      },
      headers: { accept: 'application/json, text/event-stream' },
    });
    await untilWaiting(polled, called);
    await fixture.store.collection<ApiKeyRecord>(API_KEYS).deleteOne({ _id: keyId });
    await fixture.decide(polled, 'approved');
    await fixture.decide(called, 'approved');
    expect((await waiting).status).toBe(401);
    expect((await waiting).body).not.toHaveProperty('data');
    const { text } = await calling;
    expect(text).toContain('UNAUTHORIZED');
    expect(text).not.toContain('approved');
  });

  it('returns nothing to a reviewer who may no longer see the form', async () => {
    const person = await fixture.addPerson('reviewer');
    const group = await fixture.addGroup([person.id]);
    const form = await fixture.addForm(undefined, { reviewers: { groups: [group._id] } });
    const { host, untilWaiting } = await startWaitingProcess();
    const task = await fixture.createTask({ templateId: form._id });
    const waiting = host.client(person.key).get(`/api/mcp/tasks/${task.id}?wait=20`);
    await untilWaiting(task);
    await fixture.store
      .collection<GroupRecord>(GROUPS)
      .updateOne({ _id: group._id }, { $set: { members: [] } });
    await fixture.decide(task, 'approved');
    expect((await waiting).status).toBe(404);
  });

  it.each(['-1', '56', 'long', '1.5'])('rejects ?wait=%s', async (wait) => {
    const task = await fixture.createTask();
    await fixture.client.get(`/api/mcp/tasks/${task.id}?wait=${wait}`, { expect: 422 });
  });
});

describe('the list of tasks', () => {
  it('filters and sorts across pages', async () => {
    const { client, addForm } = fixture;
    const form = await addForm();
    const reviewer = await fixture.addUser('reviewer');
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const made = [];
    for (const input of [
      { title: 'one', priority: 'low', expiresAt: day(3) },
      { title: 'two', priority: 'urgent', expiresAt: day(5), assignee: reviewer._id },
      { title: 'three', priority: 'high', expiresAt: day(1) },
      { title: 'four', priority: 'urgent', expiresAt: day(4), description: 'the ONE and only' },
      { title: 'five', expiresAt: day(2) },
    ]) {
      made.push(await fixture.createTask({ templateId: form._id, ...input }));
    }
    const titles = async (query: string) => {
      const found: (string | undefined)[] = [];
      let cursor: string | null = '';
      do {
        const at: string = cursor && `&cursor=${cursor}`;
        const response = await client.get<TaskOut[]>(
          `/api/mcp/tasks?templateId=${form._id}&limit=2&${query}${at}`,
          { expect: 200 },
        );
        const { body } = response;
        found.push(...body.data.map(({ title }) => title));
        cursor = body.pagination.nextCursor;
      } while (cursor !== null);
      return found;
    };
    expect(await titles('')).toEqual(['five', 'four', 'three', 'two', 'one']);
    expect(await titles('sort=priority')).toEqual(['four', 'two', 'three', 'five', 'one']);
    expect(await titles('sort=expiresAt')).toEqual(['three', 'five', 'one', 'four', 'two']);
    expect(await titles('priority=urgent')).toEqual(['four', 'two']);
    expect(await titles(`assignee=${reviewer._id}`)).toEqual(['two']);
    expect(await titles('q=one')).toEqual(['four', 'one']);
    const [first] = made;
    if (first) await fixture.decide(first, 'approved');
    expect(await titles('status=approved')).toEqual(['one']);
    expect(await titles('status=awaiting&sort=expiresAt')).toEqual(['three', 'five', 'four', 'two']);
  });

  it.each(['cursor=abc', 'sort=title', 'status=done', 'colour=red', 'limit=0'])(
    'rejects ?%s',
    async (query) => {
      await fixture.client.get(`/api/mcp/tasks?${query}`, { expect: 422 });
    },
  );

  it.each(['1e400', '-1e400', '"1"', 'null', '[1]'])('rejects a cursor with the rank %s', async (rank) => {
    const values = `["priority",${rank},"2026-01-01T00:00:00.000Z","${newId('tsk')}"]`;
    const cursor = Buffer.from(values).toString('base64url');
    const { body } = await fixture.client.get(`/api/mcp/tasks?sort=priority&cursor=${cursor}`, {
      expect: 422,
    });
    expect(body.errors?.map(({ pointer }) => pointer)).toEqual(['/cursor']);
  });

  it('rejects the cursor of another order', async () => {
    await fixture.createTask();
    await fixture.createTask();
    const { body } = await fixture.client.get('/api/mcp/tasks?limit=1&sort=priority', { expect: 200 });
    const cursor = body.pagination.nextCursor ?? '';
    await fixture.client.get(`/api/mcp/tasks?limit=1&cursor=${cursor}`, { expect: 422 });
  });
});

it('keeps the creation, votes and decision in the history, however often a task is claimed and its callback is sent', async () => {
  const receiver = await fixture.listen();
  const people = [await fixture.addPerson(), await fixture.addPerson()] as const;
  const [ada, grace] = people;
  const policy = { approvals: 2, users: people.map(({ id }) => id) };
  const task = await fixture.createTask({ policy, callbackUrl: receiver.url });
  const path = `/api/mcp/tasks/${task.id}`;
  await fixture.decide(task, 'approved', ada.client, { comment: 'Fine.' });
  for (let n = 0; n < 260; n++) {
    await grace.client.post(`${path}/claim`, { expect: 200 });
    await grace.client.post(`${path}/release`, { expect: 200 });
  }
  await fixture.decide(task, 'approved', grace.client);
  for (const sent of [1, 2]) {
    const isSent = ({ callback }: TaskOut) => callback?.state === 'delivered';
    const { callback } = await fixture.until(task, isSent, 'the callback');
    expect(callback?.attempts).toHaveLength(sent);
    if (sent === 1) await fixture.client.post(`${path}/callback/redeliver`, { expect: 202 });
  }
  const { body } = await fixture.client.get<TaskHistoryOut[]>(`${path}/history`, { expect: 200 });
  expect(body.data).toHaveLength(201);
  expect(body.data.slice(0, 3)).toMatchObject([
    { event: 'created' },
    { event: 'voted', by: ada.id, comment: 'Fine.', channel: 'api', proof: 'api_key' },
    { event: 'claimed', by: grace.client.keyId },
  ]);
  expect(body.data.at(-1)).toMatchObject({ event: 'decided', by: grace.client.keyId, proof: 'api_key' });
});

describe('a key with tasks:create alone', () => {
  const refused = { status: 403, body: { code: 'INSUFFICIENT_SCOPE', requiredScope: 'tasks:manage' } };

  it('cancels the tasks that it created, with and without a dedupeKey, and no others', async () => {
    const agent = await fixture.keyWith(['tasks:create']);
    const other = await fixture.keyWith(['tasks:create']);
    for (const more of [{}, { dedupeKey: newId('evt') }]) {
      const task = await fixture.createTask(more, agent.client);
      const path = `/api/mcp/tasks/${task.id}/cancel`;
      expect(await other.client.post(path)).toMatchObject(refused);
      const { body } = await agent.client.post<TaskOut>(path, { body: { reason: 'Moot.' }, expect: 200 });
      expect(body.data.status).toBe('cancelled');
      await agent.client.post(path, { expect: 200 });
      expect(await other.client.post(path)).toMatchObject(refused);
    }
    const ofOthers = await fixture.createTask();
    for (const id of [ofOthers.id, newId('tsk')])
      expect(await agent.client.post(`/api/mcp/tasks/${id}/cancel`)).toMatchObject(refused);
    expect((await fixture.client.get<TaskOut>(`/api/mcp/tasks/${ofOthers.id}`)).body.data.status).toBe(
      'awaiting',
    );
  });

  it('gets the error of a task that somebody else has ended, and cannot delete its own', async () => {
    const agent = await fixture.keyWith(['tasks:create']);
    const task = await fixture.createTask({}, agent.client);
    await fixture.decide(task, 'approved');
    expect(await agent.client.post(`/api/mcp/tasks/${task.id}/cancel`)).toMatchObject({
      status: 409,
      body: { code: 'TASK_ALREADY_SETTLED', outcome: 'approved' },
    });
    expect(await agent.client.delete(`/api/mcp/tasks/${task.id}`)).toMatchObject(refused);
  });

  it('redelivers the callbacks of the tasks that it created, and no others', async () => {
    const receiver = await fixture.listen();
    const agent = await fixture.keyWith(['tasks:create']);
    const other = await fixture.keyWith(['tasks:create']);
    const task = await fixture.createTask({ callbackUrl: receiver.url }, agent.client);
    await fixture.decide(task, 'approved');
    await fixture.until(task, ({ callback }) => callback?.state === 'delivered', 'the callback');
    const path = `/api/mcp/tasks/${task.id}/callback/redeliver`;
    expect(await other.client.post(path)).toMatchObject(refused);
    await agent.client.post(path, { expect: 202 });
    await receiver.waitFor(2);
    expect(receiver.requests).toHaveLength(2);
  });
});

it('a key without tasks:create and tasks:manage neither cancels nor redelivers', async () => {
  const { client } = await fixture.keyWith(['tasks:read', 'tasks:decide']);
  const task = await fixture.createTask();
  for (const call of ['cancel', 'callback/redeliver'])
    expect(await client.post(`/api/mcp/tasks/${task.id}/${call}`)).toMatchObject({
      status: 403,
      body: { requiredScope: 'tasks:manage' },
    });
});

it.each([
  ['GET', ''],
  ['GET', '/history'],
  ['POST', '/claim'],
  ['POST', '/release'],
  ['POST', '/decision'],
  ['POST', '/cancel'],
  ['POST', '/callback/redeliver'],
])('%s …/tasks/{id}%s does not know the tasks of others', async (method, path) => {
  const task = await fixture.createTask();
  const { client } = await fixture.keyWith(['*'], newId('acc'));
  const url = `/api/mcp/tasks/${task.id}${path}`;
  const response = await (method === 'GET'
    ? client.get(url)
    : client.post(url, path === '/decision' ? { body: { outcome: 'approved' } } : {}));
  expect(response).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
});
