import { join } from 'node:path';
import { StoreError, type Collection } from '@svcforms/document-store';
import { createEmbeddedStore, openEmbeddedDatabase } from '@svcforms/document-store/embedded';
import { DELIVERIES, type DeliveryRecord } from '@svcforms/records';
import { tempFolder } from '@svcforms/test-kit';
import { NO_RETRIES } from '../../test/faults.ts';
import { deliveryRecord, webhookRecord } from '../../test/records.ts';
import { createDeferredInserts } from './deferred-inserts.ts';

describe('a delivery whose insert is deferred', () => {
  const database = openEmbeddedDatabase(join(tempFolder(), 'test.db'));
  const store = createEmbeddedStore(database);
  const deliveries: Collection<DeliveryRecord> = store.collection(DELIVERIES);
  const webhook = webhookRecord({ url: 'http://localhost' });
  const started = (): DeliveryRecord => deliveryRecord(webhook, { status: 'delivering', owner: 'p1' });
  const delivered = (delivery: DeliveryRecord): DeliveryRecord => ({ ...delivery, status: 'delivered' });
  const inStore = ({ _id }: DeliveryRecord) => deliveries.findOne({ _id });

  beforeAll(() => store.ensureIndexes());
  afterAll(async () => {
    await store.close();
    await database.close();
  });

  it('is stored once, with its result, and then its event can be acknowledged', async () => {
    let inserts = 0;
    const counted = {
      insertMany: (docs: readonly DeliveryRecord[]) => (inserts++, deliveries.insertMany(docs)),
    };
    const deferredInserts = createDeferredInserts({ deliveries: counted, retry: NO_RETRIES });
    const both = [started(), started()];
    const stored = deferredInserts.defer(both);
    const ends = await Promise.all(both.map(({ _id }) => deferredInserts.complete(_id, delivered)));
    expect(ends).toEqual([true, true]);
    await stored;
    for (const each of both) expect(await inStore(each)).toMatchObject({ status: 'delivered' });
    expect(inserts).toBe(1);
  });

  it('is stored without its result when that takes long, and the result needs a write of its own', async () => {
    const deferredInserts = createDeferredInserts({ deliveries, retry: NO_RETRIES });
    const [quick, slow] = [started(), started()];
    const stored = deferredInserts.defer([quick, slow]);
    await deferredInserts.complete(quick._id, delivered);
    await stored;
    expect(await inStore(quick)).toMatchObject({ status: 'delivered' });
    expect(await inStore(slow)).toMatchObject({ status: 'delivering', owner: 'p1' });
    expect(await deferredInserts.complete(slow._id, delivered)).toBe(false);
  });

  it('is stored before its result is reported to need a write of its own', async () => {
    const deferredInserts = createDeferredInserts({ deliveries, retry: NO_RETRIES });
    const delivery = started();
    void deferredInserts.defer([delivery]);
    void deferredInserts.flush([delivery._id]);
    expect(await deferredInserts.complete(delivery._id, delivered)).toBe(false);
    expect(await inStore(delivery)).toMatchObject({ status: 'delivering' });
  });

  it('leaves its event unacknowledged when the insert fails', async () => {
    const away = { insertMany: () => Promise.reject(new StoreError('UNAVAILABLE', 'away')) };
    const deferredInserts = createDeferredInserts({ deliveries: away, retry: NO_RETRIES });
    const delivery = started();
    const stored = deferredInserts.defer([delivery]);
    await expect(deferredInserts.complete(delivery._id, delivered)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    await expect(stored).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('does not change a delivery that is already stored', async () => {
    const deferredInserts = createDeferredInserts({ deliveries, retry: NO_RETRIES });
    const delivery = started();
    await deliveries.insertMany([{ ...delivery, status: 'failed' }]);
    const stored = deferredInserts.defer([delivery]);
    await deferredInserts.complete(delivery._id, delivered);
    await stored;
    expect(await inStore(delivery)).toMatchObject({ status: 'failed' });
  });
});
