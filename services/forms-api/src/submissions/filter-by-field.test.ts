import { newId, type DeliveryOut, type SubmissionOut } from '@svcforms/contracts';
import {
  deliveryId,
  DELIVERIES,
  endEventsOf,
  eventsOfSubmission,
  submissionOfTask,
  SUBMISSIONS,
  TASKS,
  type DeliveryRecord,
  type SubmissionRecord,
  type TaskRecord,
} from '@svcforms/records';
import { openFormsApi } from '../../test/fixture.ts';
import { storeSubmissions } from '../../test/submissions.ts';

const ROWS = [
  { email: 'ada@example.com', size: 'l', people: 3, news: true, terms: { accepted: true, text: 'I agree' } },
  { email: 'grace@other.example', size: 'xl', people: 30, news: false },
  { email: 'Alan@example.com', size: 'l', tags: ['a', 'b'], other: 'size' },
];

describe('the list of submissions', () => {
  let api: Awaited<ReturnType<typeof openFormsApi>>;
  let formId: string;
  let path: string;

  beforeAll(async () => {
    api = await openFormsApi();
    const form = await api.createForm({
      fields: [
        { name: 'email', type: 'email' },
        { name: 'size', type: 'select', options: [{ value: 'l' }, { value: 'xl' }] },
        { name: 'people', type: 'number' },
        { name: 'news', type: 'checkbox' },
        { name: 'tags', type: 'checkboxes', options: [{ value: 'a' }, { value: 'b' }] },
        { name: 'terms', type: 'consent', label: 'I agree' },
      ],
    });
    formId = form.id;
    path = `/api/forms/${formId}/submissions`;
    await storeSubmissions(
      api.store,
      form,
      ROWS.map((data, at) => ({ data, at })),
    );
  });

  const emails = async (query: string) =>
    (await api.client.get<SubmissionOut[]>(path + query, { expect: 200 })).body.data.map(
      ({ data }) => data['email'],
    );

  it.each([
    ['a part of a text, ignoring case', 'where=email:EXAMPLE.com', ['Alan@example.com', 'ada@example.com']],
    ['a whole choice', 'where=size:l', ['Alan@example.com', 'ada@example.com']],
    ['a whole number', 'where=people:3', ['ada@example.com']],
    ['a checkbox', 'where=news:false', ['grace@other.example']],
    ['one of several choices', 'where=tags:b', ['Alan@example.com']],
    ['the answer to a consent', 'where=terms:true', ['ada@example.com']],
    ['not the text of a consent', 'where=terms:agree', []],
    ['a key without a field', 'where=other:siz', ['Alan@example.com']],
    ['all conditions', 'where=size:l&where=email:ada', ['ada@example.com']],
    ['conditions and a text', 'where=size:l&q=alan', ['Alan@example.com']],
  ])('finds %s', async (_, query, expected) => {
    expect(await emails(`?${query}`)).toEqual(expected);
  });

  it.each(['where=size', 'where=:l', 'where=1:l', `where=${Array(6).fill('a:b').join('&where=')}`])(
    'refuses %s',
    async (query) => {
      await api.client.get(`${path}?${query}`, { expect: 422 });
    },
  );

  it('starts with the oldest, page by page', async () => {
    const first = await api.client.get<SubmissionOut[]>(`${path}?sort=createdAt&limit=2`, { expect: 200 });
    expect(first.body.data.map(({ data }) => data['email'])).toEqual([
      'ada@example.com',
      'grace@other.example',
    ]);
    const cursor = String(
      (first.body as unknown as { pagination: { nextCursor: string } }).pagination.nextCursor,
    );
    expect(await emails(`?sort=createdAt&limit=2&cursor=${cursor}`)).toEqual(['Alan@example.com']);
    await api.client.get(`${path}?cursor=${cursor}`, { expect: 422 });
  });

  it('exports selected submissions', async () => {
    const { body } = await api.client.get<SubmissionOut[]>(path, { expect: 200 });
    const [newest, , oldest] = body.data;
    const { text } = await api.client.get(
      `${path}/export?format=ndjson&ids=${newest?.id},${oldest?.id},sub_01J9ZC3V6M8K2Q4R5S7T9W1X3Y`,
      { expect: 200 },
    );
    const lines = text.trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as SubmissionOut).id)).toEqual([newest?.id, oldest?.id]);
    await api.client.get(`${path}/export?ids=frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y`, { expect: 422 });
  });

  it('has the deliveries of each submission', async () => {
    const { body } = await api.client.get<SubmissionOut[]>(path, { expect: 200 });
    const [submission] = body.data;
    const deliveriesPath = `/api/submissions/${submission?.id}/deliveries`;
    const read = async () =>
      (await api.client.get<DeliveryOut[]>(deliveriesPath, { expect: 200 })).body.data.map(({ id }) => id);
    expect(await read()).toEqual([]);
    const ofForm = await api.client.post<{ id: string }>(`/api/forms/${formId}/webhooks`, {
      body: { url: 'https://hooks.example/a', events: ['form.submission.new'] },
      expect: 201,
    });
    const ofAccount = await api.client.post<{ id: string }>('/api/webhooks', {
      body: { url: 'https://hooks.example/b', events: ['form.submission.new'] },
      expect: 201,
    });
    const record = await api.store
      .collection<SubmissionRecord>(SUBMISSIONS)
      .findOne({ _id: String(submission?.id) });
    const [event] = (record && eventsOfSubmission(record)?.pendingEvents) ?? [];
    const ids = [ofForm, ofAccount].map(({ body: { data } }) => deliveryId(String(event?.id), data.id));
    await api.store.collection<DeliveryRecord>(DELIVERIES).insertMany(
      ids.map((_id, n) => ({
        _id,
        webhookId: [ofForm, ofAccount][n]?.body.data.id ?? '',
        accountId: record?.accountId ?? '',
        formId,
        submissionId: record?._id ?? '',
        eventId: String(event?.id),
        eventType: 'form.submission.new',
        status: 'delivered',
        attempts: [],
        body: '{}',
        createdAt: `2026-03-14T09:26:5${n}.000Z`,
        expireAt: '2026-04-14T09:26:53.000Z',
      })) as unknown as DeliveryRecord[],
    );
    expect(await read()).toEqual(ids.toReversed());
    await api.client.get('/api/submissions/sub_01J9ZC3V6M8K2Q4R5S7T9W1X3Y/deliveries', { expect: 404 });
  });

  it('has the deliveries of the end of the task that created a submission', async () => {
    const at = '2026-03-14T09:26:53.589Z';
    const task = {
      _id: newId('tsk'),
      accountId: api.accountId,
      formId,
      prefill: '{}',
      status: 'approved',
      formData: '{}',
      submissionId: newId('sub'),
      metadata: '{}',
      history: [],
      createdAt: at,
      settledAt: at,
    } as unknown as TaskRecord;
    await api.store.collection<TaskRecord>(TASKS).insertOne(task);
    await api.store.collection<SubmissionRecord>(SUBMISSIONS).insertOne(submissionOfTask(task));
    const hook = { url: 'https://hooks.example/c', events: ['decision.approved'] };
    const ofForm = await api.createWebhook(formId, hook);
    const ofAccount = await api.client.post<{ id: string }>('/api/webhooks', {
      body: { ...hook, events: ['decision.approved', 'hitl.task.completed'] },
      expect: 201,
    });
    const [approved, completed] = endEventsOf(task);
    const sent = [
      { event: approved, webhookId: ofForm.id },
      { event: approved, webhookId: ofAccount.body.data.id },
      { event: completed, webhookId: ofAccount.body.data.id },
    ].map(({ event, webhookId }) => ({
      _id: deliveryId(String(event?.id), webhookId),
      webhookId,
      accountId: api.accountId,
      formId,
      submissionId: task.submissionId,
      taskId: task._id,
      eventId: String(event?.id),
      eventType: event?.type,
      status: 'delivered',
      attempts: [],
      body: '{}',
      createdAt: at,
      expireAt: '2026-04-14T09:26:53.000Z',
    })) as unknown as DeliveryRecord[];
    await api.store.collection<DeliveryRecord>(DELIVERIES).insertMany(sent);
    const deliveriesPath = `/api/submissions/${task.submissionId}/deliveries`;
    const { body } = await api.client.get<DeliveryOut[]>(deliveriesPath, { expect: 200 });
    expect(body.data.map(({ id }) => id).toSorted()).toEqual(sent.map(({ _id }) => _id).toSorted());
    expect((await api.stranger.get(deliveriesPath)).status).toBe(404);
  });
});
