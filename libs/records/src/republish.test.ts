import { newId, ulidTime } from '@svcforms/contracts';
import { createEmbeddedStore, openEmbeddedDatabase } from '@svcforms/document-store/embedded';
import { pendingEvents } from '@svcforms/outbox';
import { HOUR_MS } from '@svcforms/primitives';
import { atEnd, tempFolder } from '@svcforms/test-kit';
import { join } from 'node:path';
import { republishEvents } from './republish.ts';
import { SUBMISSIONS, type SubmissionRecord } from './collections/submission.ts';
import { newSubmission } from './collections/submission-events.ts';
import { submissionOfTask, TASK_CREATION_EVENTS, taskEndEvents } from './collections/task-events.ts';
import { TASKS, type TaskRecord } from './collections/task.ts';

const NOW = Date.parse('2026-03-14T09:26:53.589Z');
const iso = (time: number) => new Date(time).toISOString();

function openFixture() {
  const database = openEmbeddedDatabase(join(tempFolder(), 'svcforms.db'));
  const store = createEmbeddedStore(database);
  const submissions = store.collection<SubmissionRecord>(SUBMISSIONS);
  const tasks = store.collection<TaskRecord>(TASKS);
  atEnd(async () => {
    await store.close();
    await database.close();
  });
  return {
    store,
    /** Stores a document whose events are published. */
    submission: async (submittedVia: 'web' | 'inbound', at: number, more: object = {}) => {
      const owing = newSubmission({
        id: `sub_${newId('sub').slice(4)}`,
        accountId: 'acc_1',
        formId: 'frm_1',
        data: '{}',
        metadata: { submittedVia },
        requestId: 'req-1',
        now: at,
      });
      const { pendingEvents: events, pendingKey: _, ...rest } = owing;
      await submissions.insertOne({ ...rest, ...more });
      return { _id: owing._id, events: events?.map(({ id, type, timestamp }) => ({ id, type, timestamp })) };
    },
    task: async (createdAt: number, more: Partial<TaskRecord> = {}) => {
      const task = {
        _id: newId('tsk'),
        accountId: 'acc_1',
        status: 'awaiting',
        createdAt: iso(createdAt),
        ...more,
      };
      await tasks.insertOne(task as TaskRecord);
      return task as TaskRecord;
    },
    submissions,
    /** The pending events by document. */
    pending: async () => {
      const all = [...(await submissions.find({})), ...(await tasks.find({}))];
      return new Map(all.flatMap((each) => (each.pendingEvents ? [[each._id, each.pendingEvents]] : [])));
    },
  };
}

describe('republishing events', () => {
  it('makes those of submissions that were released since pending, and none of the quarantine', async () => {
    const { store, submission, pending } = openFixture();
    const oldId = `sub_${ulidTime(NOW - 2 * HOUR_MS)}${'0'.repeat(16)}`;
    await submission('web', NOW - 2 * HOUR_MS, { _id: oldId, releasedAt: iso(NOW) });
    const quarantineKey = `frm_1|${iso(NOW)}|x`;
    await submission('web', NOW, { quarantineReason: 'too_fast', quarantineKey });
    expect(await republishEvents(store, NOW - HOUR_MS)).toBe(1);
    expect((await pending()).get(oldId)).toMatchObject([
      { type: 'form.submission.new', timestamp: iso(NOW) },
    ]);
  });

  it('makes the same events of submissions pending again, by id, type and time', async () => {
    const { store, submission, pending } = openFixture();
    const [old, web, inbound] = [
      await submission('web', NOW - 2 * HOUR_MS),
      await submission('web', NOW),
      await submission('inbound', NOW + 1),
    ];
    expect(await republishEvents(store, NOW - HOUR_MS)).toBe(2);
    const again = await pending();
    expect([again.get(old._id), again.get(web._id), again.get(inbound._id)]).toEqual([
      undefined,
      web.events,
      inbound.events,
    ]);
  });

  it('skips documents with pending events and documents of newer versions', async () => {
    const { store, submission, pending } = openFixture();
    const mark = { pendingEvents: [], pendingKey: `${iso(NOW)}|x` };
    await submission('web', NOW, mark);
    await submission('web', NOW, { metadata: { submittedVia: 'kiosk' } });
    expect(await republishEvents(store, NOW - HOUR_MS)).toBe(0);
    expect([...(await pending()).values()]).toEqual([[]]);
  });

  it('makes the creation and end events of tasks pending if they are in the period', async () => {
    const { store, task, pending } = openFixture();
    const open = await task(NOW);
    const cancelled = await task(NOW - 2 * HOUR_MS, { status: 'cancelled', settledAt: iso(NOW) });
    const old = await task(NOW - 3 * HOUR_MS, { status: 'expired', settledAt: iso(NOW - 2 * HOUR_MS) });
    expect(await republishEvents(store, NOW - HOUR_MS)).toBe(2);
    const again = await pending();
    const eventsOf = (of: string, types: Parameters<typeof pendingEvents>[0]) =>
      pendingEvents(types, { of, timestamp: iso(NOW) }).pendingEvents;
    expect(again.get(open._id)).toEqual(eventsOf(open._id, TASK_CREATION_EVENTS));
    expect(again.get(cancelled._id)).toEqual(eventsOf(cancelled._id, taskEndEvents('cancelled')));
    expect(again.has(old._id)).toBe(false);
  });

  it('includes a resolved task and its submission, unless that is deleted', async () => {
    const { store, task, submissions, pending } = openFixture();
    const resolved = { status: 'approved', settledAt: iso(NOW), emitsSubmission: true } as const;
    const kept = await task(NOW, { ...resolved, submissionId: newId('sub') });
    const bereft = await task(NOW - 2 * HOUR_MS, { ...resolved, submissionId: newId('sub') });
    const { pendingEvents: events, pendingKey: _, ...made } = submissionOfTask(kept);
    await submissions.insertOne(made);
    expect(await republishEvents(store, NOW - HOUR_MS)).toBe(2);
    const again = await pending();
    expect(again.get(kept._id)?.map(({ type }) => type)).toEqual([
      ...TASK_CREATION_EVENTS,
      'decision.approved',
      'hitl.task.completed',
    ]);
    expect(again.get(made._id)).toEqual(events);
    expect(again.has(bereft._id)).toBe(false);
  });
});
