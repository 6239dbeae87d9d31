import type { TaskOut } from '@svcforms/contracts';
import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import { AUDIT_LOG } from '@svcforms/http';
import type { FormRecord } from '@svcforms/records';
import { createHash } from 'node:crypto';
import { openFixture, type HitlFixture } from '../../test/fixture.ts';
import { refusingFirst } from '../../test/refusing-store.ts';

let fixture: HitlFixture;
let form: FormRecord;
let other: FormRecord;
beforeAll(async () => {
  fixture = await openFixture(openEmbeddedPair());
  const fields: FormRecord['fields'] = [
    { name: 'amount', type: 'number', required: true },
    { name: 'order', type: 'text' },
    { name: 'cart', type: 'hidden' },
  ];
  [form, other] = [await fixture.addForm(fields), await fixture.addForm(fields)];
});

let keys = 0;
const request = () => ({
  templateId: form._id,
  title: 'Refund?',
  description: 'The parcel was lost.',
  prefill: { amount: 10, order: 'A-1', cart: { items: [{ sku: 's', count: 1 }], total: 10 } } as object,
  editableFields: ['amount'],
  dedupeKey: `dedupe ${keys++}`,
});
const post = (body: object) => fixture.client.post<TaskOut>('/api/mcp/tasks', { body });

