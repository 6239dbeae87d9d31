import { newId } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { createEmbeddedStore, openEmbeddedDatabase } from '@svcforms/document-store/embedded';
import { pendingEvents } from '@svcforms/outbox';
import { atEnd, tempFolder } from '@svcforms/test-kit';
import { join } from 'node:path';
import { DELIVERIES, deliveryId, type DeliveryRecord } from '../collections/delivery.ts';
import { FORMS, type FormRecord } from '../collections/form.ts';
import { insertOnce } from '../collections/insert-once.ts';
import { SUBMISSIONS, type SubmissionRecord } from '../collections/submission.ts';
import { newSubmission, releaseOf } from '../collections/submission-events.ts';
import { submissionOfTask, taskEndEvents } from '../collections/task-events.ts';
import { TASKS, type TaskRecord } from '../collections/task.ts';
import { WEBHOOKS, type WebhookRecord } from '../collections/webhook.ts';
import { createEraser } from './eraser.ts';
import { ERASURES, type ErasureRecord } from './erasure-record.ts';

const AT = '2026-03-14T09:26:53.589Z';

function openFixture() {
  const database = openEmbeddedDatabase(join(tempFolder(), 'svcforms.db'));
  const store = createEmbeddedStore(database);
  atEnd(async () => {
    await store.close();
    await database.close();
  });
  const tasks = store.collection<TaskRecord>(TASKS);
  const submissions = store.collection<SubmissionRecord>(SUBMISSIONS);
  const erasures = store.collection<ErasureRecord>(ERASURES);
  return {
    store,
    tasks,
    submissions,
    erasures,
    eraser: createEraser({ store, forgetReplies: async () => {}, now: () => Date.parse(AT) }),
    addTask: async (): Promise<TaskRecord> => {
      const task: TaskRecord = {
        _id: newId('tsk'),
        accountId: 'acc_1',
        formId: 'frm_1',
        prefill: '{"email":"ada@example.com"}',
        decisionMode: 'approval',
        priority: 'normal',
        rank: 1,
        status: 'awaiting',
        createdBy: 'key_1',
        userId: 'key_1',
        expiresAt: '2026-03-15T09:26:53.589Z',
        onExpiry: 'expire',
        metadata: '{}',
        history: [],
        createdAt: AT,
      };
      await tasks.insertOne(task);
      return task;
    },
    /** Resolves the task like a process that is suspended before it stores the submission. */
    resolveTask: async ({ _id }: TaskRecord): Promise<TaskRecord> => {
      const resolved = await tasks.findOneAndUpdate(
        { _id, status: 'awaiting' },
        {
          $set: {
            status: 'approved',
            outcome: 'approved',
            formData: '{"email":"ada@example.com"}',
            submissionId: newId('sub'),
            emitsSubmission: true,
            settledAt: AT,
            ...pendingEvents(taskEndEvents('approved'), { of: _id, timestamp: AT }),
          },
        },
      );
      if (!resolved) throw new Error('the task was resolved before');
      return resolved;
    },
    /** Continues that process. */
    goOn: (resolved: TaskRecord) => insertOnce(submissions, submissionOfTask(resolved)),
  };
}

