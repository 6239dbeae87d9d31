import { newId } from '@svcforms/contracts';
import { poll } from '@svcforms/test-kit';
import type { Ground } from './fixture.ts';

const MINUTE_MS = 60_000;

/** What dispatchers keep up through slow endpoints, other dispatchers, crashes and outages. */
export function describeProcesses(on: Ground): void {
  describe('a webhook whose endpoint hangs', () => {
    /** 16 in places, 256 ahead: the others wait in the store. */
    const limits = { perWebhook: 16, perAccount: 32, global: 64 };

    it('keeps its own places only: a neighbour gets everything while a thousand wait at it.', async () => {
      const dead = await on.stage.addWebhook('/dead');
      const neighbour = await on.stage.addWebhook('/neighbour', { accountId: dead.accountId });
      on.stage.webhookEndpoint.answer(({ path }) => (path === '/dead' ? 'hang' : {}));
      await on.stage.startDispatcher({ limits });
      await on.stage.publish(dead, 1_000);
      await poll(async () => (await on.stage.deliveries.count({ waiting: { $exists: true } })) === 728);
      await on.stage.publish(neighbour, 200);
      await on.stage.settled(neighbour, 200);
      expect(on.stage.webhookEndpoint.hanging()).toBe(16);
      expect(on.stage.webhookEndpoint.received('/dead')).toHaveLength(16);
    });

    it('is not worse for a neighbour of the same account when there are many of them.', async () => {
      const accountId = newId('acc');
      const dead = await Promise.all(
        [1, 2, 3, 4].map((n) => on.stage.addWebhook(`/dead/${n}`, { accountId })),
      );
      const neighbour = await on.stage.addWebhook('/neighbour', { accountId });
      on.stage.webhookEndpoint.answer(({ path }) => (path === '/neighbour' ? {} : 'hang'));
      await on.stage.startDispatcher({ limits });
      for (const webhook of dead) await on.stage.publish(webhook, 100);
      // 24 of 32 in common, and one of the rest for each that has none.
      await poll(() => on.stage.webhookEndpoint.hanging() >= 24 + 2);
      await on.stage.publish(neighbour, 100);
      await on.stage.settled(neighbour, 100);
      expect(on.stage.webhookEndpoint.received('/neighbour')).toHaveLength(100);
    });

    it('gets what waited as soon as it answers again.', async () => {
      const webhook = await on.stage.addWebhook('/hook');
      on.stage.webhookEndpoint.answer(() => 'hang');
      await on.stage.startDispatcher({ limits });
      await on.stage.publish(webhook, 1_000);
      await poll(async () => (await on.stage.deliveries.count({ waiting: { $exists: true } })) === 728);
      await poll(() => on.stage.webhookEndpoint.hanging() === 16);
      on.stage.webhookEndpoint.answer(() => ({ status: 200 }));
      on.stage.webhookEndpoint.release();
      await on.stage.settled(webhook, 1_000);
      expect(on.stage.webhookEndpoint.received()).toHaveLength(1_000);
    });
  });

  describe('several dispatchers', () => {
    it('share the work, and never attempt the same delivery at once, nor twice without need.', async () => {
      const webhooks = await Promise.all(['/a', '/b', '/c'].map((path) => on.stage.addWebhook(path)));
      const failedOnce = new Set<string>();
      on.stage.webhookEndpoint.answer(({ deliveryId, path }) => {
        if (path !== '/b' || failedOnce.has(deliveryId)) return { status: 200 };
        failedOnce.add(deliveryId);
        return { status: 503 };
      });
      const limits = { perWebhook: 2, perAccount: 8, global: 8 };
      const actors = await Promise.all([
        on.stage.startDispatcher({ limits }),
        on.stage.startDispatcher({ limits }),
      ]);
      for (const webhook of webhooks) await on.stage.publish(webhook, 150);
      for (const webhook of webhooks) await on.stage.settled(webhook, 150);
      expect(on.stage.webhookEndpoint.overlaps()).toEqual([]);
      expect(on.stage.webhookEndpoint.received()).toHaveLength(450 + failedOnce.size);
      const attemptsOf = actors.map(({ log }) =>
        log.filter(({ fields }) => fields['event'] === 'delivery.attempted'),
      );
      expect(attemptsOf.flat()).toHaveLength(450 + failedOnce.size);
      for (const attempts of attemptsOf) expect(attempts.length).toBeGreaterThan(0);
    });

    it('take over what a dead one had, and what waited at it.', async () => {
      const webhook = await on.stage.addWebhook('/hook');
      on.stage.webhookEndpoint.answer(() => 'hang');
      const limits = { perWebhook: 2, perAccount: 8, global: 8 };
      const dead = await on.stage.startDispatcher({ limits });
      await on.stage.publish(webhook, 100);
      await poll(async () => (await on.stage.deliveries.count({ webhookId: webhook._id })) === 100);
      await poll(() => on.stage.webhookEndpoint.hanging() === 2);
      await dead.faults.crash();
      const attempted = on.stage.webhookEndpoint.received().map(({ deliveryId }) => deliveryId);
      on.stage.webhookEndpoint.answer(() => ({ status: 200 }));
      await on.stage.startDispatcher({ limits }, { now: () => Date.now() + MINUTE_MS });
      await on.stage.settled(webhook, 100);
      const again = on.stage.webhookEndpoint.received().slice(attempted.length);
      expect(again).toHaveLength(100);
      expect(again.map(({ deliveryId }) => deliveryId)).toEqual(expect.arrayContaining(attempted));
    });
  });

  describe('a dispatcher whose lease was taken over', () => {
    it('writes nothing any more about that delivery.', async () => {
      const webhook = await on.stage.addWebhook('/hook');
      on.stage.webhookEndpoint.answer(() => 'hang');
      const slow = await on.stage.startDispatcher();
      await on.stage.publish(webhook);
      await poll(() => on.stage.webhookEndpoint.hanging() === 1);
      const other = await on.stage.startDispatcher({}, { now: () => Date.now() + MINUTE_MS });
      await poll(() => on.stage.webhookEndpoint.hanging() === 2);
      on.stage.webhookEndpoint.release();
      const [delivery] = await on.stage.settled(webhook, 1);
      await Promise.all([slow.stop(), other.stop()]);
      expect((await on.stage.deliveries.findOne({ _id: delivery!._id }))?.attempts).toHaveLength(1);
    });

    it('does not start what it had not started yet.', async () => {
      const webhook = await on.stage.addWebhook('/hook');
      on.stage.webhookEndpoint.answer(() => 'hang');
      let passed = 0;
      const now = () => Date.now() + passed;
      const limits = { perWebhook: 1, perAccount: 8, global: 8 };
      await on.stage.startDispatcher({ limits }, { now });
      await on.stage.publish(webhook, 10);
      await poll(async () => (await on.stage.deliveries.count({ status: 'delivering' })) === 10);
      await poll(() => on.stage.webhookEndpoint.hanging() === 1);
      passed = MINUTE_MS;
      await on.stage.startDispatcher({ limits }, { now });
      await poll(() => on.stage.webhookEndpoint.hanging() === 2);
      on.stage.webhookEndpoint.answer(() => ({}));
      on.stage.webhookEndpoint.release();
      await on.stage.settled(webhook, 10);
      expect(on.stage.webhookEndpoint.received()).toHaveLength(10 + 1);
    });
  });

  describe('a dispatcher that is started again', () => {
    it('as the only process of its store goes on at once with what was under way.', async () => {
      const webhook = await on.stage.addWebhook('/hook');
      on.stage.webhookEndpoint.answer(() => 'hang');
      const limits = { perWebhook: 2, perAccount: 8, global: 8 };
      const before = await on.stage.startDispatcher({ limits, soleProcess: true });
      await on.stage.publish(webhook, 100);
      await poll(async () => (await on.stage.deliveries.count({ webhookId: webhook._id })) === 100);
      await before.faults.crash();
      on.stage.webhookEndpoint.answer(() => ({ status: 200 }));
      await on.stage.startDispatcher({ limits, soleProcess: true });
      await on.stage.settled(webhook, 100);
    });

    it('after an orderly stop has lost nothing and repeats nothing.', async () => {
      const webhook = await on.stage.addWebhook('/hook');
      on.stage.webhookEndpoint.answer(() => 'hang');
      const limits = { perWebhook: 2, perAccount: 8, global: 8 };
      const before = await on.stage.startDispatcher({ limits });
      await on.stage.publish(webhook, 100);
      await poll(async () => (await on.stage.deliveries.count({ webhookId: webhook._id })) === 100);
      await poll(() => on.stage.webhookEndpoint.hanging() === 2);
      const stopped = before.stop();
      await poll(async () => (await on.stage.deliveries.count({ status: 'delivering' })) === 2);
      on.stage.webhookEndpoint.answer(() => ({ status: 200 }));
      on.stage.webhookEndpoint.release();
      await stopped;
      expect(await on.stage.deliveries.count({ status: 'delivered' })).toBe(2);
      expect(await on.stage.deliveries.count({ status: 'pending', owner: { $exists: false } })).toBe(98);
      await on.stage.startDispatcher({ limits });
      await on.stage.settled(webhook, 100);
      expect(on.stage.webhookEndpoint.received()).toHaveLength(100);
    });
  });

  describe('while the store is away', () => {
    it('nothing is lost: events wait in the bus, results in memory.', async () => {
      const webhook = await on.stage.addWebhook('/hook');
      on.stage.webhookEndpoint.answer(() => 'hang');
      const { faults, log } = await on.stage.startDispatcher();
      await on.stage.publish(webhook, 5);
      await poll(() => on.stage.webhookEndpoint.hanging() === 5);
      await poll(async () => (await on.stage.deliveries.count({ status: 'delivering' })) === 5);
      faults.away();
      on.stage.webhookEndpoint.answer(() => ({ status: 200 }));
      on.stage.webhookEndpoint.release();
      await on.stage.publish(webhook, 5);
      await poll(() => log.filter(({ fields }) => fields['event'] === 'store.away').length === 2);
      faults.back();
      await on.stage.settled(webhook, 10);
      expect(on.stage.webhookEndpoint.received()).toHaveLength(10);
      expect(log.filter(({ level }) => level === 'error')).toEqual([]);
    });
  });
}
