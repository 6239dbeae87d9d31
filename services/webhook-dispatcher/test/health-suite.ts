import { cacheStore } from '@svcforms/document-store';
import { createGuardedClient, parsePolicy } from '@svcforms/outbound';
import { HOUR_MS } from '@svcforms/primitives';
import {
  latencyPercentile,
  startOfHour,
  webhookHealthExpiry,
  WEBHOOK_HEALTH,
  WEBHOOKS,
  type LatencyHistogram,
  type WebhookHealthRecord,
  type WebhookRecord,
} from '@svcforms/records';
import { freePort, poll } from '@svcforms/test-kit';
import type { SuiteContext } from './fixture.ts';

/** The attempts of webhooks, which dispatchers count by hour. */
export function describeHealth(on: SuiteContext): void {
  const countsOf = ({ _id: webhookId }: WebhookRecord) => on.fixture.webhookHealth.find({ webhookId });
  const sum = (counts: readonly WebhookHealthRecord[]) => ({
    succeeded: counts.reduce((total, { succeeded }) => total + succeeded, 0),
    failed: counts.reduce((total, { failed }) => total + failed, 0),
  });
  const latenciesOf = (counts: readonly WebhookHealthRecord[]) =>
    counts.flatMap(({ latencies = {} }) => Object.values(latencies)).reduce((total, n) => total + n, 0);
  /** Waits for as many attempts in the store, and returns their counts. */
  const counted = (webhook: WebhookRecord, attempts: number) =>
    poll(
      async () => {
        const counts = await countsOf(webhook);
        const { succeeded, failed } = sum(counts);
        return succeeded + failed >= attempts && counts;
      },
      { what: `${attempts} counted attempts` },
    );

  describe('the health of a webhook', () => {
    it('counts each attempt with its latency, of a form and of an account', async () => {
      const ofForm = await on.fixture.addWebhook('/form');
      const { accountId, formId } = ofForm;
      const ofAccount = await on.fixture.addWebhook('/account', { accountId, formId: accountId });
      await on.fixture.forms.insertOne({
        _id: formId,
        accountId,
        name: 'Contact',
        fields: [],
        settings: {},
        createdAt: ofForm.createdAt,
        updatedAt: ofForm.createdAt,
        version: 1,
      });
      let refusals = 2;
      on.fixture.webhookEndpoint.respond(({ path }) =>
        path === '/form' && refusals-- > 0 ? { status: 503 } : { status: 200 },
      );
      await on.fixture.startDispatcher();
      const startedAt = Date.now();
      await on.fixture.publish(ofForm);
      const [form, account] = await Promise.all([counted(ofForm, 3), counted(ofAccount, 1)]);
      expect([sum(form), latenciesOf(form)]).toEqual([{ succeeded: 1, failed: 2 }, 3]);
      expect([sum(account), latenciesOf(account)]).toEqual([{ succeeded: 1, failed: 0 }, 1]);
      expect(account[0]).toMatchObject({
        _id: `${ofAccount._id}|${account[0]?.hour}`,
        accountId,
        formId: accountId,
        webhookId: ofAccount._id,
      });
      expect([startOfHour(startedAt), startOfHour(Date.now())]).toContain(account[0]?.hour);
      expect(account[0]!.expireAt >= webhookHealthExpiry(startedAt)).toBe(true);
      expect(account[0]!.expireAt <= webhookHealthExpiry(Date.now())).toBe(true);
    });

    it.each([
      ['a refused connection', async () => ({ url: `http://127.0.0.1:${await freePort()}/` })],
      ['an unknown host name', async () => ({ url: 'http://nowhere.example/' })],
      ['a blocked target', async () => ({ url: 'http://10.0.0.1/' })],
      [
        'a payload that has no body',
        async () => ({ payload: { format: 'template' as const, template: '{{ data | missing }}' } }),
      ],
      ['a secret that no key opens', async () => ({ secret: 'v1.0000000000000000.broken' })],
    ])('counts %s as a failure without a latency', async (_, values) => {
      const webhook = await on.fixture.addWebhook('/hook', await values());
      const policy = parsePolicy({ allowedTargets: ['127.0.0.0/8'], allowHttp: true });
      // No name has an address.
      const client = createGuardedClient(policy, { lookup: async () => [] });
      const dispatcher = await on.fixture.startDispatcher({ retryScheduleSeconds: [] }, { client });
      await on.fixture.publish(webhook);
      const counts = await counted(webhook, 1);
      expect([sum(counts), latenciesOf(counts)]).toEqual([{ succeeded: 0, failed: 1 }, 0]);
      await dispatcher.stop();
      client.close();
    });

    it('counts a timeout as a failure with the time that it waited', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      on.fixture.webhookEndpoint.respond(() => 'hang');
      await on.fixture.startDispatcher({ retryScheduleSeconds: [], deliveryTimeoutMs: 200 });
      await on.fixture.publish(webhook);
      const counts = await counted(webhook, 1);
      expect(sum(counts)).toEqual({ succeeded: 0, failed: 1 });
      expect(latencyPercentile(counts[0]?.latencies ?? {}, 0.5)).toBeGreaterThanOrEqual(190);
    });

    it('leaves the wait for a rate limit out of the latency', async () => {
      const webhook = await on.fixture.addWebhook('/hook', { rateLimitPerSecond: 1 });
      await on.fixture.startDispatcher();
      await on.fixture.publish(webhook, 3);
      const counts = await counted(webhook, 3);
      const latencies: LatencyHistogram = Object.assign({}, ...counts.map((each) => each.latencies));
      expect(latencyPercentile(latencies, 1)).toBeLessThan(900);
    });

    it('is kept by hour, in which attempts started', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      let passed = 0;
      await on.fixture.startDispatcher({}, { now: () => Date.now() + passed });
      await on.fixture.publish(webhook);
      const [first] = await counted(webhook, 1);
      passed = HOUR_MS;
      await on.fixture.publish(webhook, 2);
      const hours = (await counted(webhook, 3)).toSorted((a, b) => (a.hour < b.hour ? -1 : 1));
      expect(hours.map(({ succeeded }) => succeeded)).toEqual([1, 2]);
      expect(Date.parse(hours[1]!.hour) - Date.parse(first!.hour)).toBeGreaterThanOrEqual(HOUR_MS);
    });

    it('adds up over dispatchers, and over one that stops and starts again', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      on.fixture.webhookEndpoint.respond(() => 'hang');
      const limits = { perWebhook: 2, perAccount: 8, global: 8 };
      const dispatchers = await Promise.all([
        on.fixture.startDispatcher({ limits }),
        on.fixture.startDispatcher({ limits }),
      ]);
      let published = 0;
      await poll(async () => {
        published += (await on.fixture.publish(webhook)).length;
        // The limits of both.
        return on.fixture.webhookEndpoint.hanging() === 4;
      });
      const failedOnce = new Set<string>();
      on.fixture.webhookEndpoint.respond(({ deliveryId }) => {
        if (failedOnce.has(deliveryId) || failedOnce.size === 30) return { status: 200 };
        failedOnce.add(deliveryId);
        return { status: 500 };
      });
      on.fixture.webhookEndpoint.release();
      published += (await on.fixture.publish(webhook, 60)).length;
      await on.fixture.finished(webhook, published);
      await Promise.all(dispatchers.map((each) => each.stop()));
      expect(sum(await countsOf(webhook))).toEqual({ succeeded: published, failed: 30 });

      await on.fixture.startDispatcher();
      await on.fixture.publish(webhook, 5);
      const counts = await counted(webhook, published + 30 + 5);
      expect(sum(counts)).toEqual({ succeeded: published + 5, failed: 30 });
      expect(latenciesOf(counts)).toBe(published + 30 + 5);
    });

    it('keeps what an outage of the store prevents from being written', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      on.fixture.webhookEndpoint.respond(() => 'hang');
      const { faults, log } = await on.fixture.startDispatcher();
      await on.fixture.publish(webhook, 4);
      await poll(() => on.fixture.webhookEndpoint.hanging() === 4);
      await poll(async () => (await on.fixture.deliveries.count({ status: 'delivering' })) === 4);
      faults.interruptStore();
      on.fixture.webhookEndpoint.respond(() => ({}));
      on.fixture.webhookEndpoint.release();
      await poll(() => log.some(({ fields }) => fields['what'] === 'writing the counts of attempts'));
      faults.restoreStore();
      expect(sum(await counted(webhook, 4))).toEqual({ succeeded: 4, failed: 0 });
    });

    it('leaves nothing when a late attempt ends after its webhook is deleted', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      const other = await on.fixture.addWebhook('/other');
      on.fixture.webhookEndpoint.respond(({ path }) => (path === '/hook' ? 'hang' : {}));
      const dispatcher = await on.fixture.startDispatcher();
      await on.fixture.publish(webhook);
      await poll(() => on.fixture.webhookEndpoint.hanging() === 1);
      // As forms-api does, in another process.
      await cacheStore(on.pair.store, on.pair.bus).collection(WEBHOOKS).deleteOne({ _id: webhook._id });
      on.fixture.webhookEndpoint.release();
      await poll(() => dispatcher.log.some(({ fields }) => fields['event'] === 'delivery.attempted'));
      await on.fixture.publish(other);
      await counted(other, 1);
      await dispatcher.stop();
      expect(await countsOf(webhook)).toEqual([]);
    });
  });

  it('costs one write per second for any number of attempts', async () => {
    const webhook = await on.fixture.addWebhook('/hook');
    let writes = 0;
    const { store } = on.pair;
    const counting: typeof store.collection = (spec) => {
      const collection = store.collection(spec);
      if (spec.name !== WEBHOOK_HEALTH.name) return collection;
      return new Proxy(collection, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name);
          if (typeof member !== 'function') return member;
          return (...args: unknown[]) => {
            writes += 1;
            return Reflect.apply(member, target, args) as unknown;
          };
        },
      });
    };
    const startedAt = Date.now();
    const dispatcher = await on.fixture.startDispatcher(
      {},
      { store: cacheStore({ ...store, collection: counting }, on.pair.bus) },
    );
    await on.fixture.publish(webhook, 300);
    await on.fixture.finished(webhook, 300);
    await dispatcher.stop();
    expect(sum(await countsOf(webhook))).toEqual({ succeeded: 300, failed: 0 });
    expect(writes).toBeLessThanOrEqual(2 + (Date.now() - startedAt) / 1_000);
  });
}