describe('a submission in quarantine', () => {
  const quarantined = () =>
    newSubmission({
      accountId: 'acc_1',
      formId: 'frm_1',
      data: '{"email":"ada@example.com"}',
      metadata: { submittedVia: 'web' },
      quarantineReason: 'no_token',
      requestId: 'r',
      now: Date.parse(AT),
    });
  const release = (record: SubmissionRecord) =>
    releaseOf(record, { requestId: 'r', isQuiet: true, now: NOW });
  const NOW = Date.parse(AT) + 60_000;

  it('has no events to erase, and can’t be released once its erasure began', async () => {
    const { submissions, erasures, eraser } = openFixture();
    const record = quarantined();
    await submissions.insertOne(record);
    await submissions.updateOne({ _id: record._id }, { $set: { isBeingErased: true } });
    const { filter, update } = release(record);
    expect(await submissions.findOneAndUpdate(filter, update)).toBeNull();
    await eraser.submissions([record]);
    expect(await submissions.findOne({ _id: record._id })).toEqual({
      _id: record._id,
      accountId: '',
      formId: '',
      data: '{}',
      metadata: {},
      createdAt: AT,
      erasedAt: AT,
    });
    expect((await erasures.find({}))[0]?.events).toEqual([]);
  });

  it('that is released after it was read is erased with its events', async () => {
    const { submissions, erasures, eraser } = openFixture();
    const record = quarantined();
    await submissions.insertOne(record);
    const { filter, update } = release(record);
    const released = await submissions.findOneAndUpdate(filter, update);
    await eraser.submissions([record]);
    expect((await erasures.find({}))[0]?.events.map(({ id }) => id)).toEqual(
      released?.pendingEvents?.map(({ id }) => id),
    );
  });
});

const submissionOfAge = (ms: number) =>
  newSubmission({
    accountId: 'acc_1',
    formId: 'frm_1',
    data: '{"email":"ada@example.com"}',
    metadata: { submittedVia: 'web' },
    requestId: 'r',
    now: Date.parse(AT) - ms,
  });

describe('a submission whose delivery is not stored yet', () => {
  async function addWebhook(store: DocumentStore, values: object): Promise<void> {
    const webhook = {
      _id: 'whk_1',
      formId: 'frm_1',
      url: 'https://example.com/',
      events: ['form.submission.new'],
      isEnabled: true,
      createdAt: '2026-01-01T00:00:00.000Z',
      ...values,
    };
    await store.collection<WebhookRecord>(WEBHOOKS).insertOne(webhook as unknown as WebhookRecord);
  }
  it.each([
    ['200 ms', 200, {}, ['whk_1']],
    ['2 s', 2_000, {}, []],
    ['200 ms, for a webhook that is off', 200, { isEnabled: false }, []],
    ['200 ms, for other events', 200, { events: ['hitl.task.created'] }, []],
  ] as const)('may have been sent when it is erased after %s', async (_, age, values, endpoints) => {
    const { store, submissions, eraser } = openFixture();
    await addWebhook(store, values);
    const record = submissionOfAge(age);
    await submissions.insertOne(record);
    const { receivedBy, deliveryIds } = await eraser.submissions([record]);
    expect(receivedBy.map(({ id }) => id)).toEqual(endpoints);
    expect(deliveryIds).toEqual([]);
  });

  it.each([
    ['is enabled', {}, 1],
    ['is disabled by failures', { isEnabled: false, disabledReason: 'failures' }, 1],
    ['is disabled manually', { isEnabled: false, disabledReason: 'manual' }, 0],
    ['was created after it', { createdAt: AT }, 1],
  ] as const)('keeps a later insert of it out if the webhook %s', async (_, values, guards) => {
    const { store, submissions, eraser } = openFixture();
    await addWebhook(store, values);
    const record = submissionOfAge(200);
    await submissions.insertOne(record);
    await eraser.submissions([record]);
    expect(await store.collection<DeliveryRecord>(DELIVERIES).count({ erasedAt: AT })).toBe(guards);
  });
});

describe('a delivery of a deleted webhook that waits for the job', () => {
  it('is removed with its submission, others of the webhook later', async () => {
    const { store, submissions, erasures, eraser } = openFixture();
    const webhook = { _id: 'whk_1', accountId: 'acc_1' };
    await store
      .collection<WebhookRecord>(WEBHOOKS)
      .insertOne({ ...webhook, formId: 'frm_1' } as WebhookRecord);
    const record = submissionOfAge(24 * 3600_000);
    await submissions.insertOne(record);
    const eventIds = [record.pendingEvents?.[0]?.id ?? '', newId('evt')];
    const [own, other] = eventIds.map((id) => ({ _id: deliveryId(id, 'whk_1'), webhookId: 'whk_1' }));
    const deliveries = store.collection<DeliveryRecord>(DELIVERIES);
    await deliveries.insertMany([own, other] as DeliveryRecord[]);
    await eraser.webhook(webhook);

    await eraser.submissions([record]);
    expect(await deliveries.find({})).toEqual([other]);

    for (const each of await erasures.find({ isDeferred: true })) await eraser.apply(each);
    expect(await deliveries.find({})).toEqual([]);
  });
});

