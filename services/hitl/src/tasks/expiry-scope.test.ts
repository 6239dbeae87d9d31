import { SCOPES, type TaskOut } from '@svcforms/contracts';
import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import { poll } from '@svcforms/test-kit';
import { openFixture, type HitlFixture } from '../../test/fixture.ts';

const MINUTE_MS = 60_000;

let fixture: HitlFixture;
beforeAll(async () => {
  fixture = await openFixture(openEmbeddedPair());
});

const inMs = (ms: number, from = Date.now()) => new Date(from + ms).toISOString();
const bodyWith = (input: object) => ({ templateId: fixture.form._id, prefill: { amount: 1 }, ...input });

describe('deciding by expiry', () => {
  it.each(['approve', 'reject'])('needs tasks:decide for onExpiry %s', async (onExpiry) => {
    const everythingElse = SCOPES.filter((scope) => scope !== '*' && scope !== 'tasks:decide');
    for (const scopes of [['tasks:create'] as const, everythingElse]) {
      const { client } = await fixture.keyWith([...scopes]);
      const before = await fixture.tasks.count({});
      const response = await client.post('/api/mcp/tasks', { body: bodyWith({ onExpiry }) });
      expect(response).toMatchObject({
        status: 403,
        body: { code: 'INSUFFICIENT_SCOPE', requiredScope: 'tasks:decide' },
      });
      expect(await fixture.tasks.count({})).toBe(before);
    }
  });

  it('is allowed for a key with tasks:create and tasks:decide', async () => {
    const { client } = await fixture.keyWith(['tasks:create', 'tasks:decide']);
    const { body } = await client.post<TaskOut>('/api/mcp/tasks', {
      body: bodyWith({ onExpiry: 'approve' }),
      expect: 201,
    });
    expect(body.data.onExpiry).toBe('approve');
  });

  it('needs tasks:decide for an existing dedupeKey too', async () => {
    await fixture.createTask({ onExpiry: 'approve', dedupeKey: 'by expiry' });
    const { client } = await fixture.keyWith(['tasks:create']);
    const body = { templateId: fixture.form._id, prefill: { amount: 120 }, dedupeKey: 'by expiry' };
    await client.post('/api/mcp/tasks', { body: { ...body, onExpiry: 'approve' }, expect: 403 });
    await client.post('/api/mcp/tasks', { body, expect: 200 });
  });

  it.each(['expire', undefined])('needs no other scope for onExpiry %s', async (onExpiry) => {
    const { client } = await fixture.keyWith(['tasks:create']);
    await client.post('/api/mcp/tasks', { body: bodyWith({ onExpiry }), expect: 201 });
  });
});

describe('expiresAt', () => {
  it.each([-1, 0, 1_500, 59_000])('is rejected %d ms from now', async (ms) => {
    const response = await fixture.client.post('/api/mcp/tasks', {
      body: bodyWith({ expiresAt: inMs(ms) }),
      expect: 422,
    });
    expect(response.body.errors).toEqual([
      { pointer: '/expiresAt', message: expect.stringContaining('at least 60 seconds from now') },
    ]);
  });

  it('is accepted from exactly a minute on, and the task resolves at that time', async () => {
    const start = Date.now();
    let time = start;
    const host = await fixture.startReplica({ now: () => time });
    const client = host.client(fixture.key);
    const post = (ms: number) =>
      client.post<TaskOut>('/api/mcp/tasks', {
        body: bodyWith({ expiresAt: inMs(ms, start), onExpiry: 'approve' }),
      });
    expect((await post(MINUTE_MS - 1)).status).toBe(422);
    const { status, body } = await post(MINUTE_MS);
    expect(status).toBe(201);
    time = start + MINUTE_MS;
    const ended = await fixture.until(body.data, (task) => task.status !== 'awaiting', 'the end', client);
    expect(ended).toMatchObject({ status: 'approved', resolvedBy: 'expiry' });
    const submission = await poll(() => fixture.submissions.findOne({ _id: ended.submissionId ?? '' }));
    expect(submission.metadata).toEqual({ submittedVia: 'task', taskId: ended.id, resolvedBy: 'expiry' });
    await host.stop();
  });

  it('may differ, or be over, when a dedupeKey returns a task', async () => {
    const expiresAt = inMs(10 * MINUTE_MS);
    const first = await fixture.createTask({ dedupeKey: 'resumed late', expiresAt });
    const later = await fixture.startReplica({ now: () => Date.now() + 11 * MINUTE_MS });
    const { status, body } = await later.client(fixture.key).post<TaskOut>('/api/mcp/tasks', {
      body: { templateId: fixture.form._id, prefill: { amount: 120 }, dedupeKey: 'resumed late', expiresAt },
    });
    expect([status, body.data.id]).toEqual([200, first.id]);
    await later.stop();
  });
});

it('the submission of a decided task names a human', async () => {
  const task = await fixture.createTask();
  const { submissionId = '' } = (await fixture.decide(task, 'approved')).body.data;
  expect((await fixture.submissions.findOne({ _id: submissionId }))?.metadata).toEqual({
    submittedVia: 'task',
    taskId: task.id,
    resolvedBy: 'human',
  });
});
