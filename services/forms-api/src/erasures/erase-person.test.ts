import { newId, type DeliveryOut, type ErasureOut, type WebhookTestOut } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { watchFinds } from '@svcforms/document-store/testing';
import {
  SUBMISSIONS,
  TASKS,
  WEBHOOKS,
  type SubmissionRecord,
  type TaskRecord,
  type WebhookRecord,
} from '@svcforms/records';
import { startWebhookEndpoint } from '@svcforms/test-kit';
import { openFormsApi } from '../../test/fixture.ts';

const VALUE = 'Not for ada@example.com';

/** A form with a rejected task, whose reason to reject names a person. */
async function openFixture() {
  const api = await openFormsApi();
  const { store, accountId, clock } = api;
  const { id: formId } = await api.createForm();
  const tasks = store.collection<TaskRecord>(TASKS);
  const [taskId, submissionId] = [newId('tsk'), newId('sub')];
  const createdAt = new Date(clock.now).toISOString();
  const task: TaskRecord = {
    _id: taskId,
    accountId,
    formId,
    prefill: '{}',
    decisionMode: 'approval',
    priority: 'normal',
    rank: 1,
    status: 'rejected',
    outcome: 'rejected',
    rejectOptions: [VALUE, 'Too late'],
    rejectOption: VALUE,
    formData: '{}',
    submissionId,
    createdBy: 'key_1',
    userId: 'key_1',
    expiresAt: createdAt,
    onExpiry: 'expire',
    metadata: '{}',
    history: [],
    createdAt,
    settledAt: createdAt,
  };
  await tasks.insertOne(task);
  await store.collection<SubmissionRecord>(SUBMISSIONS).insertOne({
    _id: submissionId,
    accountId,
    formId,
    data: '{}',
    metadata: { submittedVia: 'task', taskId },
    createdAt,
  });
  return { ...api, tasks, task, taskId, submissionId };
}

describe('the reasons to reject a task', () => {
  it('are erased with its submission', async () => {
    const { client, tasks, taskId, submissionId } = await openFixture();
    await client.delete(`/api/submissions/${submissionId}`, { expect: 204 });
    const left = await tasks.findOne({ _id: taskId });
    expect(left).toMatchObject({ outcome: 'rejected', erasedAt: expect.any(String) });
    expect(JSON.stringify(left)).not.toContain(VALUE);
  });

  it('are searched for the value of a person', async () => {
    const { client, taskId } = await openFixture();
    const { body } = await client.post<ErasureOut>('/api/erasures', { body: { value: VALUE }, expect: 201 });
    expect(body.data.taskIds).toEqual([taskId]);
  });
});

it('test events with the value of a person are erased, and nothing else for them', async () => {
  const { client, store, createForm, createWebhook } = await openFormsApi();
  const endpoint = await startWebhookEndpoint({ respond: ({ rawBody }) => ({ body: rawBody.toString() }) });
  const form = await createForm();
  const webhook = await createWebhook(form.id);
  // Past the guard of the routes, which knows no endpoints of tests.
  const url = `${endpoint.url}/hook`;
  await store.collection<WebhookRecord>(WEBHOOKS).updateOne({ _id: webhook.id }, { $set: { url } });
  const path = `/api/forms/${form.id}/webhooks/${webhook.id}`;
  const { deliveryId } = (await client.post<WebhookTestOut>(`${path}/test`, { expect: 200 })).body.data;
  const ofTest = () => client.get(`${path}/deliveries/${deliveryId}?include=request`, { expect: 200 });
  const value = 'ada@example.com';
  expect((await ofTest()).text).toContain(value);
  const erase = async () =>
    (await client.post<ErasureOut>('/api/erasures', { body: { value }, expect: 201 })).body.data;

  expect(await erase()).toMatchObject({
    submissionIds: [],
    taskIds: [],
    deliveryIds: [deliveryId],
    endpoints: [{ kind: 'webhook', id: webhook.id, url }],
  });

  const erased = await ofTest();
  expect(erased.text).not.toContain(value);
  expect(erased.body.data).toMatchObject({ status: 'delivered', isTest: true, request: { body: null } });
  for (const [query, ids] of [
    ['', []],
    ['?tests=include', [deliveryId]],
  ] as const) {
    const { body } = await client.get<DeliveryOut[]>(`${path}/deliveries${query}`, { expect: 200 });
    expect(body.data.map(({ id }) => id)).toEqual(ids);
  }
  expect(await erase()).toMatchObject({ deliveryIds: [], endpoints: [] });
});

/** The store itself, which also notes how many documents each read of tasks returned. */
function counting(real: DocumentStore): { store: DocumentStore; reads: number[] } {
  const reads: number[] = [];
  const store = watchFinds(real, TASKS, async (_filter, find) => {
    const documents = await find();
    reads.push(documents.length);
    return documents;
  });
  return { store, reads };
}

it.each([0, 8])(
  'reads large tasks a few at a time, so that others don’t wait, after %s small ones',
  async (small) => {
    const api = await openFixture();
    const { store, tasks, task, key } = api;
    const prefill = JSON.stringify({ text: 'x'.repeat(200_000) });
    const large = Array.from({ length: 39 }, () => ({ ...task, _id: newId('tsk'), prefill }));
    const newer = new Date(Date.parse(task.createdAt) + 1).toISOString();
    const newest = Array.from({ length: small }, () => ({ ...task, _id: newId('tsk'), createdAt: newer }));
    await tasks.insertMany([...large, ...newest]);
    const counted = counting(store);
    const host = await api.start({ store: counted.store });
    counted.reads.length = 0;

    const { body } = await host
      .client(key)
      .post<ErasureOut>('/api/erasures', { body: { value: VALUE }, expect: 201 });

    expect(body.data.taskIds).toHaveLength(40 + small);
    expect(Math.max(...counted.reads)).toBeLessThanOrEqual(small === 0 ? 8 : 16);
  },
);
