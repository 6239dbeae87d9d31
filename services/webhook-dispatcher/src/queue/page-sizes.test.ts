import type { Collection } from '@svcforms/document-store';
import { openTestStore } from '@svcforms/document-store/testing';
import { DELIVERIES, RECOVERIES, type DeliveryRecord, type RecoveryRecord } from '@svcforms/records';
import { deliveryRecord, webhookRecord } from '../../test/records.ts';
import { createClaims } from './claims.ts';
import { createDeliverySweep } from './delivery-sweep.ts';
import { createRecovery } from './recovery.ts';

const SINCE = '2026-11-01T00:00:00.000Z';
const BODY = 'x'.repeat(500_000);

describe('with large deliveries', () => {
  const store = openTestStore();
  const deliveries: Collection<DeliveryRecord> = store.collection(DELIVERIES);
  const recoveries: Collection<RecoveryRecord> = store.collection(RECOVERIES);
  const webhook = webhookRecord({ url: 'http://localhost' });
  const signal = new AbortController().signal;
  const permits = { markBacklog() {}, release() {}, refilled() {} };

  beforeAll(() => store.ensureIndexes());
  afterEach(async () => void (await deliveries.deleteMany({})));

  const add = (count: number, values: Partial<DeliveryRecord>) =>
    deliveries.insertMany(
      Array.from({ length: count }, () => deliveryRecord(webhook, { body: BODY, ...values })),
    );

  /** The collection, and the most characters of bodies that one query returned. */
  function measured() {
    const most = { characters: 0 };
    const reading: Pick<typeof deliveries, 'find' | 'updateMany' | 'bulkUpdate'> = {
      async find(...args) {
        const found = await deliveries.find(...args);
        most.characters = Math.max(
          most.characters,
          found.reduce((sum, { body }) => sum + body.length, 0),
        );
        return found;
      },
      updateMany: (...args) => deliveries.updateMany(...args),
      bulkUpdate: (...args) => deliveries.bulkUpdate(...args),
    };
    return { reading, most };
  }

  it('a recovery requeues all in pages of a few megabytes', async () => {
    await add(60, { status: 'failed' });
    await recoveries.insertOne({
      _id: 'rec_1',
      accountId: webhook.accountId,
      webhookId: webhook._id,
      since: SINCE,
      until: new Date(Date.now() + 1_000).toISOString(),
      dueAt: SINCE,
      expireAt: new Date(Date.now() + 60_000).toISOString(),
    });
    const { reading, most } = measured();
    const onReady = () => {};
    const log = { info() {} };
    await createRecovery({ recoveries, deliveries: reading, permits, onReady, log, signal, now: Date.now })();
    expect(await deliveries.count({ status: 'pending', recoveredBy: 'rec_1' })).toBe(60);
    expect(most.characters).toBeLessThan(6 * 1024 ** 2);
  });

  it('a sweep reads all that are due in pages of some megabytes', async () => {
    await add(100, { dueAt: SINCE });
    const { reading, most } = measured();
    const leases = {
      owner: 'me',
      durationMs: 10_000,
      has: () => false,
      reserve: () => null,
      withoutRoomSince: () => undefined,
      add() {},
      confirm: async () => new Set<string>(),
    };
    const claims = createClaims({ deliveries: reading, permits, leases, now: Date.now });
    const sweep = createDeliverySweep({
      deliveries: reading,
      leases,
      claims,
      permits,
      onReady() {},
      signal,
      now: Date.now,
    });
    await sweep.sweepDue();
    expect(await deliveries.count({ waiting: { $exists: true } })).toBe(100);
    expect(most.characters).toBeLessThan(18 * 1024 ** 2);
  });
});
