import { newId, type TaskHistoryOut, type TaskOut } from '@svcforms/contracts';
import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import { openStage, type Stage } from '../testing/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage(openEmbeddedPair());
});

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('creating a task', () => {
  it('answers the task, where it is, and a place in the log from before it.', async () => {
    const { client, form, keyId } = stage;
    const body = {
      templateId: form._id,
      title: 'Refund?',
      prefill: { amount: '120', reason: 'lost' },
      metadata: { run: 'r-1', 'a.b': { $x: 1 } },
    };
    const answer = await client.post<TaskOut>('/api/mcp/tasks', { body, expect: 201 });
    const { data } = answer.body;
    expect(data).toEqual({
      id: expect.stringMatching(/^tsk_[0-9A-Z]{26}$/),
      hitlTaskId: data.id,
      templateId: form._id,
      title: 'Refund?',
      prefill: { amount: 120, reason: 'lost' },
      decisionMode: 'approval',
      priority: 'normal',
      status: 'awaiting',
      createdBy: keyId,
      expiresAt: expect.stringMatching(TIME),
      onExpiry: 'expire',
      metadata: { run: 'r-1', 'a.b': { $x: 1 } },
      createdAt: expect.stringMatching(TIME),
    });
    expect(Date.parse(data.expiresAt) - Date.parse(data.createdAt)).toBe(604_800_000);
    expect(answer.headers.get('location')).toBe(`/api/mcp/tasks/${data.id}`);
    expect(answer.headers.get('svc-event-cursor')).toMatch(/^[0-9a-z]+-\d+$/);
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
  ])('refuses a task with %j, and says where', async (input, pointer) => {
    const body = { templateId: stage.form._id, ...input };
    const answer = await stage.client.post('/api/mcp/tasks', { body, expect: 422 });
    expect(answer.body.errors?.map((issue) => issue.pointer)).toEqual([pointer]);
  });

  it('refuses more than 16 KiB of metadata.', async () => {
    const body = { templateId: stage.form._id, metadata: { text: 'x'.repeat(16 * 1024) } };
    const answer = await stage.client.post('/api/mcp/tasks', { body, expect: 422 });
    expect(answer.body.errors?.map((issue) => issue.pointer)).toEqual(['/metadata']);
  });

  it('requires nothing of the prefill that a human may fill in.', async () => {
    const input = { prefill: {}, editableFields: ['amount'] };
    expect((await stage.createTask(input)).prefill).toEqual({});
  });

  it.each(['frm_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'nonsense'])(
    'answers 404 for the form %s',
    async (templateId) => {
      await stage.client.post('/api/mcp/tasks', { body: { templateId }, expect: 404 });
    },
  );

  it("answers 404 for another account's form.", async () => {
    const { client } = await stage.keyWith(['*'], newId('acc'));
    await client.post('/api/mcp/tasks', { body: { templateId: stage.form._id }, expect: 404 });
  });

  it('gives the first task again for the same dedupeKey, for this account alone.', async () => {
    const first = await stage.createTask({ dedupeKey: 'refund 1' });
    const body = { templateId: stage.form._id, prefill: { amount: 120 }, dedupeKey: 'refund 1' };
    const second = await stage.client.post<TaskOut>('/api/mcp/tasks', { body, expect: 200 });
    expect(second.body.data.id).toBe(first.id);
    expect(second.headers.get('location')).toBe(`/api/mcp/tasks/${first.id}`);
    expect(second.headers.get('svc-event-cursor')).not.toBeNull();

    const other = await stage.createTask({ dedupeKey: 'refund 2' });
    expect(other.id).not.toBe(first.id);
  });

  it('makes one task of parallel requests with one dedupeKey.', async () => {
    const body = { templateId: stage.form._id, prefill: { amount: 120 }, dedupeKey: 'at once' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => stage.client.post<TaskOut>('/api/mcp/tasks', { body })),
    );
    expect(new Set(answers.map(({ body: { data } }) => data.id)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
  });

  it('names the assignee by id, however it was given.', async () => {
    const reviewer = await stage.addUser('reviewer');
    expect((await stage.createTask({ assignee: reviewer._id })).assignee).toBe(reviewer._id);
    expect((await stage.createTask({ assignee: reviewer.email.toUpperCase() })).assignee).toBe(reviewer._id);
    const stranger = await stage.addUser('reviewer', newId('acc'));
    const body = { templateId: stage.form._id, assignee: stranger._id };
    await stage.client.post('/api/mcp/tasks', { body, expect: 422 });
  });
});

describe('a decision', () => {
  it('approves with the values that were edited, and makes a submission of them.', async () => {
    const task = await stage.createTask({ editableFields: ['amount'] });
    const { status, body } = await stage.decide(task, 'approved', stage.client, {
      fields: { amount: '100' },
      comment: 'Less.',
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      status: 'approved',
      outcome: 'approved',
      formData: { amount: 100 },
      comment: 'Less.',
      decidedBy: stage.keyId,
      resolvedBy: 'human',
      settledAt: expect.stringMatching(TIME),
    });
    const { submissionId = '', settledAt = '' } = body.data;
    expect(await stage.submissions.findOne({ _id: submissionId })).toMatchObject({
      formId: stage.form._id,
      data: '{"amount":100}',
      metadata: { submittedVia: 'task', taskId: task.id },
      createdAt: settledAt,
    });
  });

  it('rejects without a look at the values.', async () => {
    const task = await stage.createTask({ prefill: {}, editableFields: ['amount'] });
    const { body } = await stage.decide(task, 'rejected');
    expect(body.data).toMatchObject({
      status: 'rejected',
      formData: {},
      submissionId: expect.stringMatching(/^sub_/),
    });
  });

  it('submits what a human filled in, in form mode, where every field may be edited.', async () => {
    const task = await stage.createTask({ decisionMode: 'form', prefill: { reason: 'lost' } });
    const refused = await stage.decide(task, 'submitted', stage.client, { fields: { reason: 'found' } });
    expect(refused.body.errors).toEqual([{ pointer: '/fields/amount', message: 'is required' }]);
    const { body } = await stage.decide(task, 'submitted', stage.client, { fields: { amount: 7 } });
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
    [{ rejectOptions: ['Too much'] }, { outcome: 'rejected', rejectOption: 'Else' }, '/rejectOption'],
    [{ rejectOptions: ['Too much'] }, { outcome: 'approved', rejectOption: 'Too much' }, '/rejectOption'],
    [{}, { outcome: 'approved', colour: 'red' }, '/colour'],
  ])('on a task with %j refuses %j at %s, and leaves the task awaited', async (input, body, pointer) => {
    const task = await stage.createTask(input);
    const answer = await stage.client.post(`/api/mcp/tasks/${task.id}/decision`, { body, expect: 422 });
    expect(answer.body.errors?.map((issue) => issue.pointer)).toEqual([pointer]);
    expect((await stage.client.get<TaskOut>(`/api/mcp/tasks/${task.id}`)).body.data.status).toBe('awaiting');
  });

  it('takes the comment and the reject option that the task asks for.', async () => {
    const task = await stage.createTask({ requireComment: ['rejected'], rejectOptions: ['Too much'] });
    const more = { comment: 'No.', rejectOption: 'Too much' };
    expect((await stage.decide(task, 'rejected', stage.client, more)).body.data).toMatchObject(more);
  });

  it('is taken once; the second hears how the first ended.', async () => {
    const task = await stage.createTask();
    await stage.decide(task, 'approved');
    const again = await stage.decide(task, 'rejected', stage.client, { fields: { nonsense: 1 } });
    expect(again).toMatchObject({ status: 409, body: { code: 'TASK_ALREADY_SETTLED', outcome: 'approved' } });
  });

  it('needs its scope: a key that was made for an agent can not decide its own request.', async () => {
    const agent = await stage.keyWith(['tasks:create', 'tasks:read', 'tasks:manage']);
    const task = await stage.createTask({}, agent.client);
    expect(await stage.decide(task, 'approved', agent.client)).toMatchObject({
      status: 403,
      body: { code: 'INSUFFICIENT_SCOPE', requiredScope: 'tasks:decide' },
    });
  });

  it('can not be made of a form that was deleted; the task can be cancelled.', async () => {
    const form = await stage.addForm();
    const task = await stage.createTask({ templateId: form._id });
    await stage.forms.deleteOne({ _id: form._id });
    expect(await stage.decide(task, 'approved')).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    await stage.client.post(`/api/mcp/tasks/${task.id}/cancel`, { expect: 200 });
  });
});

describe('a claim', () => {
  it('is for one: others are told whose it is, and may neither decide nor release.', async () => {
    const task = await stage.createTask();
    const path = `/api/mcp/tasks/${task.id}`;
    const other = await stage.keyWith(['*']);
    const { body } = await stage.client.post<TaskOut>(`${path}/claim`, { expect: 200 });
    expect(body.data.claim).toEqual({ by: stage.keyId, until: expect.stringMatching(TIME) });
    const until = Date.parse(body.data.claim?.until ?? '');
    expect(Math.abs(until - Date.now() - 15 * 60_000)).toBeLessThan(10_000);

    const refusal = {
      status: 409,
      body: { code: 'TASK_CLAIMED', claimedBy: stage.keyId, claimedUntil: body.data.claim?.until },
    };
    expect(await other.client.post(`${path}/claim`)).toMatchObject(refusal);
    expect(await other.client.post(`${path}/release`)).toMatchObject(refusal);
    expect(await stage.decide(task, 'approved', other.client)).toMatchObject(refusal);

    const released = await stage.client.post<TaskOut>(`${path}/release`, { expect: 200 });
    expect(released.body.data).not.toHaveProperty('claim');
    await other.client.post(`${path}/release`, { expect: 200 });
    expect((await stage.decide(task, 'approved', other.client)).status).toBe(200);
  });

  it('ends by itself.', async () => {
    const task = await stage.createTask();
    await stage.client.post(`/api/mcp/tasks/${task.id}/claim`, { expect: 200 });
    const later = await stage.startReplica({ now: () => Date.now() + 15 * 60_000 + 1 });
    const { key, keyId } = await stage.keyWith(['*']);
    const taken = await later.client(key).post<TaskOut>(`/api/mcp/tasks/${task.id}/claim`, { expect: 200 });
    expect(taken.body.data.claim?.by).toBe(keyId);
    await later.stop();
  });

  it('leaves with the decision.', async () => {
    const task = await stage.createTask();
    await stage.client.post(`/api/mcp/tasks/${task.id}/claim`, { expect: 200 });
    expect((await stage.decide(task, 'approved')).body.data).not.toHaveProperty('claim');
    expect(await stage.client.post(`/api/mcp/tasks/${task.id}/claim`)).toMatchObject({
      status: 409,
      body: { code: 'TASK_ALREADY_SETTLED' },
    });
  });
});

describe('cancelling', () => {
  it('ends a task without an outcome, and is the same when done again.', async () => {
    const task = await stage.createTask();
    const path = `/api/mcp/tasks/${task.id}/cancel`;
    const { body } = await stage.client.post<TaskOut>(path, { body: { reason: 'Moot.' }, expect: 200 });
    expect(body.data).toMatchObject({ status: 'cancelled', settledAt: expect.stringMatching(TIME) });
    expect(body.data).not.toHaveProperty('submissionId');
    expect((await stage.client.post(path, { expect: 200 })).body.data).toEqual(body.data);
    expect(await stage.decide(task, 'approved')).toMatchObject({
      status: 409,
      body: { code: 'TASK_ALREADY_SETTLED', outcome: 'cancelled' },
    });
  });

  it('comes too late for a task that was settled.', async () => {
    const task = await stage.createTask();
    await stage.decide(task, 'rejected');
    expect(await stage.client.post(`/api/mcp/tasks/${task.id}/cancel`)).toMatchObject({
      status: 409,
      body: { code: 'TASK_ALREADY_SETTLED', outcome: 'rejected' },
    });
  });
});

describe('the history', () => {
  it('says who did what, in order.', async () => {
    const task = await stage.createTask();
    const path = `/api/mcp/tasks/${task.id}`;
    for (const step of ['claim', 'release', 'claim'])
      await stage.client.post(`${path}/${step}`, { expect: 200 });
    await stage.decide(task, 'approved', stage.client, { comment: 'Fine.' });
    const { body } = await stage.client.get<TaskHistoryOut[]>(`${path}/history`, { expect: 200 });
    const by = stage.keyId;
    const at = expect.stringMatching(TIME) as string;
    expect(body.data).toEqual([
      { at, event: 'created', by },
      { at, event: 'claimed', by },
      { at, event: 'released', by },
      { at, event: 'claimed', by },
      { at, event: 'decided', by, outcome: 'approved', comment: 'Fine.' },
    ]);
  });
});

describe('waiting for a task', () => {
  it('ends as soon as it is settled, whichever process settles it.', async () => {
    const task = await stage.createTask();
    const other = await stage.startReplica();
    const [here, there] = [stage.client, other.client(stage.key)].map((client) =>
      client.get<TaskOut>(`/api/mcp/tasks/${task.id}?wait=55`, { expect: 200 }),
    );
    await stage.decide(task, 'approved');
    expect((await here)?.body.data.status).toBe('approved');
    expect((await there)?.body.data.status).toBe('approved');
    await other.stop();
  });

  it('answers with the awaited task when the time is over.', async () => {
    const task = await stage.createTask();
    const { body } = await stage.client.get<TaskOut>(`/api/mcp/tasks/${task.id}?wait=1`, { expect: 200 });
    expect(body.data.status).toBe('awaiting');
  });

  it.each(['-1', '56', 'long', '1.5'])('refuses ?wait=%s', async (wait) => {
    const task = await stage.createTask();
    await stage.client.get(`/api/mcp/tasks/${task.id}?wait=${wait}`, { expect: 422 });
  });
});

describe('the list of tasks', () => {
  it('filters, and sorts by what is asked, page after page.', async () => {
    const { client, addForm } = stage;
    const form = await addForm();
    const reviewer = await stage.addUser('reviewer');
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const made = [];
    for (const input of [
      { title: 'one', priority: 'low', expiresAt: day(3) },
      { title: 'two', priority: 'urgent', expiresAt: day(5), assignee: reviewer._id },
      { title: 'three', priority: 'high', expiresAt: day(1) },
      { title: 'four', priority: 'urgent', expiresAt: day(4), description: 'the ONE and only' },
      { title: 'five', expiresAt: day(2) },
    ]) {
      made.push(await stage.createTask({ templateId: form._id, ...input }));
    }
    const titles = async (query: string) => {
      const found: (string | undefined)[] = [];
      let cursor: string | null = '';
      do {
        const at: string = cursor && `&cursor=${cursor}`;
        const answer = await client.get<TaskOut[]>(
          `/api/mcp/tasks?templateId=${form._id}&limit=2&${query}${at}`,
          { expect: 200 },
        );
        const { body } = answer;
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
    if (first) await stage.decide(first, 'approved');
    expect(await titles('status=approved')).toEqual(['one']);
    expect(await titles('status=awaiting&sort=expiresAt')).toEqual(['three', 'five', 'four', 'two']);
  });

  it.each(['cursor=abc', 'sort=title', 'status=done', 'colour=red', 'limit=0'])(
    'refuses ?%s',
    async (query) => {
      await stage.client.get(`/api/mcp/tasks?${query}`, { expect: 422 });
    },
  );

  it('refuses the cursor of another order.', async () => {
    await stage.createTask();
    await stage.createTask();
    const { body } = await stage.client.get('/api/mcp/tasks?limit=1&sort=priority', { expect: 200 });
    const cursor = body.pagination.nextCursor ?? '';
    await stage.client.get(`/api/mcp/tasks?limit=1&cursor=${cursor}`, { expect: 422 });
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
  const task = await stage.createTask();
  const { client } = await stage.keyWith(['*'], newId('acc'));
  const url = `/api/mcp/tasks/${task.id}${path}`;
  const answer = await (method === 'GET'
    ? client.get(url)
    : client.post(url, path === '/decision' ? { body: { outcome: 'approved' } } : {}));
  expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
});
