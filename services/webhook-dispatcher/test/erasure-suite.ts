import { newId, type BusEvent } from '@svcforms/contracts';
import { cacheStore, StoreError, type DocumentStore } from '@svcforms/document-store';
import {
  createEraser,
  DELIVERIES,
  ERASURES,
  GUARDED_MS,
  newErasure,
  type ErasureRecord,
  type FormRecord,
  type SubmissionRecord,
  type TaskRecord,
} from '@svcforms/records';
import { DURABLES } from '@svcforms/event-bus';
import type { StoreAndBus } from '@svcforms/event-bus/testing';
import { poll, tempFolder } from '@svcforms/test-kit';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEAD_LETTERS, type DeadLetterRecord } from '../src/fan-out/dead-letters.ts';
import { MAILS, type MailRecord } from '../src/mail/mail-record.ts';
import { createMailer } from '../src/mail/mailer.ts';
import { withFaults } from './faults.ts';
import type { SuiteContext } from './fixture.ts';
import { deliveryRecord } from './records.ts';

const NAME = 'Zoë';

/** How a dispatcher applies erasures. */
export function describeErasures(on: SuiteContext): void {
  describe('an erasure', () => {
    const erasures = () => on.pair.store.collection<ErasureRecord>(ERASURES);
    const erase = (events: readonly BusEvent[]) => {
      const [first] = events;
      if (!first) throw new Error('there is no event');
      const eraser = createEraser({ store: on.pair.store, forgetReplies: async () => {}, now: Date.now });
      return eraser.events(first.accountId, events, []);
    };
    const hasPassed = () =>
      poll(async () => (await erasures().count({ passes: 0 })) === 0, { what: 'the first pass' });
    afterEach(() => erasures().deleteMany({}));

    it('prevents attempts of deliveries in memory and in the store', async () => {
      const webhook = await on.fixture.addWebhook('/slow');
      on.fixture.webhookEndpoint.respond(() => 'hang');
      await on.fixture.startDispatcher({ limits: { perWebhook: 1, perAccount: 1, global: 1 } });
      const events = await on.fixture.publish(webhook, 20);
      await poll(() => on.fixture.webhookEndpoint.hanging() === 1, { what: 'the first attempt' });
      await poll(async () => (await on.fixture.deliveries.count({ webhookId: webhook._id })) === 20);
      const [sent] = on.fixture.webhookEndpoint.received();
      const erased = events.filter(({ id }) => id !== sent?.eventId);

      await erase(erased);
      await hasPassed();
      on.fixture.webhookEndpoint.respond(() => ({}));
      on.fixture.webhookEndpoint.release();

      const [later] = await on.fixture.publish(webhook);
      await poll(() => on.fixture.webhookEndpoint.received().some(({ eventId }) => eventId === later?.id), {
        what: 'a later event',
      });
      expect(on.fixture.webhookEndpoint.received().map(({ eventId }) => eventId)).toEqual([
        sent?.eventId,
        later?.id,
      ]);
      const stored = await on.fixture.deliveries.find({
        webhookId: webhook._id,
        eventId: { $in: erased.map(({ id }) => id) },
      });
      expect(stored).toHaveLength(19);
      expect(JSON.stringify(stored)).not.toContain(NAME);
      expect(new Set(stored.map(({ status }) => status))).toEqual(new Set(['failed']));
    });

    it('prevents attempts while hundreds of other erasures are open', async () => {
      const webhook = await on.fixture.addWebhook('/slow');
      on.fixture.webhookEndpoint.respond(() => 'hang');
      let release = () => {};
      const released = new Promise<number>((resolve) => (release = () => resolve(0)));
      const bus = { ...on.pair.bus, erase: () => released };
      const folder = tempFolder();
      const mailer = createMailer({ folder, from: 'no-reply@forms.example' });
      const limits = { perWebhook: 1, perAccount: 1, global: 1 };
      await on.fixture.startDispatcher({ limits }, { bus, mailer });
      const events = await on.fixture.publish(webhook, 5);
      await poll(() => on.fixture.webhookEndpoint.hanging() === 1, { what: 'the first attempt' });
      await poll(async () => (await on.fixture.deliveries.count({ webhookId: webhook._id })) === 5);
      const [sent] = on.fixture.webhookEndpoint.received();
      const at = new Date().toISOString();
      await erasures().insertMany(
        Array.from({ length: 300 }, (_, n) => {
          const event = {
            id: newId('evt'),
            type: 'form.submission.new',
            timestamp: at,
            formId: 'frm_1',
          } as const;
          const dueAt = '2026-01-01T00:00:00.000Z';
          return newErasure({
            _id: `era_${n}`,
            kind: 'values',
            accountId: 'acc_1',
            at,
            dueAt,
            events: [event],
          });
        }),
      );

      const submissionId = newId('sub');
      writeFileSync(join(folder, `${submissionId}.eml`), NAME);
      const eraser = createEraser({ store: on.pair.store, forgetReplies: async () => {}, now: Date.now });
      const erased = events.filter(({ id }) => id !== sent?.eventId);
      await eraser.events(webhook.accountId, erased, [submissionId]);
      await poll(() => readdirSync(folder).length === 0, { what: 'the erasure in this process' }).finally(
        release,
      );
      const [later] = await on.fixture.publish(webhook);
      on.fixture.webhookEndpoint.respond(() => ({}));
      on.fixture.webhookEndpoint.release();

      await poll(() => on.fixture.webhookEndpoint.received().some(({ eventId }) => eventId === later?.id), {
        what: 'a later event',
      });
      const received = on.fixture.webhookEndpoint.received().map(({ eventId }) => eventId);
      expect(received).toEqual([sent?.eventId, later?.id]);
    });

    it('keeps the result of a running attempt from restoring values', async () => {
      const webhook = await on.fixture.addWebhook('/slow');
      on.fixture.webhookEndpoint.respond(() => 'hang');
      await on.fixture.startDispatcher();
      const [event] = await on.fixture.publish(webhook);
      await poll(() => on.fixture.webhookEndpoint.hanging() === 1, { what: 'the attempt' });

      await erase([event!]);
      on.fixture.webhookEndpoint.release();
      await hasPassed();

      const [stored] = await on.fixture.deliveries.find({ webhookId: webhook._id });
      expect(stored).toMatchObject({ body: '', status: 'failed', erasedAt: expect.any(String) });
    });

    it('cancels deliveries of events that a dispatcher reads later, while the log still has them', async () => {
      const { store, bus } = on.pair;
      const eraser = createEraser({ store, forgetReplies: async () => {}, now: Date.now });
      const webhook = await on.fixture.addWebhook('/hook', {
        events: ['form.submission.new', 'decision.approved'],
      });
      const { accountId, formId } = webhook;
      const ofAccount = await on.fixture.addWebhook('/account', { accountId, formId: accountId });
      const timestamp = new Date(Date.now() - 2 * GUARDED_MS).toISOString();
      const publish = async (values: Partial<BusEvent>, of = webhook) =>
        (await on.fixture.publish(of, 1, { timestamp, ...values }))[0]!;
      const values = `{"name":"${NAME}"}`;

      const document = { accountId, formId, createdAt: timestamp, metadata: '{}' };
      const submission = { ...document, _id: newId('sub'), data: values, metadata: {} } as SubmissionRecord;
      const task: TaskRecord = {
        ...document,
        _id: newId('tsk'),
        prefill: values,
        decisionMode: 'approval',
        priority: 'normal',
        rank: 1,
        status: 'awaiting',
        createdBy: 'key_1',
        userId: 'key_1',
        expiresAt: '2099-01-01T00:00:00.000Z',
        onExpiry: 'expire',
        history: [],
      };
      const form = { _id: newId('frm'), accountId } as FormRecord;
      await on.fixture.submissions.insertOne(submission);
      await on.fixture.tasks.insertOne(task);
      await on.fixture.forms.insertOne(form);
      const erased = [
        await publish({ submissionId: submission._id }),
        await publish({ type: 'decision.approved', taskId: task._id }),
        await publish({}, { ...ofAccount, formId: form._id }),
      ];
      await eraser.submissions([submission]);
      await eraser.tasks([task]);
      await eraser.form(form);
      const kept = [await publish({}), await publish({ type: 'decision.approved', taskId: newId('tsk') })];

      const erase = () => Promise.reject(new Error('the test lets erasing from the log fail'));
      await on.fixture.startDispatcher({}, { bus: { ...bus, erase } });

      const received = () => on.fixture.webhookEndpoint.received().map(({ eventId }) => eventId);
      await poll(() => kept.every(({ id }) => received().includes(id)), { what: 'the other events' });
      const stored = await on.fixture.deliveries.find({ webhookId: { $in: [webhook._id, ofAccount._id] } });
      const handled = [...received(), ...stored.map(({ eventId }) => eventId)];
      expect(erased.filter(({ id }) => handled.includes(id)).map(({ type }) => type)).toEqual([]);
    });

    // A process keeps deliveries that it planned under load until the store accepts them, and an
    // erasure can complete meanwhile in the others.
    it('drops deliveries that a process could not store before it, when the store accepts them', async () => {
      const webhook = await on.fixture.addWebhook('/slow');
      on.fixture.webhookEndpoint.respond(() => 'hang');
      let passed = 0;
      const now = () => Date.now() + passed;
      const { store, faults, isCut } = cutAtInsertOfMany(on.pair);
      await on.fixture.startDispatcher(
        { limits: { perWebhook: 1, perAccount: 1, global: 1 } },
        { store: cacheStore(store, on.pair.bus), now },
      );
      const events = await on.fixture.publish(webhook, 60);
      await poll(isCut, { what: 'the process to lose the store' });
      const { accountId, formId } = webhook;
      const records = events.map(({ id, type, timestamp, submissionId }) => ({
        _id: submissionId!,
        accountId,
        formId,
        data: `{"name":"${NAME}"}`,
        metadata: {},
        createdAt: timestamp,
        pendingEvents: [{ id, type, timestamp }],
      })) as SubmissionRecord[];
      await on.fixture.submissions.insertMany(records);

      passed = GUARDED_MS + 1_000;
      await on.fixture.startDispatcher({}, { now });
      await createEraser({ store: on.pair.store, forgetReplies: async () => {}, now }).submissions(records);
      await hasPassed();
      passed += 36_000;
      await poll(async () => (await erasures().count({})) === 0, { what: 'the second pass' });
      const sent = on.fixture.webhookEndpoint.received().length;
      on.fixture.webhookEndpoint.respond(() => ({}));
      on.fixture.webhookEndpoint.release();
      faults.restoreStore();

      await poll(async () => (await on.pair.bus.lag(DURABLES.fanOut)) === 0, {
        what: 'the events to be read',
      });
      expect(JSON.stringify(await on.fixture.deliveries.find({ webhookId: webhook._id }))).not.toContain(
        NAME,
      );
      expect(on.fixture.webhookEndpoint.received()).toHaveLength(sent);
    });

    it('deletes a webhook with the deliveries that are stored after it', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      let passed = 0;
      await on.fixture.startDispatcher({}, { now: () => Date.now() + passed });
      await on.fixture.publish(webhook);
      await on.fixture.finished(webhook, 1);
      const eraser = createEraser({ store: on.pair.store, forgetReplies: async () => {}, now: Date.now });
      await eraser.webhook(webhook);
      const count = () => on.fixture.deliveries.count({ webhookId: webhook._id });
      expect(await on.fixture.webhooks.findOne({ _id: webhook._id })).toBeNull();
      await hasPassed();
      expect(await count()).toBe(0);

      // A process that had it in memory stores its result.
      const late = deliveryRecord(webhook, { status: 'delivered', body: NAME });
      await on.fixture.deliveries.insertMany([late]);
      passed = 36_000;
      await poll(async () => (await count()) === 0, { what: 'the second pass' });
      await poll(async () => (await erasures().count({})) === 0, { what: 'the end of the erasure' });
    });

    it('passes while the deliveries of a deleted webhook are being removed', async () => {
      const { store, bus } = on.pair;
      const webhook = await on.fixture.addWebhook('/hook');
      let finish = () => {};
      const finished = new Promise<void>((resolve) => (finish = resolve));
      const collection: DocumentStore['collection'] = (spec) =>
        new Proxy(store.collection(spec), {
          get(target, name) {
            if (name !== 'deleteMany' || spec.name !== DELIVERIES.name) return Reflect.get(target, name);
            return async (filter: object) => {
              if ('webhookId' in filter) await finished;
              return target.deleteMany(filter);
            };
          },
        });
      const { accountId } = webhook;
      const eraser = createEraser({ store, forgetReplies: async () => {}, now: Date.now });
      await eraser.webhook({ _id: newId('whk'), accountId });
      await on.fixture.startDispatcher({}, { store: cacheStore({ ...store, collection }, bus) });
      await erase(await on.fixture.publish(webhook));

      try {
        await poll(async () => (await erasures().count({ isDeferred: null, passes: 1 })) === 1, {
          what: 'the first pass of the other erasure',
        });
        expect(await erasures().count({ isDeferred: true, passes: 0 })).toBe(1);
      } finally {
        finish();
      }
      await hasPassed();
    });

    it('removes the emails of a form without reading all of them at once', async () => {
      const { store, bus } = on.pair;
      const { accountId } = await on.fixture.addWebhook('/hook');
      const [form, other] = [newId('frm'), newId('frm')];
      const mail = (formId: string, n: number): MailRecord => ({
        _id: `mail_${formId.slice(4)}${n}`,
        accountId,
        to: 'ada@example.com',
        subject: { kind: 'submission', formId, submissionId: newId('sub') },
        status: 'sent',
        attempts: 1,
        createdAt: '',
        expireAt: new Date(Date.now() + 3_600_000).toISOString(),
      });
      const mailsOf = (formId: string) => Array.from({ length: 1_200 }, (_, n) => mail(formId, n));
      await on.fixture.mails.insertMany([form, other].flatMap(mailsOf));
      const sizes: number[] = [];
      const collection: DocumentStore['collection'] = (spec) =>
        new Proxy(store.collection(spec), {
          get(target, name) {
            if (name !== 'find' || spec.name !== MAILS.name) return Reflect.get(target, name);
            return async (...args: Parameters<typeof target.find>) => {
              const found = await target.find(...args);
              sizes.push(found.length);
              return found;
            };
          },
        });
      await on.fixture.startDispatcher({}, { store: cacheStore({ ...store, collection }, bus) });
      const at = new Date().toISOString();
      await erasures().insertOne(
        newErasure({ _id: form, kind: 'form', accountId, at, dueAt: at, formIds: [form] }),
      );

      await hasPassed();
      const count = (formId: string) => on.fixture.mails.count({ 'subject.formId': formId });
      expect([await count(form), await count(other)]).toEqual([0, 1_200]);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
      await on.fixture.mails.deleteMany({ accountId });
    });

    it('passes while an older one of another account fails, whose age is reported', async () => {
      const { store, bus } = on.pair;
      const [tooLarge, webhook] = [
        await on.fixture.addWebhook('/hook'),
        await on.fixture.addWebhook('/hook'),
      ];
      const collection: DocumentStore['collection'] = (spec) =>
        new Proxy(store.collection(spec), {
          get(target, name) {
            if (name !== 'deleteMany' || spec.name !== DELIVERIES.name) return Reflect.get(target, name);
            return async (filter: object) => {
              if (JSON.stringify(filter).includes(tooLarge._id))
                throw new StoreError('UNAVAILABLE', 'the deletion takes too long');
              return target.deleteMany(filter);
            };
          },
        });
      const [event] = await on.fixture.publish(webhook);
      const values = { kind: 'values', at: new Date().toISOString() } as const;
      const { accountId } = webhook;
      await erasures().insertMany([
        newErasure({
          ...values,
          _id: 'era_1',
          at: new Date(Date.now() - 3_600_000).toISOString(),
          accountId: tooLarge.accountId,
          dueAt: '2026-01-01T00:00:00.000Z',
          webhookIds: [tooLarge._id],
        }),
        newErasure({
          ...values,
          _id: 'era_2',
          accountId,
          dueAt: '2026-01-02T00:00:00.000Z',
          events: [event!],
        }),
      ]);

      const { metrics } = await on.fixture.startDispatcher(
        {},
        { store: cacheStore({ ...store, collection }, bus) },
      );

      await poll(async () => (await erasures().findOne({ _id: 'era_2' }))?.passes === 1, {
        what: 'the first pass of the other erasure',
      });
      expect(await erasures().findOne({ _id: 'era_1' })).toMatchObject({
        passes: 0,
        dueAt: expect.any(String),
      });
      const metric = metrics?.find(({ name }) => name === 'svc_erasures_oldest_seconds');
      const [oldest] = (await metric?.read()) ?? [];
      expect(oldest?.value).toBeGreaterThanOrEqual(3_600);
    });

    it('removes its events from the log and the dead letters', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      const start = await on.pair.bus.position();
      const [event] = await on.fixture.publish(webhook);
      const letters = on.pair.store.collection<DeadLetterRecord>(DEAD_LETTERS);
      await letters.insertOne({ _id: 'x-1', at: '', reason: '', event: JSON.stringify(event) });
      await on.fixture.startDispatcher();
      await on.fixture.finished(webhook, 1);

      await erase([event!]);
      await hasPassed();

      expect(await letters.count({})).toBe(0);
      const [next] = await on.fixture.publish(webhook);
      const signal = AbortSignal.timeout(20_000);
      for await (const message of on.pair.bus.tail({ after: start, signal })) {
        expect(message.event.id).toBe(next?.id);
        break;
      }
    });
  });
}

/** The backends of a process that loses the store when it first inserts many deliveries at once. */
function cutAtInsertOfMany(pair: StoreAndBus) {
  const faults = withFaults(pair);
  let hasBegun = false;
  const collection: DocumentStore['collection'] = (spec) =>
    new Proxy(faults.store.collection(spec), {
      get(target, name) {
        if (name !== 'insertMany' || spec.name !== DELIVERIES.name) return Reflect.get(target, name);
        return (docs: Parameters<typeof target.insertMany>[0]) => {
          if (docs.length > 8 && !hasBegun) faults.interruptStore();
          hasBegun ||= docs.length > 8;
          return target.insertMany(docs);
        };
      },
    });
  return { store: { ...pair.store, ...faults.store, collection }, faults, isCut: () => hasBegun };
}
