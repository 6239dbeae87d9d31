import { newId, type AccountOut, type SubmissionOut } from '@svcforms/contracts';
import { DELIVERIES, ERASURES, TASKS, type ErasureRecord, type TaskRecord } from '@svcforms/records';
import { poll } from '@svcforms/test-kit';
import { openFormsApi } from '../../test/fixture.ts';

const DAY_MS = 24 * 3600_000;

async function openFixture() {
  const api = await openFormsApi();
  const { client, visitor, clock, store } = api;
  return {
    ...api,
    submit: async (formId: string) => {
      const { body } = await visitor.post<{ submissionId: string }>(`/api/forms/${formId}/submissions`, {
        body: { data: { email: 'ada@example.com' } },
        expect: 201,
      });
      return body.data.submissionId;
    },
    addTask: async (formId: string, values: Partial<TaskRecord>) => {
      const _id = newId('tsk');
      await store.collection<Partial<TaskRecord> & { _id: string }>(TASKS).insertOne({
        _id,
        accountId: api.accountId,
        formId,
        prefill: '{"email":"ada@example.com"}',
        metadata: '{}',
        history: [],
        createdAt: new Date(clock.now).toISOString(),
        ...values,
      });
      return _id;
    },
    statusOf: async (submissionId: string) =>
      (await client.get<SubmissionOut>(`/api/submissions/${submissionId}`)).status,
    later: async (days: number) => {
      clock.now += days * DAY_MS;
      // The job runs at the start, and every hour from then on.
      await api.start();
    },
  };
}

describe('the retention period', () => {
  it('of a form erases its submissions and resolved tasks when they are older, and nothing else', async () => {
    const fixture = await openFixture();
    const limited = await fixture.createForm({ settings: { retentionDays: 30 } });
    const unlimited = await fixture.createForm();
    const at = new Date(fixture.clock.now).toISOString();
    const [old, other] = [await fixture.submit(limited.id), await fixture.submit(unlimited.id)];
    const resolved = await fixture.addTask(limited.id, { status: 'approved', settledAt: at });
    const awaiting = await fixture.addTask(limited.id, { status: 'awaiting' });
    fixture.clock.now += 29 * DAY_MS;
    const young = await fixture.submit(limited.id);
    await fixture.later(2);

    await poll(async () => (await fixture.statusOf(old)) === 404, { what: 'the old one erased' });
    const tasks = fixture.store.collection<TaskRecord>(TASKS);
    await poll(async () => (await tasks.findOne({ _id: resolved }))?.accountId === '', {
      what: 'the task erased',
    });
    expect(await fixture.statusOf(young)).toBe(200);
    expect(await fixture.statusOf(other)).toBe(200);
    expect(await tasks.findOne({ _id: awaiting })).toMatchObject({ accountId: fixture.accountId });
    // By the one path: the erasure job of the dispatcher has the rest to do.
    const erasures = await fixture.store.collection<ErasureRecord>(ERASURES).find({});
    expect(erasures.flatMap(({ submissionIds }) => submissionIds)).toEqual([old]);
  });

  it('of the account holds for forms that set nothing, and the form’s own wins', async () => {
    const fixture = await openFixture();
    const path = '/api/account';
    expect((await fixture.client.get<AccountOut>(path, { expect: 200 })).body.data.retentionDays).toBeNull();
    const { body } = await fixture.client.patch<AccountOut>(path, {
      body: { retentionDays: 10 },
      expect: 200,
    });
    expect(body.data.retentionDays).toBe(10);
    const [plain, own] = [
      await fixture.createForm(),
      await fixture.createForm({ settings: { retentionDays: 100 } }),
    ];
    const [old, kept] = [await fixture.submit(plain.id), await fixture.submit(own.id)];
    await fixture.later(11);

    await poll(async () => (await fixture.statusOf(old)) === 404, { what: 'the old one erased' });
    expect(await fixture.statusOf(kept)).toBe(200);
    await fixture.client.patch(path, { body: { retentionDays: null }, expect: 200 });
    expect((await fixture.client.get<AccountOut>(path)).body.data.retentionDays).toBeNull();
  });

  it.each([0, 3651, 1.5, 'a week'])('is refused as %s', async (retentionDays) => {
    const fixture = await openFixture();
    const refused = await fixture.client.post('/api/forms', {
      body: { name: 'x', fields: [], settings: { retentionDays } },
    });
    expect([refused.status, refused.body.errors?.[0]?.pointer]).toEqual([422, '/settings/retentionDays']);
    expect((await fixture.client.patch('/api/account', { body: { retentionDays } })).status).toBe(422);
  });
});

describe('a delivery that was not stored yet when its submission was deleted', () => {
  it('can not be inserted anymore', async () => {
    const fixture = await openFixture();
    const form = await fixture.createForm();
    const webhook = await fixture.createWebhook(form.id);
    const submissionId = await fixture.submit(form.id);
    await fixture.client.delete(`/api/submissions/${submissionId}`, { expect: 204 });
    const [erased, ...others] = await fixture.store.collection(DELIVERIES).find({ webhookId: webhook.id });
    expect(others).toEqual([]);
    expect(erased).toMatchObject({ body: '', status: 'failed' });
  });
});
