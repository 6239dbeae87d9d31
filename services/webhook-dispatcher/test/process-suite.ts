import { newId } from '@svcforms/contracts';
import { DURABLES } from '@svcforms/event-bus';
import {
  cacheStore,
  type CollectionSpec,
  type DocumentStore,
  type StoredDocument,
} from '@svcforms/document-store';
import { FORMS, type WebhookRecord } from '@svcforms/records';
import { createGate, poll } from '@svcforms/test-kit';
import type { ConcurrencyLimits } from '../src/queue/permit-rules.ts';
import { withFaults } from './faults.ts';
import type { SuiteContext } from './fixture.ts';
import { deliveryRecord, formRecord } from './records.ts';

const MINUTE_MS = 60_000;

/** A store of its own for a dispatcher. It returns no form until `respond`. */
function slowForms({ store, bus }: SuiteContext['pair']) {
  const faults = withFaults({ store, bus });
  const gate = createGate();
  let isReading = false;
  function collection<T extends StoredDocument>(spec: CollectionSpec<T>) {
    const real = faults.store.collection<T>(spec);
    if (spec.name !== FORMS.name) return real;
    return new Proxy(real, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return async (...args: unknown[]) => {
          isReading = true;
          const result: unknown = await Reflect.apply(member, target, args);
          await gate.passed;
          return result;
        };
      },
    });
  }
  const slow = { ...store, ...faults.store, collection: collection as DocumentStore['collection'] };
  return { store: cacheStore(slow, bus), faults, isReading: () => isReading, respond: gate.open };
}