describe('the report of an erasure', () => {
  const attempt = (at: string, error?: string) => ({
    at: `2026-03-14T${at}Z`,
    durationMs: 1,
    responseBody: '',
    ...(error === undefined ? {} : { error }),
  });
  const webhook = {
    _id: 'whk_1',
    accountId: 'acc_1',
    formId: 'frm_1',
    url: 'https://c.example/',
    formerUrls: [
      { url: 'https://a.example/', until: '2026-03-14T09:00:00.000Z' },
      { url: 'https://b.example/', until: '2026-03-14T09:10:00.000Z' },
    ],
    events: ['form.submission.new'],
    isEnabled: true,
  };
  const delivered = { status: 'delivered' } as const;

  it.each([
    ['before every change', delivered, [attempt('08:59:59.999')], ['a']],
    ['a second after a change', delivered, [attempt('09:00:01.000')], ['a', 'b']],
    ['between two changes', delivered, [attempt('09:00:02.001')], ['b']],
    ['after every change', delivered, [attempt('09:10:02.001')], ['c']],
    ['before and after', delivered, [attempt('08:00:00.000', 'status'), attempt('09:20:00.000')], ['a', 'c']],
    ['never, without a connection', {}, [attempt('08:00:00.000', 'connect')], []],
    ['never, without a body', {}, [attempt('08:00:00.000', 'template')], []],
    ['at the moment', { status: 'delivering' }, [], ['c']],
  ] as const)(
    'has the URL of a webhook at the time of what it was sent %s',
    async (_, state, attempts, hosts) => {
      const { store, submissions, eraser } = openFixture();
      await store.collection<WebhookRecord>(WEBHOOKS).insertOne(webhook as unknown as WebhookRecord);
      const record = newSubmission({
        accountId: 'acc_1',
        formId: 'frm_1',
        data: '{}',
        metadata: { submittedVia: 'web' },
        requestId: 'r',
        now: Date.parse(AT) - 24 * 3600_000,
      });
      await submissions.insertOne(record);
      const eventId = record.pendingEvents?.[0]?.id ?? '';
      const delivery = {
        _id: deliveryId(eventId, webhook._id),
        webhookId: webhook._id,
        eventType: 'form.submission.new',
        body: '{}',
        status: 'failed',
        attempts,
        ...state,
      };
      await store.collection<DeliveryRecord>(DELIVERIES).insertOne(delivery as unknown as DeliveryRecord);
      const { receivedBy } = await eraser.submissions([record]);
      expect(receivedBy.map(({ url }) => url)).toEqual(hosts.map((host) => `https://${host}.example/`));
    },
  );
});

/** An eraser that awaits `change` between reading tasks and erasing them for the first time. */
function eraserAfter(store: DocumentStore, change: () => Promise<unknown>) {
  let isFirst = true;
  return createEraser({
    store: {
      collection: (spec) => {
        const own = store.collection(spec);
        if (spec.name !== TASKS.name) return own as never;
        return {
          ...own,
          find: own.find.bind(own),
          bulkUpdate: async (operations: Parameters<typeof own.bulkUpdate>[0]) => {
            if (isFirst) await change();
            isFirst = false;
            return own.bulkUpdate(operations);
          },
        } as never;
      },
    },
    forgetReplies: async () => {},
    now: () => Date.parse(AT),
  });
}

it('a task whose values a vote changes while it is erased keeps none of them', async () => {
  const { store, tasks, addTask } = openFixture();
  const task = await addTask();
  const racing = eraserAfter(store, () =>
    tasks.updateOne(
      { _id: task._id, status: 'awaiting' },
      { $set: { revision: 1, proposal: '{"email":"ada@new.example"}' } },
    ),
  );

  await racing.tasks([task]);

  const tombstone = await tasks.findOne({ _id: task._id });
  expect(tombstone).toMatchObject({ accountId: '', status: 'cancelled' });
  expect(JSON.stringify(tombstone)).not.toContain('ada@');
});

