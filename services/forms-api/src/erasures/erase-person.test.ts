import { newId, type ErasureOut } from '@svcforms/contracts';
import { SUBMISSIONS, TASKS, type SubmissionRecord, type TaskRecord } from '@svcforms/records';
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
  await tasks.insertOne({
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
  });
  await store.collection<SubmissionRecord>(SUBMISSIONS).insertOne({
    _id: submissionId,
    accountId,
    formId,
    data: '{}',
    metadata: { submittedVia: 'task', taskId },
    createdAt,
  });
  return { ...api, tasks, taskId, submissionId };
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
