import { join } from 'node:path';
import { StoreError, type Collection } from '@svcforms/document-store';
import { createEmbeddedStore, openEmbeddedDatabase } from '@svcforms/document-store/embedded';
import { DELIVERIES, type DeliveryRecord } from '@svcforms/records';
import { tempFolder } from '@svcforms/test-kit';
import { deliveryRecord, webhookRecord } from '../testing/records.ts';
import { createFirstWrites } from './first-writes.ts';

describe('a delivery that is begun before it is stored', () => {
  const database = openEmbeddedDatabase(join(tempFolder(), 'test.db'));
  const store = createEmbeddedStore(database);
  const deliveries: Collection<DeliveryRecord> = store.collection(DELIVERIES);
  const webhook = webhookRecord({ url: 'http://localhost' });
  const begun = (): DeliveryRecord => deliveryRecord(webhook, { status: 'delivering', owner: 'p1' });
  const delivered = (delivery: DeliveryRecord): DeliveryRecord => ({ ...delivery, status: 'delivered' });
  const inStore = ({ _id }: DeliveryRecord) => deliveries.findOne({ _id });

  beforeAll(() => store.ensureIndexes());
  afterAll(async () => {
    await store.close();
    await database.close();
  });

  it('is stored once, with its result, and then its event is settled.', async () => {
    let inserts = 0;
    const counted = {
      insertMany: (docs: readonly DeliveryRecord[]) => (inserts++, deliveries.insertMany(docs)),
    };
    const firstWrites = createFirstWrites({ deliveries: counted, retry: (work) => work() });
    const both = [begun(), begun()];
    const settled = firstWrites.store(both);
    const ends = await Promise.all(both.map(({ _id }) => firstWrites.end(_id, delivered)));
    expect(ends).toEqual([true, true]);
    await settled;
    for (const each of both) expect(await inStore(each)).toMatchObject({ status: 'delivered' });
    expect(inserts).toBe(1);
  });

  it('is stored as it is when its result takes long, and its result is to be written by itself.', async () => {
    const firstWrites = createFirstWrites({ deliveries, retry: (work) => work() });
    const [quick, slow] = [begun(), begun()];
    const settled = firstWrites.store([quick, slow]);
    await firstWrites.end(quick._id, delivered);
    await settled;
    expect(await inStore(quick)).toMatchObject({ status: 'delivered' });
    expect(await inStore(slow)).toMatchObject({ status: 'delivering', owner: 'p1' });
    expect(await firstWrites.end(slow._id, delivered)).toBe(false);
  });

  it('is in the store before anybody is told to write its result by itself.', async () => {
    const firstWrites = createFirstWrites({ deliveries, retry: (work) => work() });
    const delivery = begun();
    void firstWrites.store([delivery]);
    void firstWrites.flush([delivery._id]);
    expect(await firstWrites.end(delivery._id, delivered)).toBe(false);
    expect(await inStore(delivery)).toMatchObject({ status: 'delivering' });
  });

  it('leaves its event unsettled when the store takes nothing for good.', async () => {
    const away = { insertMany: () => Promise.reject(new StoreError('UNAVAILABLE', 'away')) };
    const firstWrites = createFirstWrites({ deliveries: away, retry: (work) => work() });
    const delivery = begun();
    const settled = firstWrites.store([delivery]);
    await expect(firstWrites.end(delivery._id, delivered)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(settled).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('leaves one that is there already as it is.', async () => {
    const firstWrites = createFirstWrites({ deliveries, retry: (work) => work() });
    const delivery = begun();
    await deliveries.insertMany([{ ...delivery, status: 'failed' }]);
    const settled = firstWrites.store([delivery]);
    await firstWrites.end(delivery._id, delivered);
    await settled;
    expect(await inStore(delivery)).toMatchObject({ status: 'failed' });
  });
});