it('a task whose message in Slack is posted while it is erased has the message deleted', async () => {
  const { store, tasks, addTask } = openFixture();
  const task = await addTask();
  await tasks.updateOne({ _id: task._id }, { $set: { slack: { channel: 'C1' }, slackDue: AT } });
  const racing = eraserAfter(store, () =>
    tasks.updateOne({ _id: task._id }, { $set: { 'slack.ts': '1.2' }, $unset: { slackDue: true } }),
  );

  await racing.tasks([task]);

  expect(await tasks.findOne({ _id: task._id })).toMatchObject({
    accountId: '',
    slack: { channel: 'C1', ts: '1.2' },
    slackDue: AT,
  });
});

describe('a task that is resolved while it is erased', () => {
  it('leaves no submission, and has its events in the record', async () => {
    const { tasks, submissions, erasures, eraser, addTask, resolveTask, goOn } = openFixture();
    const asRead = await addTask();
    const resolved = await resolveTask(asRead);
    const { submissionId = '' } = resolved;

    const erased = await eraser.tasks([asRead]);

    expect(erased.submissionIds).toEqual([submissionId]);
    const tombstone = await tasks.findOne({ _id: asRead._id });
    expect(JSON.stringify(tombstone)).not.toContain('ada@');
    expect(tombstone).not.toHaveProperty('pendingKey');
    await goOn(resolved);
    expect(await submissions.findOne({ _id: submissionId })).toMatchObject({ formId: '', data: '{}' });
    const [record] = await erasures.find({});
    expect(record?.submissionIds).toEqual([submissionId]);
    const types = record?.events.map(({ type }) => type);
    for (const type of ['form.submission.new', 'decision.approved', 'hitl.task.completed'] as const)
      expect(types).toContain(type);
  });

  it('is read again if it changes before it is erased', async () => {
    const { store, tasks, submissions, addTask, resolveTask, goOn } = openFixture();
    const task = await addTask();
    let resolved: TaskRecord | undefined;
    const racing = eraserAfter(store, async () => (resolved = await resolveTask(task)));

    await racing.tasks([task]);

    if (!resolved) throw new Error('the task was not resolved');
    await goOn(resolved);
    expect(await submissions.find({ formId: 'frm_1' })).toEqual([]);
    expect(JSON.stringify(await tasks.find({}))).not.toContain('ada@');
  });

  it('is erased with its submission by the job after a crash', async () => {
    const { submissions, erasures, eraser, addTask, resolveTask, goOn } = openFixture();
    const task = await addTask();
    await eraser.tasks([{ ...task, _id: newId('tsk') }]);
    const [stored] = await erasures.find({});
    if (!stored) throw new Error('no record');
    await erasures.updateOne({ _id: stored._id }, { $set: { taskIds: [task._id] } });
    const resolved = await resolveTask(task);

    await eraser.apply({ ...stored, taskIds: [task._id] });

    await goOn(resolved);
    expect(await submissions.find({ formId: 'frm_1' })).toEqual([]);
    expect((await erasures.findOne({ _id: stored._id }))?.submissionIds).toEqual([resolved.submissionId]);
  });

  it('leaves no submission when its form is deleted', async () => {
    const { store, tasks, submissions, eraser, addTask, resolveTask, goOn } = openFixture();
    const form = { _id: 'frm_1', accountId: 'acc_1' } as FormRecord;
    await store.collection<FormRecord>(FORMS).insertOne(form);
    const resolved = await resolveTask(await addTask());

    await eraser.form(form);

    await goOn(resolved);
    expect(await submissions.find({ formId: 'frm_1' })).toEqual([]);
    expect(JSON.stringify(await tasks.find({}))).not.toContain('ada@');
  });
});