describe('a used dedupeKey', () => {
  it.each<[string, (input: ReturnType<typeof request>) => object]>([
    ['templateId', () => ({ templateId: other._id })],
    ['templateId', () => ({ templateId: 'frm_01ARZ3NDEKTSV4RRFFQ69G5FAV' })],
    ['title', () => ({ title: 'Refund!' })],
    ['title', () => ({ title: undefined })],
    ['description', () => ({ description: 'The parcel was found.' })],
    ['description', () => ({ description: undefined })],
    ['prefill', ({ prefill }) => ({ prefill: { ...prefill, amount: 9000 } })],
    ['prefill', ({ prefill }) => ({ prefill: { ...prefill, order: 'A-2' } })],
    ['prefill', () => ({ prefill: { amount: 10 } })],
    ['prefill', () => ({ prefill: { amount: 'not a number' } })],
    ['prefill', ({ prefill }) => ({ prefill: { ...prefill, cart: { items: [], total: 10 } } })],
    ['editableFields', () => ({ editableFields: ['amount', 'order'] })],
    ['editableFields', () => ({ editableFields: [] })],
    ['editableFields', () => ({ editableFields: undefined })],
    ['decisionMode', () => ({ decisionMode: 'form' })],
  ])('is rejected with a different %s', async (field, change) => {
    const input = request();
    const first = await post(input);
    expect(first.status).toBe(201);
    await fixture.decide(first.body.data, 'approved');
    const { status, body } = await post({ ...input, ...change(input) });
    expect({ status, ...body }).toMatchObject({
      status: 422,
      code: 'DEDUPE_KEY_REUSED',
      errors: [{ pointer: '/dedupeKey', message: expect.stringContaining(field) }],
    });
    // A random id may contain the digits.
    expect(JSON.stringify({ ...body, requestId: '' })).not.toMatch(/A-1|lost|9000/);
  });

  it('names all members that differ', async () => {
    const input = request();
    await post(input);
    const { body } = await post({ ...input, title: 'x', prefill: { amount: 1 }, decisionMode: 'form' });
    expect(body.errors?.[0]?.message).toMatch(/title, prefill.*decisionMode/);
  });

  it.each<[string, (input: ReturnType<typeof request>) => object]>([
    ['the same request', () => ({})],
    [
      'other keys first in the prefill',
      () => ({ prefill: { cart: { total: 10, items: [{ count: 1, sku: 's' }] }, order: 'A-1', amount: 10 } }),
    ],
    ['values that the form reads as the same', ({ prefill }) => ({ prefill: { ...prefill, amount: '10' } })],
    ['defaults spelled out', () => ({ decisionMode: 'approval', priority: 'normal', onExpiry: 'expire' })],
    [
      'another expiry, priority, metadata, callback, assignee, comment rules',
      () => ({
        expiresInSeconds: 120,
        priority: 'urgent',
        metadata: { run: 2 },
        callbackUrl: 'http://127.0.0.1:9/',
        onExpiry: 'reject',
        assignee: fixture.owner._id,
        requireComment: ['rejected'],
        rejectOptions: ['Too much'],
      }),
    ],
  ])('returns the task for %s', async (_, change) => {
    const input = request();
    const first = await post(input);
    await fixture.decide(first.body.data, 'approved');
    const { status, body } = await post({ ...input, ...change(input) });
    expect([status, body.data]).toEqual([
      200,
      expect.objectContaining({ id: first.body.data.id, status: 'approved' }),
    ]);
  });

  it.each<[string, object, object]>([
    ['no prefill and an empty one', { decisionMode: 'form' }, { decisionMode: 'form', prefill: {} }],
    [
      'no editable fields and an empty list, in approval mode',
      { prefill: { amount: 1 } },
      { prefill: { amount: 1 }, editableFields: [] },
    ],
    [
      'no editable fields and all of them, in form mode',
      { decisionMode: 'form' },
      { decisionMode: 'form', editableFields: ['cart', 'order', 'amount'] },
    ],
    [
      'editable fields in another order',
      { decisionMode: 'form', editableFields: ['amount', 'order'] },
      { decisionMode: 'form', editableFields: ['order', 'amount'] },
    ],
  ])('treats %s as equal, in both directions', async (_, one, two) => {
    for (const [before, after] of [
      [one, two],
      [two, one],
    ]) {
      const dedupeKey = `dedupe ${keys++}`;
      const first = await post({ templateId: form._id, dedupeKey, ...before });
      const second = await post({ templateId: form._id, dedupeKey, ...after });
      expect([first.status, second.status, second.body.data.id]).toEqual([201, 200, first.body.data.id]);
    }
  });

  it('returns the task after its form was changed or deleted', async () => {
    const { _id } = await fixture.addForm([{ name: 'amount', type: 'number' }]);
    const absent = { templateId: _id, decisionMode: 'form', dedupeKey: `dedupe ${keys++}` };
    const input = { templateId: _id, prefill: { amount: '10' }, dedupeKey: `dedupe ${keys++}` };
    const [first, second] = [await post(absent), await post(input)];
    await fixture.forms.updateOne(
      { _id },
      {
        $set: {
          fields: [
            { name: 'amount', type: 'text' },
            { name: 'more', type: 'text', required: true },
          ],
        },
      },
    );
    expect((await post(absent)).body.data.id).toBe(first.body.data.id);
    expect((await post(input)).body.data.id).toBe(second.body.data.id);
    await fixture.forms.deleteOne({ _id });
    expect((await post(input)).body.data.id).toBe(second.body.data.id);
    expect((await post({ ...input, prefill: { amount: 11 } })).body.code).toBe('DEDUPE_KEY_REUSED');
  });

  const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
  const refused = async (dedupeKey: string) => {
    const body = { templateId: fixture.form._id, prefill: { amount: 120 }, dedupeKey };
    const { status, body: problem } = await fixture.client.post('/api/mcp/tasks', { body });
    return [status, problem.code];
  };

  it('stops no erasure, and gets no task of another key, if it looks like the hash of another one', async () => {
    const key = `refund ${keys++}`;
    const likeHash = `sha256:${hashOf(`${fixture.accountId}|${key}`)}`;
    const [one, two] = [
      await fixture.createTask({ dedupeKey: key }),
      await fixture.createTask({ dedupeKey: likeHash }),
    ];
    await fixture.client.delete(`/api/mcp/tasks/${one.id}`, { expect: 204 });
    expect(await refused(key)).toEqual([410, 'ERASED']);
    await fixture.client.delete(`/api/mcp/tasks/${two.id}`, { expect: 204 });
    expect(await refused(likeHash)).toEqual([410, 'ERASED']);
  });

  it.each(['Ada Lovelace', 'Ada|sha256:Lovelace'])('like %s is not stored after an erasure', async (key) => {
    const { id } = await fixture.createTask({ dedupeKey: key });
    await fixture.client.delete(`/api/mcp/tasks/${id}`, { expect: 204 });
    expect(JSON.stringify(await fixture.tasks.findOne({ _id: id }))).not.toContain('Lovelace');
    expect(await refused(key)).toEqual([410, 'ERASED']);
  });

  it('does not stop the erasure of a task that an older version created with the key of an erased one', async () => {
    const key = `refund ${keys++}`;
    const [one, two, three] = [
      await fixture.createTask({ dedupeKey: key }),
      await fixture.createTask(),
      await fixture.createTask(),
    ];
    for (const { id } of [one, two, three]) {
      // Older versions don't find the hash of the key, so that they store it again.
      await fixture.tasks.updateOne({ _id: id }, { $set: { dedupe: `${fixture.accountId}|${key}` } });
      await fixture.client.delete(`/api/mcp/tasks/${id}`, { expect: 204 });
    }
    expect(await refused(key)).toEqual([410, 'ERASED']);
    expect(JSON.stringify(await fixture.tasks.findOne({ _id: three.id }))).not.toContain(key);
  });

  it('is hashed if an older version left it in clear and its task is erased again', async () => {
    const key = `Ada|sha256:Lovelace ${keys++}`;
    const { id, createdAt } = await fixture.createTask({ dedupeKey: key });
    await fixture.tasks.updateOne({ _id: id }, { $set: { erasedAt: createdAt } });
    await fixture.client.delete(`/api/mcp/tasks/${id}`, { expect: 204 });
    expect(JSON.stringify(await fixture.tasks.findOne({ _id: id }))).not.toContain('Lovelace');
    expect(await refused(key)).toEqual([410, 'ERASED']);
  });

  it('stays reserved after its task was erased by an older version', async () => {
    const key = `refund ${keys++}`;
    const task = await fixture.createTask({ dedupeKey: key });
    const dedupe = `${fixture.accountId}|sha256:${hashOf(`${fixture.accountId}|${key}`)}`;
    await fixture.tasks.updateOne({ _id: task.id }, { $set: { dedupe, erasedAt: task.createdAt } });
    expect(await refused(key)).toEqual([410, 'ERASED']);
    await fixture.client.delete(`/api/mcp/tasks/${task.id}`, { expect: 204 });
    expect(await refused(key)).toEqual([410, 'ERASED']);
  });

  it('stays reserved after its task was erased in the first account of another installation', async () => {
    const task = await fixture.createTask();
    const stored = await fixture.tasks.findOne({ _id: task.id });
    const own = stored?.accountId ?? '';
    const key = 'refund 7';
    const hash = createHash('sha256').update(`acc_00000000000000000000000001|${key}`).digest('hex');
    // The import of the account gives it another id; the hash stays.
    const dedupe = `${own}#sha256:${hash}`;
    await fixture.tasks.updateOne(
      { _id: task.id },
      { $set: { accountId: '', dedupe, erasedAt: task.createdAt } },
    );
    expect(await refused(key)).toEqual([410, 'ERASED']);
  });

  it('tells somebody who doesn’t see the form of its task only that the key is used', async () => {
    const group = await fixture.addGroup([]);
    const hidden = await fixture.addForm(form.fields, { reviewers: { groups: [group._id] } });
    const input = { ...request(), templateId: hidden._id };
    expect((await post(input)).status).toBe(201);
    const { client } = await fixture.addPerson('reviewer', ['tasks:create']);
    for (const guess of [{}, { title: 'Another', prefill: { amount: 1 } }]) {
      const body = { ...input, ...guess, templateId: form._id };
      const reused = await client.post('/api/mcp/tasks', { body });
      expect({ status: reused.status, ...reused.body }).toMatchObject({
        status: 422,
        code: 'DEDUPE_KEY_REUSED',
        errors: [{ message: expect.stringContaining('with a different templateId;') as string }],
      });
      const refused = await client.post('/api/mcp/tasks', { body: { ...body, templateId: hidden._id } });
      expect([refused.status, refused.body.code]).toEqual([404, 'NOT_FOUND']);
    }
  });

  it('works with a task that was stored without a prefill hash', async () => {
    const input = { ...request(), prefill: { amount: '10', order: 'A-1' } };
    const { id } = (await post(input)).body.data;
    await fixture.tasks.updateOne({ _id: id }, { $unset: { prefillHash: true } });
    expect((await post(input)).body.data.id).toBe(id);
    expect((await post({ ...input, prefill: { amount: 9000, order: 'A-1' } })).body.code).toBe(
      'DEDUPE_KEY_REUSED',
    );
  });

  it('creates the task, with its row of the audit log, by a repeated request whose row was refused', async () => {
    const replica = await fixture.startReplica({ store: refusingFirst(fixture.store, AUDIT_LOG.name) });
    const headers = { 'Idempotency-Key': `once ${keys++}` };
    const body = request();
    const create = () => replica.client(fixture.key).post<TaskOut>('/api/mcp/tasks', { body, headers });
    expect((await create()).status).toBe(503);
    const repeated = await create();
    expect(repeated.status).toBe(201);
    const rows = await fixture.store.collection(AUDIT_LOG).find({});
    expect(JSON.stringify(rows)).toContain(repeated.body.data.id);
    const later = await post(body);
    expect([later.status, later.body.data.id]).toEqual([200, repeated.body.data.id]);
    await replica.stop();
  });

  it('is taken by one of several parallel, different requests', async () => {
    const dedupeKey = `dedupe ${keys++}`;
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) => post({ ...request(), dedupeKey, prefill: { amount: n % 2 } })),
    );
    const codes = responses.map(({ status, body }) => `${status} ${body.code ?? ''}`).toSorted();
    expect(codes).toEqual([
      ...Array<string>(4).fill('200 '),
      '201 ',
      ...Array<string>(5).fill('422 DEDUPE_KEY_REUSED'),
    ]);
    expect(await fixture.tasks.count({ dedupe: `${fixture.accountId}|${dedupeKey}` })).toBe(1);
  });
});
