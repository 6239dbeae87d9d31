import { poll } from '@svcforms/test-kit';
import { all, type StoreContext } from './context.ts';

/** A MongoDB server deletes expired documents once a minute. */
const REMOVED_WITHIN_MS = 100_000;
const SOON_MS = 3_000;
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

export function describeExpiry(context: StoreContext): void {
  const HOUR = 3_600_000;

  it(
    'removes documents when their time has passed, and no others',
    async () => {
      const collection = await context.newCollection({ expireAt: 'until' });
      const soon = inMs(SOON_MS);
      const later = inMs(HOUR);
      await collection.insertMany([
        { _id: 'passes', until: soon },
        { _id: 'passed', until: '2020-01-01T00:00:00.000Z' },
        { _id: 'shortened', until: later },
        { _id: 'shortened in bulk', until: later },
        { _id: 'given a time' },
      ]);
      await collection.updateOne({ _id: 'shortened' }, { $set: { until: soon } });
      await collection.bulkUpdate([
        { filter: { _id: 'shortened in bulk' }, update: { $set: { until: soon } } },
      ]);
      await collection.findOneAndUpdate({ _id: 'given a time' }, { $set: { until: soon } });
      await collection.updateOne({ _id: 'upserted' }, { $set: { until: soon } }, { upsert: true });
      await collection.updateOne(
        { _id: 'upserted on insert' },
        { $setOnInsert: { until: soon } },
        { upsert: true },
      );
      await collection.updateOne(
        { _id: 'upserted as found', until: soon },
        { $set: { a: 1 } },
        { upsert: true },
      );

      const stay = [
        { _id: 'has no time', a: 1 },
        { _id: 'has null', until: null },
        { _id: 'later', until: later },
        { _id: 'prolonged', until: later },
        { _id: 'prolonged in bulk', until: later },
        { _id: 'set to null', until: null },
        { _id: 'time taken away', a: 1 },
        { _id: 'upserted twice', until: later },
      ];
      await collection.insertMany([
        ...stay.slice(0, 3),
        ...stay.slice(3).map(({ _id }) => ({ _id, until: soon })),
      ]);
      await collection.updateMany({ _id: 'prolonged' }, { $set: { until: later } });
      await collection.bulkUpdate([
        { filter: { _id: 'prolonged in bulk' }, update: { $set: { until: later } } },
      ]);
      await collection.updateOne({ _id: 'set to null' }, { $set: { until: null } });
      await collection.updateOne({ _id: 'time taken away' }, { $unset: { until: true }, $set: { a: 1 } });
      await collection.updateOne({ _id: 'upserted twice' }, { $set: { until: later } }, { upsert: true });

      const left = await poll(
        async () => {
          const docs = await all(collection);
          return docs.length <= stay.length && docs;
        },
        { timeoutMs: REMOVED_WITHIN_MS, everyMs: 200, what: 'the removal of what has expired' },
      );
      expect(left).toEqual(stay);
    },
    REMOVED_WITHIN_MS + 30_000,
  );

  it('returns a document with a time of expiry as it was stored', async () => {
    const collection = await context.newCollection({ expireAt: 'until' });
    const doc = { _id: 'x', until: inMs(HOUR) };
    await collection.insertOne(doc);
    expect(await collection.findOne({ _id: 'x' })).toStrictEqual(doc);
    expect(await collection.find({}, { sort: ['until'] })).toStrictEqual([doc]);
    expect(await collection.findOneAndUpdate({ _id: 'x' }, { $set: { a: 1 } })).toStrictEqual({
      ...doc,
      a: 1,
    });
    const upserted = await collection.findOneAndUpdate(
      { _id: 'y' },
      { $set: { until: doc.until } },
      { upsert: true },
    );
    expect(upserted).toStrictEqual({ _id: 'y', until: doc.until });
  });
}
