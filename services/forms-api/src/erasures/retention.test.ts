import { newId, type AccountOut, type SubmissionOut } from '@svcforms/contracts';
import { StoreError, type DocumentStore } from '@svcforms/document-store';
import { interceptCalls } from '@svcforms/document-store/testing';
import { connectNatsBus } from '@svcforms/event-bus/nats';
import { DAY_MS } from '@svcforms/primitives';
import {
  DELIVERIES,
  ERASURES,
  FORMS,
  SUBMISSIONS,
  TASKS,
  type ErasureRecord,
  type FormRecord,
  type SubmissionRecord,
  type TaskRecord,
} from '@svcforms/records';
import { atEnd, describeWith, poll, startNats } from '@svcforms/test-kit';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { openFormsApi } from '../../test/fixture.ts';

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
    /** Stores submissions, a second apart, and returns their ids, oldest first. */
    addSubmissions: async (formId: string, count: number, text = ''): Promise<string[]> => {
      const records = Array.from({ length: count }, (_, index) => ({
        _id: newId('sub'),
        accountId: api.accountId,
        formId,
        data: JSON.stringify({ email: 'ada@example.com', text }),
        metadata: { submittedVia: 'web' as const },
        createdAt: new Date(clock.now + index * 1000).toISOString(),
      }));
      await store.collection<SubmissionRecord>(SUBMISSIONS).insertMany(records);
      return records.map(({ _id }) => _id);
    },
    createLimitedForms: async () => {
      const create = async () => (await api.createForm({ settings: { retentionDays: 30 } })).id;
      return [await create(), await create()] as const;
    },
    /** The number of submissions that the retention period hasn't erased yet. */
    left: (formId: string) => store.collection<SubmissionRecord>(SUBMISSIONS).count({ formId }),
    statusOf: async (submissionId: string) =>
      (await client.get<SubmissionOut>(`/api/submissions/${submissionId}`)).status,
    later: async (days: number, serviceStore: DocumentStore = store) => {
      clock.now += days * DAY_MS;
      // The job runs at the start, and every hour from then on.
      return api.start({ store: serviceStore });
    },
  };
}

/** The store, except that `before` sees each erasure before it is stored, and may throw. */
function beforeErasing(store: DocumentStore, before: (record: ErasureRecord) => unknown): DocumentStore {
  return {
    ...store,
    collection: (spec) => {
      const real = store.collection(spec);
      if (spec.name !== ERASURES.name) return real as never;
      return new Proxy(real, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name);
          if (typeof member !== 'function') return member;
          return async (...args: unknown[]) => {
            if (name === 'insertOne') await before(args[0] as ErasureRecord);
            return Reflect.apply(member, target, args) as Promise<unknown>;
          };
        },
      }) as never;
    },
  };
}

