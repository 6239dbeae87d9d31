import { newId, type BusEvent, type EventType } from '@svcforms/contracts';
import { cacheStore } from '@svcforms/document-store';
import {
  createEraser,
  erasedEventsOfTask,
  ERASURES,
  FORMS,
  taskEvent,
  WEBHOOKS,
  type ErasureRecord,
  type FormRecord,
  type TaskRecord,
  type WebhookRecord,
} from '@svcforms/records';
import { verifySvcSignature } from '@svcforms/signing';
import { poll } from '@svcforms/test-kit';
import type { OutgoingMail } from '../src/mail/mailer.ts';
import type { SuiteContext } from './fixture.ts';
import { eventFor, formRecord, taskRecord, webhookRecord } from './records.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const SECRET_VALUE = 'ada@example.com';

/** Webhooks of an account: which events they get, and what becomes of their deliveries. */
export function describeAccountWebhooks(on: SuiteContext): void {
  const accountId = newId('acc');

  async function addForm(): Promise<FormRecord> {
    const form = formRecord({ accountId });
    await on.fixture.forms.insertOne(form);
    return form;
  }

  const addAccountWebhook = (path: string, values: Partial<WebhookRecord> = {}) =>
    on.fixture.addWebhook(path, { accountId, formId: accountId, ...values }, SECRET);

  /** Publishes an event of that form. */
  async function publish(form: Pick<FormRecord, '_id'>, values: Partial<BusEvent> = {}): Promise<BusEvent> {
    const owner = webhookRecord({ url: '', accountId, formId: form._id });
    const event = eventFor(owner, values);
    await on.pair.bus.publish(event);
    return event;
  }

  const pathsOf = (event: BusEvent) =>
    on.fixture.webhookEndpoint
      .received()
      .filter(({ eventId }) => eventId === event.id)
      .map(({ path }) => path)
      .toSorted();
  const received = (event: BusEvent, count: number) =>
    poll(() => pathsOf(event).length === count, { what: `${count} requests with the event` });

  async function addTask(form: FormRecord, values: Partial<TaskRecord> = {}): Promise<TaskRecord> {
    const title = `Approve "${SECRET_VALUE}"`;
    const task = taskRecord({ accountId, formId: form._id, title, ...values });
    await on.fixture.tasks.insertOne(task);
    return task;
  }

  async function publishOf(task: TaskRecord, type: EventType): Promise<BusEvent> {
    const event = taskEvent(task, { id: newId('evt'), type, timestamp: new Date().toISOString() });
    await on.pair.bus.publish(event);
    return event;
  }

  const eraser = () => createEraser({ store: on.pair.store, forgetReplies: async () => {}, now: Date.now });
  afterEach(() => on.pair.store.collection<ErasureRecord>(ERASURES).deleteMany({}));

  describe('an account webhook', () => {
    it('gets the events of all forms, including later ones, in one signed delivery each', async () => {
      const early = await addForm();
      const webhook = await addAccountWebhook('/all');
      await on.fixture.addWebhook('/form', { accountId, formId: early._id });
      await addAccountWebhook('/second');
      await addAccountWebhook('/other-type', { events: ['decision.approved'] });
      const stranger = newId('acc');
      await on.fixture.addWebhook('/stranger', {
        accountId: stranger,
        formId: stranger,
        forms: [early._id],
      });
      await on.fixture.startDispatcher();
      const first = await publish(early);
      await received(first, 3);
      const late = await addForm();
      const second = await publish(late);
      await received(second, 2);
      await on.fixture.finished(webhook, 2);
      expect(pathsOf(first)).toEqual(['/all', '/form', '/second']);
      expect(pathsOf(second)).toEqual(['/all', '/second']);
      const stored = await on.fixture.deliveries.find({ webhookId: webhook._id });
      expect(new Set(stored.map(({ formId, ofAccount }) => [formId, ofAccount].join()))).toEqual(
        new Set([`${early._id},true`, `${late._id},true`]),
      );
      const request = on.fixture.webhookEndpoint.received().find(({ path }) => path === '/all')!;
      const header = String(request.headers['svc-signature']);
      const now = Date.now() / 1000;
      expect(verifySvcSignature({ header, body: request.rawBody, secrets: [SECRET], now }).ok).toBe(true);
    });

    it('with a list of forms gets only their events', async () => {
      const [listed, other] = [await addForm(), await addForm()];
      await addAccountWebhook('/listed', { forms: [listed._id] });
      await addAccountWebhook('/none', { forms: [] });
      await addAccountWebhook('/all');
      await on.fixture.startDispatcher();
      const [one, two] = [await publish(other), await publish(listed)];
      await received(one, 1);
      await received(two, 2);
      expect([pathsOf(one), pathsOf(two)]).toEqual([['/all'], ['/all', '/listed']]);
      await poll(async () => (await on.fixture.deliveries.count({ status: 'delivered' })) === 3);
      expect(await on.fixture.deliveries.count({})).toBe(3);
    });

    it('gets the first event after its creation in another process, and none after its end', async () => {
      const form = await addForm();
      // A delivery to a webhook of the form shows that an event has been processed.
      await on.fixture.addWebhook('/control', { accountId, formId: form._id });
      await on.fixture.startDispatcher();
      await received(await publish(form), 1);
      const elsewhere = cacheStore(on.pair.store, on.pair.bus).collection<WebhookRecord>(WEBHOOKS);
      const webhook = webhookRecord({
        url: on.fixture.webhookEndpoint.url('/new'),
        accountId,
        formId: accountId,
      });
      await elsewhere.insertOne(webhook);
      const next = await publish(form);
      await received(next, 2);
      await elsewhere.deleteOne({ _id: webhook._id });
      const last = await publish(form);
      await received(last, 1);
      expect(pathsOf(last)).toEqual(['/control']);
    });

    it('keeps events while failures have disabled it', async () => {
      const form = await addForm();
      const webhook = await addAccountWebhook('/all', { isEnabled: false, disabledReason: 'failures' });
      await on.fixture.startDispatcher();
      await publish(form);
      const [held] = await on.fixture.finished(webhook, 1, ['held']);
      expect(held).toMatchObject({ formId: form._id, attempts: [] });
    });

    it('sends nothing of a form that was deleted, and its permits go to other deliveries', async () => {
      const [deleted, kept] = [await addForm(), await addForm()];
      const webhook = await addAccountWebhook('/all');
      await cacheStore(on.pair.store, on.pair.bus)
        .collection<FormRecord>(FORMS)
        .updateOne({ _id: deleted._id }, { $set: { deletedAt: new Date().toISOString() } });
      const { log } = await on.fixture.startDispatcher();
      const [late, next] = [await publish(deleted), await publish(kept)];
      await received(next, 1);
      await on.fixture.finished(webhook, 2, ['failed', 'delivered']);
      expect(pathsOf(late)).toEqual([]);
      expect(log.find(({ fields }) => fields['event'] === 'delivery.dropped')?.fields).toMatchObject({
        reason: 'form_deleted',
        formId: deleted._id,
      });
    });

    it('is disabled by 410 Gone, and an email about it names the account', async () => {
      const form = await addForm();
      const createdAt = new Date().toISOString();
      await on.fixture.accounts.insertOne({ _id: accountId, name: 'Engines', plan: 'business', createdAt });
      await on.fixture.users.insertOne({
        _id: newId('usr'),
        accountId,
        email: 'owner@example.com',
        name: 'Owner',
        role: 'owner',
        passwordHash: '',
        createdAt,
      });
      const webhook = await addAccountWebhook('/gone');
      on.fixture.webhookEndpoint.respond(() => ({ status: 410 }));
      const sent: OutgoingMail[] = [];
      await on.fixture.startDispatcher(
        {},
        { mailer: { send: async (mail) => String(sent.push(mail)), erase: async () => {} } },
      );
      await publish(form);
      await poll(() => sent.length === 1, { what: 'the email' });
      expect(sent[0]).toMatchObject({ subject: 'A webhook of "Engines" was disabled' });
      expect(sent[0]?.text).toContain(`https://forms.example/api/webhooks/${webhook._id}`);
      expect(await on.fixture.webhooks.findOne({ _id: webhook._id })).toMatchObject({
        isEnabled: false,
        disabledReason: 'gone',
      });
    });
  });

  describe('the task events of an account webhook', () => {
    const TYPES = ['hitl.task.created', 'hitl.task.completed', 'hitl.task.expired', 'hitl.task.cancelled'];

    it('have the data of the stream with the title and the page in the inbox', async () => {
      const form = await addForm();
      await addAccountWebhook('/tasks', { events: TYPES as EventType[] });
      await addAccountWebhook('/submissions');
      const task = await addTask(form, {
        submissionId: newId('sub'),
        formData: '{"amount":12345678901234567890.10,"note":"\\"data\\":"}',
        cancelReason: 'Not needed',
      });
      const untitled = await addTask(form);
      await on.fixture.tasks.updateOne({ _id: untitled._id }, { $unset: { title: true } });
      await on.fixture.startDispatcher();
      for (const type of TYPES as EventType[]) {
        const event = await publishOf(task, type);
        await received(event, 1);
        const { rawBody, headers, path } = on.fixture.webhookEndpoint
          .received()
          .find(({ eventId }) => eventId === event.id)!;
        expect(path).toBe('/tasks');
        const frame = JSON.parse(event.body ?? '') as { data: object };
        const body = JSON.parse(rawBody.toString()) as object;
        expect(Object.keys(body)).toEqual(['eventType', 'timestamp', 'data']);
        expect(body).toEqual({
          eventType: type,
          timestamp: event.timestamp,
          data: { ...frame.data, title: task.title, url: `https://forms.example/tasks/${task._id}` },
        });
        // The numbers of a completed task don't survive the comparison.
        if (type !== 'hitl.task.completed') expect(rawBody.toString()).toBe(JSON.stringify(body));
        expect(Object.keys((body as { data: object }).data)).toEqual([
          ...Object.keys(frame.data),
          'title',
          'url',
        ]);
        expect(headers['svc-task-id']).toBe(task._id);
        // Values keep their bytes: JSON.parse would round the number.
        if (type === 'hitl.task.completed')
          expect(rawBody.toString()).toContain(`"submission":${task.formData}`);
      }
      const event = await publishOf(untitled, 'hitl.task.created');
      await received(event, 1);
      const { rawBody } = on.fixture.webhookEndpoint.received().find(({ eventId }) => eventId === event.id)!;
      expect(rawBody.toString()).not.toContain('title');
    });

    it('without a body on the bus are rendered from the task', async () => {
      const form = await addForm();
      await addAccountWebhook('/tasks', { events: ['hitl.task.completed'] });
      const task = await addTask(form, { submissionId: newId('sub'), formData: '{"a":1}' });
      await on.fixture.startDispatcher();
      const event = taskEvent(task, {
        id: newId('evt'),
        type: 'hitl.task.completed',
        timestamp: new Date().toISOString(),
      });
      await on.pair.bus.publish({ ...event, body: null });
      await received(event, 1);
      expect(on.fixture.webhookEndpoint.received()[0]!.rawBody.toString()).toContain('"submission":{"a":1}');
    });

    it('are not sent for a task that was erased', async () => {
      const form = await addForm();
      await addAccountWebhook('/tasks', { events: ['hitl.task.created'] });
      const [task, kept] = [await addTask(form), await addTask(form)];
      await eraser().tasks([task]);
      await on.fixture.startDispatcher();
      await publishOf(task, 'hitl.task.created');
      const event = await publishOf(kept, 'hitl.task.created');
      await received(event, 1);
      expect(on.fixture.webhookEndpoint.received()).toHaveLength(1);
      expect(await on.fixture.deliveries.find({ body: { $ne: '' } })).toMatchObject([{ eventId: event.id }]);
    });

    it('lose their values with the task', async () => {
      const form = await addForm();
      const webhook = await addAccountWebhook('/tasks', { events: ['hitl.task.created'] });
      const task = await addTask(form);
      await on.fixture.startDispatcher();
      // The id of the event is derived from the task, as in the product.
      const created = erasedEventsOfTask(task).find(({ type }) => type === 'hitl.task.created')!;
      await on.pair.bus.publish(taskEvent(task, created));
      await on.fixture.finished(webhook, 1);
      expect(JSON.stringify(await on.fixture.deliveries.find({}))).toContain(SECRET_VALUE);
      const { receivedBy, deliveryIds } = await eraser().tasks([task]);
      expect(JSON.stringify(await on.fixture.deliveries.find({}))).not.toContain(SECRET_VALUE);
      expect(deliveryIds).toHaveLength(1);
      expect(receivedBy).toMatchObject([
        { kind: 'webhook', id: webhook._id, formId: form._id, url: webhook.url },
      ]);
    });
  });
}