/** Dispatchers with slow endpoints, other dispatchers, crashes and outages. */
export function describeProcesses(on: SuiteContext): void {
  describe('a webhook whose endpoint hangs', () => {
    const options = {
      /** 16 running, 256 prefetched; the others are in the backlog. */
      limits: { perWebhook: 16, perAccount: 32, global: 64 },
      // No attempt times out, which would free its permit, however busy the machine is.
      deliveryTimeoutMs: 2 * MINUTE_MS,
    };

    it('uses only its own permits: another webhook gets all deliveries while it has a backlog', async () => {
      const dead = await on.fixture.addWebhook('/dead');
      const neighbor = await on.fixture.addWebhook('/neighbor', { accountId: dead.accountId });
      on.fixture.webhookEndpoint.respond(({ path }) => (path === '/dead' ? 'hang' : {}));
      await on.fixture.startDispatcher(options);
      await on.fixture.publish(dead, 1_000);
      await poll(async () => (await on.fixture.deliveries.count({ waiting: { $exists: true } })) === 728);
      await on.fixture.publish(neighbor, 200);
      await on.fixture.finished(neighbor, 200);
      expect(on.fixture.webhookEndpoint.hanging()).toBe(16);
      expect(on.fixture.webhookEndpoint.received('/dead')).toHaveLength(16);
    });

    it('leaves permits to another webhook of the account even when there are many of them', async () => {
      const accountId = newId('acc');
      const dead = await Promise.all(
        [1, 2, 3, 4].map((n) => on.fixture.addWebhook(`/dead/${n}`, { accountId })),
      );
      const neighbor = await on.fixture.addWebhook('/neighbor', { accountId });
      on.fixture.webhookEndpoint.respond(({ path }) => (path === '/neighbor' ? {} : 'hang'));
      await on.fixture.startDispatcher(options);
      for (const webhook of dead) await on.fixture.publish(webhook, 100);
      // 24 of 32 are shared, and one of the reserved permits goes to each webhook with none.
      await poll(() => on.fixture.webhookEndpoint.hanging() >= 24 + 2);
      await on.fixture.publish(neighbor, 100);
      await on.fixture.finished(neighbor, 100);
      expect(on.fixture.webhookEndpoint.received('/neighbor')).toHaveLength(100);
    });

    it('gets its backlog as soon as it responds again', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      on.fixture.webhookEndpoint.respond(() => 'hang');
      await on.fixture.startDispatcher(options);
      await on.fixture.publish(webhook, 1_000);
      await poll(async () => (await on.fixture.deliveries.count({ waiting: { $exists: true } })) === 728);
      await poll(() => on.fixture.webhookEndpoint.hanging() === 16);
      on.fixture.webhookEndpoint.respond(() => ({ status: 200 }));
      on.fixture.webhookEndpoint.release();
      await on.fixture.finished(webhook, 1_000);
      expect(on.fixture.webhookEndpoint.received()).toHaveLength(1_000);
    });
  });

  describe('the metric of the oldest due delivery', () => {
    const LATE_MS = 5 * MINUTE_MS;
    let passed = 0;
    beforeEach(() => void (passed = 0));

    /**
     * A dispatcher whose attempts don't time out and whose leases are valid for longer than
     * `LATE_MS`.
     */
    async function start(limits: ConcurrencyLimits) {
      const options = { limits, deliveryTimeoutMs: 2 * LATE_MS };
      const { metrics } = await on.fixture.startDispatcher(options, { now: () => Date.now() + passed });
      const metric = metrics?.find(({ name }) => name === 'svc_deliveries_oldest_due_seconds');
      return async () => ((await metric?.read())?.[0]?.value ?? NaN) * 1_000;
    }

    const inBacklog = (webhookId: string) =>
      on.fixture.deliveries.count({ webhookId, waiting: { $exists: true } });

    it.each([
      { where: 'in memory', published: 1, waiting: 0 },
      // 16 deliveries for each permit are in memory.
      { where: 'in the backlog', published: 20, waiting: 5 },
    ])('shows deliveries $where that wait while hanging endpoints use all permits', async (held) => {
      const dead = await Promise.all([1, 2, 3, 4].map((n) => on.fixture.addWebhook(`/dead/${n}`)));
      const neighbor = await on.fixture.addWebhook('/neighbor');
      on.fixture.webhookEndpoint.respond(({ path }) => (path === '/neighbor' ? {} : 'hang'));
      const lateMs = await start({ perWebhook: 1, perAccount: 4, global: 4 });
      for (const webhook of dead) await on.fixture.publish(webhook, held.published);
      await poll(async () => (await on.fixture.deliveries.count({})) === 4 * held.published);
      await poll(() => on.fixture.webhookEndpoint.hanging() === 4);
      await on.fixture.publish(neighbor, 5);
      await poll(async () => (await on.fixture.deliveries.count({ webhookId: neighbor._id })) === 5);
      expect(await inBacklog(neighbor._id)).toBe(held.waiting);
      await poll(async () => (await lateMs()) > 0);
      passed = LATE_MS;
      await poll(async () => (await lateMs()) >= LATE_MS);
      on.fixture.webhookEndpoint.respond(() => ({}));
      on.fixture.webhookEndpoint.release();
      await on.fixture.finished(neighbor, 5);
      await poll(async () => (await lateMs()) === 0);
    });

    it('shows for how long a webhook has had no permit, however old its deliveries are', async () => {
      const dead = await on.fixture.addWebhook('/dead');
      const recovered = await on.fixture.addWebhook('/recovered');
      on.fixture.webhookEndpoint.respond(() => 'hang');
      const lateMs = await start({ perWebhook: 1, perAccount: 1, global: 1 });
      await on.fixture.publish(dead);
      await poll(() => on.fixture.webhookEndpoint.hanging() === 1);
      const waiting = `${recovered._id}|${new Date(Date.now() - LATE_MS).toISOString()}`;
      await on.fixture.deliveries.insertOne(deliveryRecord(recovered, { waiting }));
      const firstMs = await poll(async () => (await lateMs()) || null);
      expect(firstMs).toBeLessThan(LATE_MS);
      passed = LATE_MS;
      await poll(async () => (await lateMs()) >= LATE_MS);
    });

    it('omits those that wait for their own webhook: hanging, paused or with a rate limit', async () => {
      const hanging = await on.fixture.addWebhook('/hanging');
      const paused = await on.fixture.addWebhook('/paused');
      const limited = await on.fixture.addWebhook('/limited', { rateLimitPerSecond: 1 });
      const last = await on.fixture.addWebhook('/last', { _id: 'whk_ZZZZZZZZZZZZZZZZZZZZZZZZZZ' });
      on.fixture.webhookEndpoint.respond(({ path }) => {
        if (path === '/hanging') return 'hang';
        return path === '/paused' ? { status: 429, headers: { 'retry-after': '3600' } } : {};
      });
      const lateMs = await start({ perWebhook: 1, perAccount: 64, global: 64 });
      for (const webhook of [hanging, paused, limited]) {
        // `limited` delivers 60 in less than a minute, and its backlog must outlast the test.
        await on.fixture.publish(webhook, webhook === limited ? 300 : 60);
        await poll(async () => (await inBacklog(webhook._id)) > 0);
      }
      passed = LATE_MS;
      // It's delivered after a scan of all backlogs, in which its webhook is the last one.
      const waiting = `${last._id}|${new Date(Date.now() + passed).toISOString()}`;
      await on.fixture.deliveries.insertOne(deliveryRecord(last, { waiting }));
      await on.fixture.finished(last, 1);
      for (const { _id } of [hanging, paused, limited]) expect(await inBacklog(_id)).toBeGreaterThan(0);
      expect(await lateMs()).toBeLessThan(LATE_MS);
    });
  });

  describe('several dispatchers', () => {
    it('share the work without overlapping or needless attempts', async () => {
      const webhooks = await Promise.all(['/a', '/b', '/c'].map((path) => on.fixture.addWebhook(path)));
      const failedOnce = new Set<string>();
      on.fixture.webhookEndpoint.respond(({ deliveryId, path }) => {
        if (path !== '/b' || failedOnce.has(deliveryId)) return { status: 200 };
        failedOnce.add(deliveryId);
        return { status: 503 };
      });
      const limits = { perWebhook: 2, perAccount: 8, global: 8 };
      const dispatchers = await Promise.all([
        on.fixture.startDispatcher({ limits }),
        on.fixture.startDispatcher({ limits }),
      ]);
      for (const webhook of webhooks) await on.fixture.publish(webhook, 150);
      for (const webhook of webhooks) await on.fixture.finished(webhook, 150);
      expect(on.fixture.webhookEndpoint.overlaps()).toEqual([]);
      expect(on.fixture.webhookEndpoint.received()).toHaveLength(450 + failedOnce.size);
      const attemptsOf = dispatchers.map(({ log }) =>
        log.filter(({ fields }) => fields['event'] === 'delivery.attempted'),
      );
      expect(attemptsOf.flat()).toHaveLength(450 + failedOnce.size);
      for (const attempts of attemptsOf) expect(attempts.length).toBeGreaterThan(0);
    });

    it('take over the leases and the backlog of a dead one', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      on.fixture.webhookEndpoint.respond(() => 'hang');
      const limits = { perWebhook: 2, perAccount: 8, global: 8 };
      const dead = await on.fixture.startDispatcher({ limits });
      await on.fixture.publish(webhook, 100);
      await poll(async () => (await on.fixture.deliveries.count({ webhookId: webhook._id })) === 100);
      await poll(() => on.fixture.webhookEndpoint.hanging() === 2);
      await dead.faults.crash();
      const attempted = on.fixture.webhookEndpoint.received().map(({ deliveryId }) => deliveryId);
      on.fixture.webhookEndpoint.respond(() => ({ status: 200 }));
      await on.fixture.startDispatcher({ limits }, { now: () => Date.now() + MINUTE_MS });
      await on.fixture.finished(webhook, 100);
      const again = on.fixture.webhookEndpoint.received().slice(attempted.length);
      expect(again).toHaveLength(100);
      expect(again.map(({ deliveryId }) => deliveryId)).toEqual(expect.arrayContaining(attempted));
    });
  });

  describe('a dispatcher whose lease was taken over', () => {
    it('does not change that delivery', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      on.fixture.webhookEndpoint.respond(() => 'hang');
      const slow = await on.fixture.startDispatcher();
      await on.fixture.publish(webhook);
      await poll(() => on.fixture.webhookEndpoint.hanging() === 1);
      const other = await on.fixture.startDispatcher({}, { now: () => Date.now() + MINUTE_MS });
      await poll(() => on.fixture.webhookEndpoint.hanging() === 2);
      on.fixture.webhookEndpoint.release();
      const [delivery] = await on.fixture.finished(webhook, 1);
      await Promise.all([slow.stop(), other.stop()]);
      expect((await on.fixture.deliveries.findOne({ _id: delivery!._id }))?.attempts).toHaveLength(1);
    });

    it('does not start its attempt', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      on.fixture.webhookEndpoint.respond(() => 'hang');
      let passed = 0;
      const now = () => Date.now() + passed;
      const limits = { perWebhook: 1, perAccount: 8, global: 8 };
      await on.fixture.startDispatcher({ limits }, { now });
      await on.fixture.publish(webhook, 10);
      await poll(async () => (await on.fixture.deliveries.count({ status: 'delivering' })) === 10);
      await poll(() => on.fixture.webhookEndpoint.hanging() === 1);
      passed = MINUTE_MS;
      await on.fixture.startDispatcher({ limits }, { now });
      await poll(() => on.fixture.webhookEndpoint.hanging() === 2);
      on.fixture.webhookEndpoint.respond(() => ({}));
      on.fixture.webhookEndpoint.release();
      await on.fixture.finished(webhook, 10);
      expect(on.fixture.webhookEndpoint.received()).toHaveLength(10 + 1);
    });
  });

  describe('a dispatcher whose store responds after its lease was taken over', () => {
    it('does not start its attempt', async () => {
      const accountId = newId('acc');
      // An event without emails, so that only the attempt reads the form.
      const type = 'submission.created';
      const owner = { accountId, formId: accountId, events: [type] } satisfies Partial<WebhookRecord>;
      const webhook = await on.fixture.addWebhook('/hook', owner);
      const form = formRecord({ accountId });
      await on.fixture.forms.insertOne(form);
      on.fixture.webhookEndpoint.respond(() => 'hang');
      let passed = 0;
      const now = () => Date.now() + passed;
      const { isReading, respond, store, faults } = slowForms(on.pair);
      const slow = await on.fixture.startDispatcher({}, { store, now });
      await on.fixture.publish(webhook, 1, { type, formId: form._id });
      await poll(isReading, { what: 'the dispatcher to read the form' });
      // It can't renew its lease.
      faults.interruptStore();
      passed = MINUTE_MS;
      await on.fixture.startDispatcher({}, { now });
      await poll(() => on.fixture.webhookEndpoint.hanging() === 1);
      on.fixture.webhookEndpoint.respond(() => ({}));
      faults.restoreStore();
      respond();
      await slow.stop();
      on.fixture.webhookEndpoint.release();
      await on.fixture.finished(webhook, 1);
      expect(on.fixture.webhookEndpoint.received()).toHaveLength(1);
    });
  });

  describe('a restarted dispatcher', () => {
    it('continues interrupted deliveries at once if it is alone on its store', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      on.fixture.webhookEndpoint.respond(() => 'hang');
      const limits = { perWebhook: 2, perAccount: 8, global: 8 };
      const before = await on.fixture.startDispatcher({ limits, soleProcess: true });
      await on.fixture.publish(webhook, 100);
      await poll(async () => (await on.fixture.deliveries.count({ webhookId: webhook._id })) === 100);
      await before.faults.crash();
      on.fixture.webhookEndpoint.respond(() => ({ status: 200 }));
      await on.fixture.startDispatcher({ limits, soleProcess: true });
      await on.fixture.finished(webhook, 100);
    });

    it('loses and repeats nothing after a graceful stop', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      on.fixture.webhookEndpoint.respond(() => 'hang');
      const limits = { perWebhook: 2, perAccount: 8, global: 8 };
      const before = await on.fixture.startDispatcher({ limits });
      await on.fixture.publish(webhook, 100);
      await poll(async () => (await on.fixture.deliveries.count({ webhookId: webhook._id })) === 100);
      await poll(() => on.fixture.webhookEndpoint.hanging() === 2);
      const stopped = before.stop();
      await poll(async () => (await on.fixture.deliveries.count({ status: 'delivering' })) === 2);
      on.fixture.webhookEndpoint.respond(() => ({ status: 200 }));
      on.fixture.webhookEndpoint.release();
      await stopped;
      expect(await on.fixture.deliveries.count({ status: 'delivered' })).toBe(2);
      expect(await on.fixture.deliveries.count({ status: 'pending', owner: { $exists: false } })).toBe(98);
      await on.fixture.startDispatcher({ limits });
      await on.fixture.finished(webhook, 100);
      expect(on.fixture.webhookEndpoint.received()).toHaveLength(100);
    });
  });

  describe('a dispatcher that has lost only the store', () => {
    it('leaves its events to another one after half a minute, and takes none until the store is back', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      let passed = 0;
      const { faults, log } = await on.fixture.startDispatcher({}, { now: () => Date.now() + passed });
      const [first] = await on.fixture.publish(webhook);
      await on.fixture.finished(webhook, 1);
      const outages = () => log.filter(({ fields }) => fields['event'] === 'store.away').length;
      faults.interruptStore();
      const started = await on.fixture.publish(webhook, 50);
      await poll(() => outages() > 0, { what: 'the outage' });
      const waiting = await on.fixture.publish(webhook, 100);
      await on.fixture.startDispatcher();
      const later = await on.fixture.publish(webhook, 50);
      const received = () => new Set(on.fixture.webhookEndpoint.received().map(({ eventId }) => eventId));
      const all = [first!, ...started, ...waiting, ...later].map(({ id }) => id);
      const isSent = () => {
        // Cached webhooks can end the outage for a moment.
        passed = 31_000 * outages();
        return all.every((id) => received().has(id));
      };
      await poll(isSent, { what: 'all events at the endpoint' });
      faults.restoreStore();
      await on.fixture.finished(webhook, all.length);
      await poll(async () => (await on.pair.bus.lag(DURABLES.fanOut)) === 0, {
        what: 'all acknowledgements',
      });
      const [last] = await on.fixture.publish(webhook);
      await poll(() => received().has(last!.id), { what: 'the last event' });
    });
  });

  describe('an outage of the store', () => {
    it('loses nothing: events stay in the bus, results in memory', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      on.fixture.webhookEndpoint.respond(() => 'hang');
      const { faults, log } = await on.fixture.startDispatcher();
      await on.fixture.publish(webhook, 5);
      await poll(() => on.fixture.webhookEndpoint.hanging() === 5);
      const started = { webhookId: webhook._id, status: 'delivering' as const };
      await poll(async () => (await on.fixture.deliveries.count(started)) === 5);
      faults.interruptStore();
      on.fixture.webhookEndpoint.respond(() => ({ status: 200 }));
      on.fixture.webhookEndpoint.release();
      await on.fixture.publish(webhook, 5);
      await poll(() => log.filter(({ fields }) => fields['event'] === 'store.away').length === 2);
      faults.restoreStore();
      await on.fixture.finished(webhook, 10);
      expect(on.fixture.webhookEndpoint.received()).toHaveLength(10);
      expect(log.filter(({ level }) => level === 'error')).toEqual([]);
    });
  });
}
