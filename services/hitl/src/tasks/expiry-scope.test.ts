import { SCOPES, type TaskOut } from '@svcforms/contracts';
import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import { poll } from '@svcforms/test-kit';
import { openStage, type Stage } from '../testing/stage.ts';

const MINUTE_MS = 60_000;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage(openEmbeddedPair());
});

const inMs = (ms: number, from = Date.now()) => new Date(from + ms).toISOString();
const bodyWith = (input: object) => ({ templateId: stage.form._id, prefill: { amount: 1 }, ...input });

describe('deciding by expiry', () => {
  it.each(['approve', 'reject'])('needs tasks:decide for onExpiry %s', async (onExpiry) => {
    const everythingElse = SCOPES.filter((scope) => scope !== '*' && scope !== 'tasks:decide');
    for (const scopes of [['tasks:create'] as const, everythingElse]) {
      const { client } = await stage.keyWith([...scopes]);
      const before = await stage.tasks.count({});
      const answer = await client.post('/api/mcp/tasks', { body: bodyWith({ onExpiry }) });
      expect(answer).toMatchObject({
        status: 403,
        body: { code: 'INSUFFICIENT_SCOPE', requiredScope: 'tasks:decide' },
      });
      expect(await stage.tasks.count({})).toBe(before);
    }
  });

  it('is open to a key with tasks:create and tasks:decide', async () => {
    const { client } = await stage.keyWith(['tasks:create', 'tasks:decide']);
    const { body } = await client.post<TaskOut>('/api/mcp/tasks', {
      body: bodyWith({ onExpiry: 'approve' }),
      expect: 201,
    });
    expect(body.data.onExpiry).toBe('approve');
  });

  it('needs tasks:decide for a dedupeKey that exists, too', async () => {
    await stage.createTask({ onExpiry: 'approve', dedupeKey: 'by expiry' });
    const { client } = await stage.keyWith(['tasks:create']);
    const body = { templateId: stage.form._id, prefill: { amount: 120 }, dedupeKey: 'by expiry' };
    await client.post('/api/mcp/tasks', { body: { ...body, onExpiry: 'approve' }, expect: 403 });
    await client.post('/api/mcp/tasks', { body, expect: 200 });
  });

  it.each(['expire', undefined])('needs nothing more for onExpiry %s', async (onExpiry) => {
    const { client } = await stage.keyWith(['tasks:create']);
    await client.post('/api/mcp/tasks', { body: bodyWith({ onExpiry }), expect: 201 });
  });
});

describe('expiresAt', () => {
  it.each([-1, 0, 1_500, 59_000])('is refused %d ms from now', async (ms) => {
    const answer = await stage.client.post('/api/mcp/tasks', {
      body: bodyWith({ expiresAt: inMs(ms) }),
      expect: 422,
    });
    expect(answer.body.errors).toEqual([
      { pointer: '/expiresAt', message: expect.stringContaining('at least 60 seconds from now') },
    ]);
  });

  it('is taken from exactly a minute on, and decides when that time has come', async () => {
    const start = Date.now();
    let time = start;
    const host = await stage.startReplica({ now: () => time });
    const client = host.client(stage.key);
    const post = (ms: number) =>
      client.post<TaskOut>('/api/mcp/tasks', {
        body: bodyWith({ expiresAt: inMs(ms, start), onExpiry: 'approve' }),
      });
    expect((await post(MINUTE_MS - 1)).status).toBe(422);
    const { status, body } = await post(MINUTE_MS);
    expect(status).toBe(201);
    time = start + MINUTE_MS;
    const ended = await stage.until(body.data, (task) => task.status !== 'awaiting', 'the end', client);
    expect(ended).toMatchObject({ status: 'approved', resolvedBy: 'expiry' });
    const submission = await poll(() => stage.submissions.findOne({ _id: ended.submissionId ?? '' }));
    expect(submission.metadata).toEqual({ submittedVia: 'task', taskId: ended.id, resolvedBy: 'expiry' });
    await host.stop();
  });

  it('is not compared when a dedupeKey resumes a task: its time may be over by now', async () => {
    const expiresAt = inMs(10 * MINUTE_MS);
    const first = await stage.createTask({ dedupeKey: 'resumed late', expiresAt });
    const later = await stage.startReplica({ now: () => Date.now() + 11 * MINUTE_MS });
    const { status, body } = await later.client(stage.key).post<TaskOut>('/api/mcp/tasks', {
      body: { templateId: stage.form._id, prefill: { amount: 120 }, dedupeKey: 'resumed late', expiresAt },
    });
    expect([status, body.data.id]).toEqual([200, first.id]);
    await later.stop();
  });
});

it('a submission says that a person resolved its task', async () => {
  const task = await stage.createTask();
  const { submissionId = '' } = (await stage.decide(task, 'approved')).body.data;
  expect((await stage.submissions.findOne({ _id: submissionId }))?.metadata).toEqual({
    submittedVia: 'task',
    taskId: task.id,
    resolvedBy: 'human',
  });
});
