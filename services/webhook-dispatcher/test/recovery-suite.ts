import { cacheStore, type DocumentStore } from '@svcforms/document-store';
import type { StoreAndBus } from '@svcforms/event-bus/testing';
import { RECOVERIES, webhookSecretContext, type DeliveryRecord, type WebhookRecord } from '@svcforms/records';
import { verifySvcSignature } from '@svcforms/signing';
import { createGate, poll } from '@svcforms/test-kit';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { deliveryRecord, secretBox } from './records.ts';
import type { SuiteContext } from './fixture.ts';

const SINCE = '2026-11-01T00:00:00.000Z';
const MINUTE_MS = 60_000;
const attempt = { at: SINCE, status: 500, error: 'status', durationMs: 1, responseBody: '' };

/** Recoveries of failed deliveries, and signatures during a rotation. */
export function describeRecoveries(on: SuiteContext): void {
  /** Requests a recovery of everything, including deliveries of this millisecond. */
  const ask = (webhook: WebhookRecord, until = new Date(Date.now() + 1_000).toISOString()) =>
    on.fixture.recoveries.insertOne({
      _id: 'rec_1',
      accountId: webhook.accountId,
      webhookId: webhook._id,
      since: SINCE,
      until,
      dueAt: SINCE,
      expireAt: new Date(Date.now() + MINUTE_MS).toISOString(),
    });

  async function addFailed(webhook: WebhookRecord, count: number, values: Partial<DeliveryRecord> = {}) {
    const attempts = Array.from({ length: 4 }, () => attempt);
    await on.fixture.deliveries.insertMany(
      Array.from({ length: count }, () => deliveryRecord(webhook, { status: 'failed', attempts, ...values })),
    );
  }

  describe('a recovery', () => {
    it('sends failed and held deliveries of its time range, and no others', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      await addFailed(webhook, 3);
      await addFailed(webhook, 2, { status: 'held', attempts: [] });
      await addFailed(webhook, 4, { status: 'delivered' });
      await addFailed(webhook, 2, { wasDelivered: true });
      await addFailed(webhook, 5, { createdAt: '2026-10-31T00:00:00.000Z' });
      await ask(webhook);
      await on.fixture.startDispatcher();
      await poll(() => on.fixture.webhookEndpoint.received().length === 5);
      await poll(async () => (await on.fixture.recoveries.count({})) === 0);
      expect(await on.fixture.deliveries.count({ status: 'failed' })).toBe(7);
      expect(on.fixture.webhookEndpoint.received()).toHaveLength(5);
    });

    it('repeats the whole schedule once for each delivery', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      await addFailed(webhook, 1);
      on.fixture.webhookEndpoint.respond(() => ({ status: 500 }));
      await ask(webhook);
      await on.fixture.startDispatcher();
      const [delivery] = await poll(async () => {
        const found = await on.fixture.deliveries.find({ status: 'failed', attemptsBefore: 4 });
        return found[0]?.attempts.length === 8 && found;
      });
      expect(delivery!.attempts).toHaveLength(4 + 4);
      expect(await on.fixture.recoveries.count({})).toBe(0);
    });

    it('that restarts after a crash skips deliveries that have failed again since', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      await addFailed(webhook, 2, { recoveredBy: 'rec_1' });
      await addFailed(webhook, 1, { recoveredBy: 'rec_0' });
      await ask(webhook);
      await on.fixture.startDispatcher();
      await poll(async () => (await on.fixture.deliveries.count({ status: 'delivered' })) === 1);
      await poll(async () => (await on.fixture.recoveries.count({})) === 0);
      expect(await on.fixture.deliveries.count({ status: 'failed' })).toBe(2);
      expect(on.fixture.webhookEndpoint.received()).toHaveLength(1);
    });

    it('that is requested again while it runs, runs again', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      await addFailed(webhook, 1, { recoveredBy: 'run_1' });
      await ask(webhook);
      await on.fixture.recoveries.updateOne({ _id: 'rec_1' }, { $set: { run: 'run_1' } });
      let passed = 0;
      const { store, reached, release } = heldAtDelete(on.pair);
      await on.fixture.startDispatcher({}, { now: () => Date.now() + passed, store });
      await poll(reached, { what: 'the end of the first run' });
      await on.fixture.recoveries.updateOne({ _id: 'rec_1' }, { $set: { run: 'run_2' } });
      release();
      passed = MINUTE_MS;
      await poll(() => on.fixture.webhookEndpoint.received().length === 1, { what: 'the attempt' });
      await poll(async () => (await on.fixture.recoveries.count({})) === 0);
    });

    it('does not wait for all those of another account', async () => {
      const [webhook, other] = [
        await on.fixture.addWebhook('/hook', { accountId: 'acc_1' }),
        await on.fixture.addWebhook('/other', { accountId: 'acc_2' }),
      ];
      await addFailed(webhook, 1, { attempts: [] });
      await addFailed(other, 1, { attempts: [] });
      const [first, second, late] = ['rec_1', 'rec_2', 'rec_3'].map((_id, n) => ({
        _id,
        accountId: n < 2 ? 'acc_1' : 'acc_2',
        webhookId: n < 2 ? webhook._id : other._id,
        since: SINCE,
        until: new Date(Date.now() + MINUTE_MS).toISOString(),
        dueAt: SINCE.replace('00.000', `0${n}.000`),
        expireAt: new Date(Date.now() + MINUTE_MS).toISOString(),
      }));
      await on.fixture.recoveries.insertMany([first!, second!, late!]);
      const { log } = await on.fixture.startDispatcher();
      const recovered = () => log.filter(({ fields }) => fields['event'] === 'webhook.recovered');
      await poll(() => recovered().length === 3, { what: 'the recoveries' });
      expect(recovered().map(({ fields }) => fields['accountId'])).toEqual(['acc_1', 'acc_2', 'acc_1']);
    });

    it('of more deliveries than fit in memory is continued by another process', async () => {
      const webhook = await on.fixture.addWebhook('/hook');
      await addFailed(webhook, 1_200, { attempts: [] });
      await ask(webhook);
      const dead = await on.fixture.startDispatcher();
      await poll(async () => (await on.fixture.deliveries.count({ status: { $ne: 'failed' } })) > 0);
      await dead.faults.crash();
      await on.fixture.startDispatcher({}, { now: () => Date.now() + MINUTE_MS });
      await on.fixture.finished(webhook, 1_200);
      await poll(async () => (await on.fixture.recoveries.count({})) === 0);
    }, 120_000);
  });

  describe('a delivery during a rotation', () => {
    it('has both signatures with every valid secret, newest first', async () => {
      const secrets = ['whsec_bmV3', 'whsec_b2xk', 'whsec_b3Zlcg=='];
      const webhook = await on.fixture.addWebhook('/hook', {}, secrets[0]);
      const seal = (secret: string) => secretBox.seal(secret, webhookSecretContext(webhook._id));
      await on.fixture.webhooks.updateOne(
        { _id: webhook._id },
        {
          $set: {
            previousSecrets: [
              { secret: seal('whsec_b2xk'), until: new Date(Date.now() + MINUTE_MS).toISOString() },
              { secret: seal('whsec_b3Zlcg=='), until: new Date(Date.now() - 1).toISOString() },
            ],
          },
        },
      );
      await on.fixture.startDispatcher();
      await on.fixture.publish(webhook);
      await on.fixture.finished(webhook, 1);
      const { headers, rawBody: body } = on.fixture.webhookEndpoint.received()[0]!;
      const header = String(headers['svc-signature']);
      const now = Math.floor(Date.now() / 1000);
      const verdicts = secrets.map(
        (secret) => verifySvcSignature({ header, body, secrets: [secret], now }).ok,
      );
      expect(verdicts).toEqual([true, true, false]);
      expect(header.match(/v1=/g)).toHaveLength(2);
      const first = `${header.split(',').slice(0, 2).join(',')}`;
      expect(verifySvcSignature({ header: first, body, secrets: ['whsec_bmV3'], now }).ok).toBe(true);
      for (const secret of secrets.slice(0, 2))
        expect(() =>
          new StandardWebhook(secret).verify(body, headers as Record<string, string>),
        ).not.toThrow();
      expect(() =>
        new StandardWebhook('whsec_b3Zlcg==').verify(body, headers as Record<string, string>),
      ).toThrow();
    });
  });
}

/** A store whose first deletion of a recovery waits for `release`. */
function heldAtDelete({ store, bus }: StoreAndBus) {
  const gate = createGate();
  let isReached = false;
  const collection: DocumentStore['collection'] = (spec) =>
    new Proxy(store.collection(spec), {
      get(target, name) {
        if (name !== 'deleteOne' || spec.name !== RECOVERIES.name) return Reflect.get(target, name);
        return async (filter: Parameters<typeof target.deleteOne>[0]) => {
          isReached = true;
          await gate.passed;
          return target.deleteOne(filter);
        };
      },
    });
  return { store: cacheStore({ ...store, collection }, bus), reached: () => isReached, release: gate.open };
}
