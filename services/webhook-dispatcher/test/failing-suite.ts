import { newId } from '@svcforms/contracts';
import type { WebhookRecord } from '@svcforms/records';
import { poll } from '@svcforms/test-kit';
import type { Ground } from './fixture.ts';

const HOUR_MS = 3600_000;

/** What becomes of a webhook whose endpoint fails for long. */
export function describeFailing(on: Ground): void {
  const stateOf = async ({ _id }: WebhookRecord) => (await on.stage.webhooks.findOne({ _id }))!;
  const until = (webhook: WebhookRecord, what: (state: WebhookRecord) => boolean) =>
    poll(async () => {
      const state = await stateOf(webhook);
      return what(state) && state;
    });

  /** A webhook that fails, and a clock that the test turns. */
  async function failing({
    disableMinFailures = 4,
    replicas = 1,
    schedule = [0.01],
    values = {},
  }: {
    disableMinFailures?: number;
    replicas?: number;
    schedule?: number[];
    values?: Partial<WebhookRecord>;
  } = {}) {
    const webhook = await on.stage.addWebhook('/hook', values);
    await on.stage.forms.insertOne({
      _id: webhook.formId,
      accountId: webhook.accountId,
      name: 'Contact',
      fields: [],
      settings: {},
      createdAt: webhook.createdAt,
      updatedAt: webhook.createdAt,
      version: 1,
    });
    await on.stage.users.insertOne({
      _id: newId('usr'),
      accountId: webhook.accountId,
      email: `${newId('usr').toLowerCase()}@example.com`,
      name: 'Owner',
      role: 'owner',
      passwordHash: '',
      createdAt: webhook.createdAt,
    });
    on.stage.webhookEndpoint.answer(() => ({ status: 500 }));
    const clock = { passed: 0 };
    const config = {
      retryScheduleSeconds: schedule,
      // Looked at every 100 ms.
      disablePolicy: { disableAfterMs: 9_000, disableMinFailures },
    };
    const actors = [];
    for (let n = 0; n < replicas; n++)
      actors.push(await on.stage.startDispatcher(config, { now: () => Date.now() + clock.passed }));
    return { webhook, clock, actors };
  }

  const kindsOf = async (webhook: WebhookRecord) => {
    const mails = await on.stage.mails.find({ accountId: webhook.accountId });
    return mails
      .map(({ subject }) => (subject.kind === 'webhook' ? subject.notice.kind : subject.kind))
      .toSorted();
  };

  describe('a webhook that fails', () => {
    it('has its owner warned at a third of the time, is disabled at its end, and each is told once.', async () => {
      const { webhook, clock, actors } = await failing({ replicas: 2 });
      await on.stage.publish(webhook, 2);
      await on.stage.settled(webhook, 2, ['failed']);
      await until(webhook, ({ consecutiveFailures }) => consecutiveFailures === 4);
      expect(await stateOf(webhook)).toMatchObject({ isEnabled: true });
      expect(await kindsOf(webhook)).toEqual([]);

      clock.passed = 3_000;
      await until(webhook, ({ warnedAt }) => warnedAt !== undefined);
      expect(await stateOf(webhook)).toMatchObject({ isEnabled: true });
      await poll(async () => (await kindsOf(webhook)).length === 1);

      clock.passed = 9_000;
      expect(await until(webhook, ({ isEnabled }) => !isEnabled)).toMatchObject({
        disabledReason: 'failures',
        disabledAt: expect.any(String),
        consecutiveFailures: 4,
        lastStatus: 500,
      });
      await poll(async () => (await on.stage.mails.count({ status: 'sent' })) === 2);
      clock.passed = 60_000;
      await on.stage.publish(webhook);
      await poll(async () => (await on.stage.deliveries.count({ status: 'held' })) === 1);
      expect(await kindsOf(webhook)).toEqual(['webhook_disabled', 'webhook_failing']);
      expect(await stateOf(webhook)).not.toHaveProperty('notices');
      expect(
        actors.flatMap(({ log }) => log).filter(({ fields }) => fields['event'] === 'webhook.disabled'),
      ).toHaveLength(1);
    });

    it.each([
      ['had too few failures in a row', { disableMinFailures: 5 }, 2, ['failed']],
      ['has no delivery that was given up', { schedule: [0.01, HOUR_MS] }, 2, ['pending']],
    ] as const)('stays enabled when it %s.', async (_, options, count, statuses) => {
      const { webhook, clock } = await failing({
        ...options,
        schedule: [...('schedule' in options ? options.schedule : [0.01])],
      });
      await on.stage.publish(webhook, count);
      await until(webhook, ({ consecutiveFailures }) => consecutiveFailures === 4);
      clock.passed = 10_000;
      await until(webhook, ({ warnedAt }) => warnedAt !== undefined);
      const healthy = await on.stage.addWebhook('/healthy');
      on.stage.webhookEndpoint.answer(({ path }) => ({ status: path === '/healthy' ? 200 : 500 }));
      await on.stage.publish(healthy);
      await on.stage.settled(healthy, 1);
      await until(healthy, ({ lastStatus }) => lastStatus === 200);
      expect(await stateOf(webhook)).toMatchObject({ isEnabled: true });
      await on.stage.settled(webhook, count, statuses);
    });

    it('is well again after one success: nothing is left of its failures.', async () => {
      const { webhook, clock } = await failing();
      await on.stage.publish(webhook, 2);
      await until(
        webhook,
        ({ givenUpAt, consecutiveFailures }) => givenUpAt !== undefined && consecutiveFailures === 4,
      );
      clock.passed = 3_000;
      await until(webhook, ({ warnedAt }) => warnedAt !== undefined);
      on.stage.webhookEndpoint.answer(() => ({ status: 200 }));
      await on.stage.publish(webhook);
      const state = await until(webhook, ({ lastStatus }) => lastStatus === 200);
      expect(state).toMatchObject({ isEnabled: true, failingSince: null, consecutiveFailures: 0 });
      expect(state).not.toHaveProperty('givenUpAt');
      expect(state).not.toHaveProperty('warnedAt');
      clock.passed = 60_000;
      on.stage.webhookEndpoint.answer(() => ({ status: 500 }));
      await on.stage.publish(webhook, 2);
      const again = await until(webhook, ({ consecutiveFailures }) => consecutiveFailures === 4);
      expect(again).toMatchObject({ isEnabled: true });
      expect(again).not.toHaveProperty('warnedAt');
    });
  });

  describe('a webhook that failures have disabled', () => {
    it('has its new events and its backlog held, for 30 days, and nothing is sent.', async () => {
      const { webhook } = await failing({
        schedule: [0.3],
        values: { isEnabled: true },
      });
      await on.stage.publish(webhook, 3);
      await poll(() => on.stage.webhookEndpoint.received().length === 3);
      const disabledAt = new Date().toISOString();
      await on.stage.webhooks.updateOne(
        { _id: webhook._id },
        { $set: { isEnabled: false, disabledReason: 'failures', disabledAt } },
      );
      const before = on.stage.webhookEndpoint.received().length;
      await on.stage.publish(webhook, 2);
      const held = await on.stage.settled(webhook, 5, ['held']);
      expect(on.stage.webhookEndpoint.received()).toHaveLength(before);
      for (const delivery of held) {
        expect(delivery).not.toHaveProperty('dueAt');
        expect(delivery).not.toHaveProperty('waiting');
        expect(Date.parse(delivery.expireAt) - Date.parse(delivery.createdAt)).toBe(30 * 24 * HOUR_MS);
      }
    });
  });

  describe('a webhook whose endpoint is gone', () => {
    it('has its owner told, once.', async () => {
      const { webhook } = await failing();
      on.stage.webhookEndpoint.answer(() => ({ status: 410 }));
      await on.stage.publish(webhook, 5);
      await on.stage.settled(webhook, 5, ['failed']);
      await poll(async () => (await on.stage.mails.count({ status: 'sent' })) === 1);
      expect(await kindsOf(webhook)).toEqual(['webhook_gone']);
      await on.stage.publish(webhook, 5);
      expect(await kindsOf(webhook)).toEqual(['webhook_gone']);
    });
  });
}
