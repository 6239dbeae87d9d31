import { newId, type DeliveryOut, type KeyCreatedOut, type SubmissionOut } from '@svcforms/contracts';
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
import { addUser, cookieOf } from '../../test/users.ts';

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

  it('searches for a text of 200 characters, and says that a longer one is refused', async () => {
    expect(await emails(`?where=email:${'a'.repeat(200)}`)).toEqual([]);
    const { body } = await api.client.get(`${path}?where=email:${'a'.repeat(201)}`, { expect: 422 });
    expect(body.errors).toEqual([
      {
        pointer: '/where',
        message: 'must be a field name, a colon and a text of at most 200 characters',
      },
    ]);
  });

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

  /**
   * Stores one delivery of the submission to a new webhook of the form and one to a new one of the
   * account.
   */
  async function storeDeliveries(submissionId: string): Promise<string[]> {
    const hook = { url: 'https://hooks.example/a', events: ['form.submission.new'] };
    const ofForm = await api.createWebhook(formId, hook);
    const ofAccount = await api.client.post<{ id: string }>('/api/webhooks', { body: hook, expect: 201 });
    const record = await api.store.collection<SubmissionRecord>(SUBMISSIONS).findOne({ _id: submissionId });
    const [event] = (record && eventsOfSubmission(record)?.pendingEvents) ?? [];
    const stored = [ofForm.id, ofAccount.body.data.id].map((webhookId, n) => ({
      _id: deliveryId(String(event?.id), webhookId),
      webhookId,
      accountId: api.accountId,
      formId,
      submissionId,
      eventId: String(event?.id),
      eventType: 'form.submission.new',
      status: 'delivered',
      attempts: [],
      body: '{}',
      createdAt: `2026-03-14T09:26:5${n}.000Z`,
      expireAt: '2026-04-14T09:26:53.000Z',
    })) as unknown as DeliveryRecord[];
    await api.store.collection<DeliveryRecord>(DELIVERIES).insertMany(stored);
    return stored.map(({ _id }) => _id);
  }

  const deliveriesOf = async (submissionId: string, by = api.client) =>
    (
      await by.get<DeliveryOut[]>(`/api/submissions/${submissionId}/deliveries`, { expect: 200 })
    ).body.data.map(({ id }) => id);

  it('has the deliveries of each submission', async () => {
    const { body } = await api.client.get<SubmissionOut[]>(path, { expect: 200 });
    const id = String(body.data[0]?.id);
    expect(await deliveriesOf(id)).toEqual([]);
    const ids = await storeDeliveries(id);
    expect(await deliveriesOf(id)).toEqual(ids.toReversed());
    await api.client.get('/api/submissions/sub_01J9ZC3V6M8K2Q4R5S7T9W1X3Y/deliveries', { expect: 404 });
  });

  it('has no deliveries to account webhooks for the key of an admin who became a reviewer', async () => {
    const admin = await addUser(api, 'admin');
    const created = await api.visitor.post<KeyCreatedOut>('/api/keys', {
      headers: await cookieOf(api, admin),
      body: { name: 'Key', scopes: ['forms:webhooks:manage'] },
      expect: 201,
    });
    const key = api.host.client(created.body.data.key ?? '');
    const { body } = await api.client.get<SubmissionOut[]>(path, { expect: 200 });
    const id = String(body.data[1]?.id);
    const [ofForm, ofAccount] = await storeDeliveries(id);
    expect(await deliveriesOf(id, key)).toEqual([ofAccount, ofForm]);
    await api.client.patch(`/api/users/${admin._id}`, { body: { role: 'reviewer' }, expect: 200 });
    expect(await deliveriesOf(id, key)).toEqual([ofForm]);
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
