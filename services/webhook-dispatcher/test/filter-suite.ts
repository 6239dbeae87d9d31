import type { BusEvent, WebhookFilter } from '@svcforms/contracts';
import { cacheStore } from '@svcforms/document-store';
import { DURABLES } from '@svcforms/event-bus';
import { newSubmission, taskEvent, WEBHOOKS, type WebhookRecord } from '@svcforms/records';
import { poll } from '@svcforms/test-kit';
import { repeatingBus } from './faults.ts';
import type { SuiteContext } from './fixture.ts';
import { eventFor, taskRecord } from './records.ts';

const MINUTE_MS = 60_000;
const TEAM_ONLY: WebhookFilter = { all: [{ path: '/data/plan', op: 'eq', value: 'team' }] };

/** Filters of webhooks: which events become deliveries, and how the others are counted. */
export function describeFilters(on: SuiteContext): void {
  /** Publishes an event with this plan in its data. */
  async function publish(webhook: WebhookRecord, plan: string, values: Partial<BusEvent> = {}) {
    const event = eventFor(webhook, values);
    const body = { ...(JSON.parse(event.body ?? '{}') as object), data: { plan } };
    const published = { ...event, body: JSON.stringify(body), ...values };
    await on.pair.bus.publish(published);
    return published;
  }

  const stateOf = async ({ _id }: WebhookRecord) => (await on.fixture.webhooks.findOne({ _id }))!;
  const filteredCount = (webhook: WebhookRecord, count: number) =>
    poll(async () => (await stateOf(webhook)).filteredCount === count, { what: `${count} filtered events` });
  const deliveredEvents = async ({ _id: webhookId }: WebhookRecord) =>
    (await on.fixture.deliveries.find({ webhookId })).map(({ eventId }) => eventId).toSorted();
  /** Changes a webhook as forms-api does, in another process. */
  const change = ({ _id }: WebhookRecord, filter: WebhookFilter) =>
    cacheStore(on.pair.store, on.pair.bus)
      .collection<WebhookRecord>(WEBHOOKS)
      .updateOne({ _id }, { $set: { filter, filteredCount: 0 } });

  describe('a filter', () => {
    it('excludes events without a delivery, counts them, and leaves other webhooks alone', async () => {
      const filtering = await on.fixture.addWebhook('/filtering', { filter: TEAM_ONLY });
      const { accountId, formId } = filtering;
      const all = await on.fixture.addWebhook('/all', { accountId, formId });
      const ofAccount = await on.fixture.addWebhook('/account', {
        accountId,
        formId: accountId,
        filter: { any: [{ path: '/data/plan', op: 'in', value: ['free', 'trial'] }] },
      });
      const { metrics } = await on.fixture.startDispatcher();
      const team = await publish(filtering, 'team');
      const free = await publish(filtering, 'free');
      const solo = await publish(filtering, 'solo');
      await on.fixture.finished(all, 3);
      await Promise.all([filteredCount(filtering, 2), filteredCount(ofAccount, 2)]);
      expect(await deliveredEvents(filtering)).toEqual([team.id]);
      expect(await deliveredEvents(ofAccount)).toEqual([free.id]);
      expect(await deliveredEvents(all)).toEqual([team.id, free.id, solo.id].toSorted());
      const state = await stateOf(filtering);
      expect(Date.now() - Date.parse(state.lastFilteredAt ?? '')).toBeLessThan(MINUTE_MS);
      expect(state).toMatchObject({ consecutiveFailures: 0, lastStatus: 200 });
      expect(await stateOf(all)).not.toHaveProperty('filteredCount');
      const metric = metrics?.find(({ name }) => name === 'svc_webhook_events_filtered_total');
      expect(await metric?.read()).toEqual([{ value: 4 }]);
    });

    it('applies to many events at once, and its count is written when the dispatcher stops', async () => {
      const webhook = await on.fixture.addWebhook('/hook', { filter: TEAM_ONLY });
      const dispatcher = await on.fixture.startDispatcher();
      const plans = Array.from({ length: 120 }, (_, n) => (n % 3 === 0 ? 'team' : 'free'));
      await Promise.all(plans.map((plan) => publish(webhook, plan)));
      await on.fixture.finished(webhook, 40);
      await poll(async () => (await on.pair.bus.lag(DURABLES.fanOut)) === 0);
      await dispatcher.stop();
      expect(await stateOf(webhook)).toMatchObject({ filteredCount: 80 });
      expect(on.fixture.webhookEndpoint.received()).toHaveLength(40);
    });

    it('reads the real body of an event without one on the bus', async () => {
      const webhook = await on.fixture.addWebhook('/hook', { filter: TEAM_ONLY });
      const { accountId, formId } = webhook;
      const [team, free] = ['team', 'free'].map((plan) =>
        newSubmission({
          accountId,
          formId,
          data: JSON.stringify({ text: 'ö'.repeat(500_000), plan }),
          metadata: { submittedVia: 'web' },
          requestId: 'req-1',
          now: Date.now(),
        }),
      );
      await on.fixture.submissions.insertMany([team!, free!]);
      await on.fixture.startDispatcher();
      for (const { _id: submissionId } of [free!, team!]) {
        await on.pair.bus.publish({ ...eventFor(webhook), submissionId, body: null });
      }
      const [delivery] = await on.fixture.finished(webhook, 1);
      await filteredCount(webhook, 1);
      expect(delivery).toMatchObject({ submissionId: team!._id });
      expect(await on.fixture.deliveries.count({})).toBe(1);
    });

    it('reads the body of a task event as the webhook gets it', async () => {
      const { accountId, formId } = await on.fixture.addWebhook('/unused', { isEnabled: false });
      const webhook = await on.fixture.addWebhook('/tasks', {
        accountId,
        formId: accountId,
        events: ['hitl.task.created'],
        filter: { all: [{ path: '/data/title', op: 'contains', value: 'Refund' }] },
      });
      const createdAt = new Date().toISOString();
      const tasks = ['Refund of 120 EUR', 'Vacation'].map((title, n) =>
        taskRecord({ _id: `tsk_filter_${n}`, accountId, formId, title, createdAt }),
      );
      await on.fixture.tasks.insertMany(tasks);
      await on.fixture.forms.insertOne({
        _id: formId,
        accountId,
        name: 'Approvals',
        fields: [],
        settings: {},
        createdAt,
        updatedAt: createdAt,
        version: 1,
      });
      await on.fixture.startDispatcher();
      for (const task of tasks) {
        const { id } = eventFor(webhook);
        await on.pair.bus.publish(taskEvent(task, { id, type: 'hitl.task.created', timestamp: createdAt }));
      }
      const [delivery] = await on.fixture.finished(webhook, 1);
      await filteredCount(webhook, 1);
      expect(delivery).toMatchObject({ taskId: 'tsk_filter_0' });
    });

    it('that changes between an event and its fan-out applies as it is at the fan-out', async () => {
      const webhook = await on.fixture.addWebhook('/hook', { filter: TEAM_ONLY });
      const early = await publish(webhook, 'free');
      await change(webhook, { all: [{ path: '/data/plan', op: 'eq', value: 'free' }] });
      await on.fixture.startDispatcher();
      await on.fixture.finished(webhook, 1);
      // The running dispatcher has the filter in its cache.
      await change(webhook, { all: [{ path: '/data/plan', op: 'exists', value: false }] });
      await publish(webhook, 'free');
      await filteredCount(webhook, 1);
      await change(webhook, TEAM_ONLY);
      const late = await publish(webhook, 'team');
      await on.fixture.finished(webhook, 2);
      expect(await deliveredEvents(webhook)).toEqual([early.id, late.id].toSorted());
    });

    it('keeps back an event that the bus repeats, each time', async () => {
      const webhook = await on.fixture.addWebhook('/hook', { filter: TEAM_ONLY });
      await on.fixture.startDispatcher(undefined, { bus: repeatingBus(on.pair.bus) });
      for (let n = 0; n < 10; n += 1) await publish(webhook, n === 9 ? 'team' : 'free');
      await on.fixture.finished(webhook, 1);
      await poll(async () => ((await stateOf(webhook)).filteredCount ?? 0) >= 9);
      expect(await on.fixture.deliveries.count({})).toBe(1);
      expect(on.fixture.webhookEndpoint.received()).toHaveLength(1);
    });

    it('keeps events from being held, so a recovery sends only those that pass', async () => {
      const webhook = await on.fixture.addWebhook('/hook', {
        filter: TEAM_ONLY,
        isEnabled: false,
        disabledReason: 'failures',
      });
      await on.fixture.startDispatcher();
      for (const plan of ['free', 'team', 'solo']) await publish(webhook, plan);
      await on.fixture.finished(webhook, 1, ['held']);
      await filteredCount(webhook, 2);
      await cacheStore(on.pair.store, on.pair.bus)
        .collection<WebhookRecord>(WEBHOOKS)
        .updateOne({ _id: webhook._id }, { $set: { isEnabled: true, disabledReason: null } });
      const dueAt = new Date(Date.now() - MINUTE_MS).toISOString();
      await on.fixture.recoveries.insertOne({
        _id: 'rec_filter',
        accountId: webhook.accountId,
        webhookId: webhook._id,
        since: dueAt,
        until: new Date(Date.now() + MINUTE_MS).toISOString(),
        dueAt,
        expireAt: new Date(Date.now() + MINUTE_MS).toISOString(),
      });
      const [delivery] = await on.fixture.finished(webhook, 1);
      await poll(async () => (await on.fixture.recoveries.count({})) === 0);
      expect(delivery?.body).toContain('"team"');
      expect(await on.fixture.deliveries.count({})).toBe(1);
      expect(on.fixture.webhookEndpoint.received()).toHaveLength(1);
    });
  });
}
