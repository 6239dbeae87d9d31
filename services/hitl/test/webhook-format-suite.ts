import { newId, type EventType } from '@svcforms/contracts';
import { poll, type EventReader } from '@svcforms/test-kit';
import type { HitlFixture } from './fixture.ts';

interface WebhookFrame {
  id: string;
  type: EventType;
  timestamp: string;
  formId: string;
  submissionId?: string;
  taskId?: string;
  body: string;
}

const framesIn = ({ frames }: EventReader): WebhookFrame[] =>
  frames.map(({ data }) => JSON.parse(data) as WebhookFrame);

/**
 * `format=webhook` of the event stream, on any backends. docs/reference/events.md#webhook-bodies
 */
export function describeWebhookFormat(fixture: () => HitlFixture): void {
  it('has the ids of each event and the text of its webhook body', async () => {
    const { addForm, createTask, decide, readEvents, host } = fixture();
    const form = await addForm(undefined, { tasks: { emitSubmissionEvents: true } });
    const live = await readEvents('*?format=webhook');
    const reason = 'a\nb\u2028c "d" é';
    const task = await createTask({ templateId: form._id, title: 'Refund', prefill: { amount: 1, reason } });
    const { submissionId } = (await decide(task, 'approved')).body.data;
    const ofTask = (reader: EventReader) => framesIn(reader).filter(({ formId }) => formId === form._id);
    await poll(() => ofTask(live).length === 5, { what: 'the events of the task' });
    const ids = {
      id: expect.stringMatching(/^evt_/),
      timestamp: expect.any(String),
      formId: form._id,
      payloadVersion: '1',
    };
    const ofEnd = { ...ids, submissionId, body: expect.any(String) };
    expect(ofTask(live).toSorted((one, other) => one.type.localeCompare(other.type))).toEqual([
      { ...ofEnd, type: 'decision.approved', taskId: task.id },
      { ...ids, type: 'decision.requested', taskId: task.id, body: expect.any(String) },
      { ...ofEnd, type: 'form.submission.new' },
      { ...ofEnd, type: 'hitl.task.completed', taskId: task.id },
      { ...ids, type: 'hitl.task.created', taskId: task.id, body: expect.any(String) },
    ]);
    for (const { type, timestamp, body } of ofTask(live))
      expect(JSON.parse(body)).toMatchObject({ eventType: type, timestamp });
    const completed = ofTask(live).find(({ type }) => type === 'hitl.task.completed');
    expect(JSON.parse(completed?.body ?? '')).toMatchObject({
      data: {
        taskId: task.id,
        submission: { amount: 1, reason },
        title: 'Refund',
        url: `https://forms.example/tasks/${task.id}`,
      },
    });
    const resumed = await readEvents('*?format=webhook', { lastEventId: task.cursor }, host);
    await poll(() => ofTask(resumed).length === 5, { what: 'the same events again' });
    expect(ofTask(resumed)).toEqual(ofTask(live));
    for (const reader of [live, resumed]) reader.close();
  });

  it('leaves other readers of the same events as they are', async () => {
    const { createTask, readEvents } = fixture();
    const plain = await readEvents('hitl.task.created');
    const withBodies = await readEvents('hitl.task.created?format=webhook');
    const task = await createTask({ title: 'Refund' });
    await Promise.all([plain.waitFor(1), withBodies.waitFor(1)]);
    expect(JSON.parse(plain.frames[0]?.data ?? '')).toEqual({
      type: 'hitl.task.created',
      timestamp: task.createdAt,
      data: {
        taskId: task.id,
        hitlTaskId: task.id,
        templateId: task.templateId,
        userId: expect.any(String),
        priority: task.priority,
        expiresAt: task.expiresAt,
      },
    });
    expect(withBodies.frames[0]?.id).toBe(plain.frames[0]?.id);
    expect(framesIn(withBodies)).toMatchObject([{ type: 'hitl.task.created', taskId: task.id }]);
    for (const reader of [plain, withBodies]) reader.close();
  });

  it('has the body of events that are too large for the bus', async () => {
    const { readEvents, createTask, decide } = fixture();
    const reader = await readEvents('hitl.task.completed?format=webhook');
    const reason = 'ä'.repeat(480_000);
    const task = await createTask({ prefill: { amount: 1, reason } });
    await decide(task, 'approved');
    await reader.waitFor(1);
    expect(JSON.parse(framesIn(reader)[0]?.body ?? '')).toMatchObject({
      data: { taskId: task.id, submission: { amount: 1, reason } },
    });
    reader.close();
  });

  it('never sends bodies of another account, not even with its id', async () => {
    const { readEvents, createTask, keyWith } = fixture();
    const stranger = await keyWith(['*'], newId('acc'));
    const task = await createTask({ title: 'Refund' });
    const lastEventId = task.cursor;
    const other = await readEvents('*?format=webhook', { token: stranger.key, lastEventId });
    const own = await readEvents('*?format=webhook', { lastEventId });
    await own.waitFor(2);
    const probe = await createTask();
    await poll(() => framesIn(own).some(({ taskId }) => taskId === probe.id));
    expect(other.frames).toEqual([]);
    for (const reader of [other, own]) reader.close();
  });

  it('shows nothing of a task that was deleted', async () => {
    const { readEvents, createTask, decide, client } = fixture();
    const secret = newId('tsk');
    const erased = await createTask({ title: secret, prefill: { amount: 1, reason: secret } });
    await decide(erased, 'approved');
    await client.delete(`/api/mcp/tasks/${erased.id}`, { expect: 204 });
    const after = await createTask();
    const reader = await readEvents('hitl.task.*?format=webhook', { lastEventId: erased.cursor });
    await poll(() => framesIn(reader).some(({ taskId }) => taskId === after.id), { what: 'the task after' });
    expect(framesIn(reader).filter(({ taskId }) => taskId === erased.id)).toEqual([]);
    expect(reader.text()).not.toContain(secret);
    reader.close();
  });

  it.each(['json', 'event', ''])('refuses the format "%s"', async (format) => {
    expect(await fixture().client.get(`/api/mcp/events/*?format=${format}`)).toMatchObject({
      status: 422,
      body: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/format' }] },
    });
  });
}
