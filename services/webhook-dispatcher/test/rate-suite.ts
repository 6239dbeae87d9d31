import { poll } from '@svcforms/test-kit';
import type { SuiteContext } from './fixture.ts';

/** Webhooks with a rate limit. */
export function describeRates(on: SuiteContext): void {
  describe('a webhook with a rate limit', () => {
    it('gets its deliveries at that rate, each at the first attempt', async () => {
      const webhook = await on.fixture.addWebhook('/hook', { rateLimitPerSecond: 20 });
      const arrivals: number[] = [];
      on.fixture.webhookEndpoint.respond(() => {
        arrivals.push(performance.now());
        return {};
      });
      await on.fixture.startDispatcher();
      await on.fixture.publish(webhook, 41);
      await on.fixture.finished(webhook, 41);
      const took = (arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0);
      // 40 intervals of 50 ms. A slot that comes late doesn't move the others.
      expect(took).toBeGreaterThan(1_800);
      const attempts = await on.fixture.deliveries.find({ webhookId: webhook._id });
      expect(attempts.filter((delivery) => delivery.attempts.length !== 1)).toEqual([]);
      expect(await on.fixture.webhooks.findOne({ _id: webhook._id })).toMatchObject({
        consecutiveFailures: 0,
        failingSince: null,
      });
    });

    it('keeps the rate while the clock is set back by a day', async () => {
      const webhook = await on.fixture.addWebhook('/hook', { rateLimitPerSecond: 4 });
      let setBy = 0;
      await on.fixture.startDispatcher({}, { now: () => Date.now() + setBy });
      await on.fixture.publish(webhook, 8);
      await poll(() => on.fixture.webhookEndpoint.received('/hook').length >= 2);
      setBy = -24 * 3_600_000;
      await on.fixture.finished(webhook, 8);
    });

    it('counts failed attempts, too', async () => {
      const webhook = await on.fixture.addWebhook('/hook', { rateLimitPerSecond: 4 });
      on.fixture.webhookEndpoint.respond(() => ({ status: 500 }));
      const startedAt = performance.now();
      await on.fixture.startDispatcher();
      await on.fixture.publish(webhook, 2);
      await on.fixture.finished(webhook, 2, ['failed']);
      // Two deliveries with four attempts each.
      expect(performance.now() - startedAt).toBeGreaterThan(1_700);
      expect(on.fixture.webhookEndpoint.received('/hook')).toHaveLength(8);
    });

    it('delays no other webhook of the account, even with a backlog in the store', async () => {
      const slow = await on.fixture.addWebhook('/slow', { rateLimitPerSecond: 1 });
      const neighbor = await on.fixture.addWebhook('/neighbor', { accountId: slow.accountId });
      await on.fixture.startDispatcher();
      await on.fixture.publish(slow, 600);
      await poll(async () => (await on.fixture.deliveries.count({ waiting: { $exists: true } })) > 300);
      await on.fixture.publish(neighbor, 200);
      await on.fixture.finished(neighbor, 200);
      expect(on.fixture.webhookEndpoint.received('/slow').length).toBeLessThan(40);
    });

    it('gets everything as soon as the limit is removed', async () => {
      const webhook = await on.fixture.addWebhook('/hook', { rateLimitPerSecond: 1 });
      const dispatcher = await on.fixture.startDispatcher();
      await on.fixture.publish(webhook, 400);
      await poll(() => on.fixture.webhookEndpoint.received('/hook').length >= 2);
      await on.fixture.webhooks.updateOne({ _id: webhook._id }, { $unset: { rateLimitPerSecond: true } });
      await on.fixture.finished(webhook, 400);
      expect(dispatcher.log.filter(({ level }) => level !== 'info')).toEqual([]);
    });

    it('leaves its deliveries to another process when this one stops', async () => {
      const webhook = await on.fixture.addWebhook('/hook', { rateLimitPerSecond: 5 });
      const first = await on.fixture.startDispatcher();
      await on.fixture.publish(webhook, 10);
      await poll(() => on.fixture.webhookEndpoint.received('/hook').length >= 2);
      await first.stop();
      await on.fixture.startDispatcher();
      await on.fixture.finished(webhook, 10);
      expect(on.fixture.webhookEndpoint.received('/hook')).toHaveLength(10);
    });
  });
}