/** A log whose lines can be read. */
function openLog() {
  const lines: string[] = [];
  const write = (line: unknown, _encoding: string, done: () => void) => (lines.push(String(line)), done());
  return { lines, log: pino(new Writable({ write })) };
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
    // Erasure uses the common path; the dispatcher's job does the rest.
    const erasures = await fixture.store.collection<ErasureRecord>(ERASURES).find({});
    expect(erasures.flatMap(({ submissionIds }) => submissionIds)).toEqual([old]);
  });

  it('of the account applies to forms without one of their own', async () => {
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

  it('erases the oldest submissions first, and those of a large form in turn with others', async () => {
    const fixture = await openFixture();
    const [one, other] = await fixture.createLimitedForms();
    const ids = [await fixture.addSubmissions(one, 450), await fixture.addSubmissions(other, 450)];
    const erased: string[] = [];
    const store = beforeErasing(fixture.store, ({ submissionIds }) => erased.push(...submissionIds));
    await fixture.later(31, store);

    await poll(async () => (await fixture.left(one)) + (await fixture.left(other)) === 0, {
      what: 'all of them erased',
    });
    const turns = (own: readonly string[]) =>
      [0, 8, 24, 56, 120, 248]
        .map((from, n, starts) => own.slice(from, starts[n + 1] ?? 448))
        .concat([own.slice(448)]);
    const [first = [], second = []] = ids.toSorted(
      ([a = ''], [b = '']) => erased.indexOf(a) - erased.indexOf(b),
    );
    expect(erased).toEqual(turns(first).flatMap((own, n) => [...own, ...(turns(second)[n] ?? [])]));
  });

  it('erases large submissions a few at a time', async () => {
    const fixture = await openFixture();
    const [form] = await fixture.createLimitedForms();
    await fixture.addSubmissions(form, 12, 'x'.repeat(1024 * 1024));
    const batches: number[] = [];
    await fixture.later(
      31,
      beforeErasing(fixture.store, ({ submissionIds }) => batches.push(submissionIds.length)),
    );
    await poll(async () => (await fixture.left(form)) === 0, { what: 'all of them erased' });
    expect(batches).toEqual([8, 1, 1, 1, 1]);
  });

  it('that somebody removes during a run erases nothing more after ten minutes', async () => {
    const fixture = await openFixture();
    const [form] = await fixture.createLimitedForms();
    await fixture.addSubmissions(form, 50);
    const store = beforeErasing(fixture.store, async () => {
      const update = { $unset: { 'settings.retentionDays': true } } as const;
      await fixture.store.collection<FormRecord>(FORMS).updateOne({ _id: form }, update);
      fixture.clock.now += 10 * 60_000;
    });
    const { lines, log } = openLog();
    fixture.clock.now += 31 * DAY_MS;
    await fixture.start({ store, log });

    const erased = await poll(() => lines.find((line) => line.includes('"retention.erased"')));
    expect(JSON.parse(erased)).toMatchObject({ formId: form, submissions: 8, tasks: 0 });
    expect(await fixture.left(form)).toBe(42);
  });

  it('lets other work run while it looks at many forms', async () => {
    const fixture = await openFixture();
    const [form] = await fixture.createLimitedForms();
    const forms = fixture.store.collection<FormRecord>(FORMS);
    const [record] = await forms.find({ _id: form });
    const copies = Array.from({ length: 1_500 }, () => ({ ...record!, _id: newId('frm') }));
    await forms.insertMany(copies);
    let turns = 0;
    const count = () => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const turnsAt: number[] = [];
    const store = interceptCalls(fixture.store, (call, { collection, method }) => (...args) => {
      if (collection === TASKS.name && method === 'find') turnsAt.push(turns);
      return call(...args);
    });
    await fixture.start({ store });
    await poll(() => turnsAt.length > copies.length, { what: 'a look at each form' });
    clearImmediate(counting);
    expect(turnsAt.at(-1)! - turnsAt[0]!).toBeGreaterThan(3);
  });

  it('erases all that is expired in one run', async () => {
    const fixture = await openFixture();
    const [form] = await fixture.createLimitedForms();
    await fixture.addSubmissions(form, 20_300);
    await fixture.later(31);
    await poll(async () => (await fixture.left(form)) === 0, {
      what: 'all of them erased',
      timeoutMs: 50_000,
      everyMs: 100,
    });
  });

  it('erases submissions of a form if the erasure of another one fails', async () => {
    const fixture = await openFixture();
    const [one, other] = await fixture.createLimitedForms();
    for (const id of [one, other]) await fixture.addSubmissions(id, 300);
    // The form whose turn is first.
    let failing: string | undefined;
    const store = beforeErasing(fixture.store, ({ events }) => {
      failing ??= events[0]?.formId;
      if (events[0]?.formId === failing) throw new Error('the test lets this form fail');
    });
    await fixture.later(31, store);

    await poll(async () => (await fixture.left(one)) + (await fixture.left(other)) === 300, {
      what: 'those of the other form erased',
    });
    expect(await fixture.left(failing ?? '')).toBe(300);
  });

  it.each(['UNAVAILABLE', 'DISK_FULL'] as const)(
    'ends its run, with one log line for all forms, if the store fails with %s',
    async (code) => {
      const fixture = await openFixture();
      for (const id of await fixture.createLimitedForms()) await fixture.addSubmissions(id, 1);
      const store = beforeErasing(fixture.store, () => {
        throw new StoreError(code, 'the test lets the store fail');
      });
      const { lines, log } = openLog();
      fixture.clock.now += 31 * DAY_MS;
      const host = await fixture.start({ store, log });

      await poll(() => lines.some((line) => line.includes('retention.failed')), { what: 'the log line' });
      await host.stop();
      expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
        expect.objectContaining({ event: 'retention.failed', what: 'erasing expired submissions' }),
      ]);
    },
  );

  it('stops erasing after the running batch when the service stops', async () => {
    const fixture = await openFixture();
    const [form] = await fixture.createLimitedForms();
    await fixture.addSubmissions(form, 5_000);
    let erased = 0;
    const host = await fixture.later(
      31,
      beforeErasing(fixture.store, ({ submissionIds }) => (erased += submissionIds.length)),
    );
    await poll(() => erased > 0, { what: 'the first batch', everyMs: 1 });
    await host.stop();
    expect(await fixture.left(form)).toBe(5_000 - erased);
    expect(erased).toBeLessThan(5_000);
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

describeWith(['nats'], 'the retention period, beside NATS', () => {
  it('erases nothing while the clock of the process differs from that of the server', async () => {
    const { addSubmissions, clock, createLimitedForms, left, start } = await openFixture();
    const nats = await startNats();
    atEnd(() => nats.remove());
    const bus = await connectNatsBus({ url: nats.url, name: 'test' });
    atEnd(() => bus.close());
    clock.now = Date.now();
    const [formId] = await createLimitedForms();
    for (const days of [10, 40]) {
      clock.now = Date.now() - days * DAY_MS;
      await addSubmissions(formId, 1);
    }

    const { lines, log } = openLog();
    clock.now = Date.now() + 365 * DAY_MS;
    await start({ bus, log });
    const skipped = await poll(() => lines.find((line) => line.includes('"retention.skipped"')));
    expect(JSON.parse(skipped)).toMatchObject({ level: 40, aheadSeconds: expect.closeTo(365 * 86_400, -2) });
    expect(await left(formId)).toBe(2);

    clock.now = Date.now();
    await start({ bus });
    await poll(async () => (await left(formId)) === 1, { what: 'the one of 40 days ago to be erased' });
  });
});

describe('a delivery that was not stored yet when its submission was deleted', () => {
  it("can't be inserted anymore", async () => {
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
