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
      const collection = await context.newCollection({ expireAt: 'gone' });
      const soon = inMs(SOON_MS);
      const later = inMs(HOUR);
      await collection.insertMany([
        { _id: 'passes', gone: soon },
        { _id: 'passed', gone: '2020-01-01T00:00:00.000Z' },
        { _id: 'shortened', gone: later },
        { _id: 'shortened in bulk', gone: later },
        { _id: 'given a time' },
      ]);
      await collection.updateOne({ _id: 'shortened' }, { $set: { gone: soon } });
      await collection.bulkUpdate([
        { filter: { _id: 'shortened in bulk' }, update: { $set: { gone: soon } } },
      ]);
      await collection.findOneAndUpdate({ _id: 'given a time' }, { $set: { gone: soon } });
      await collection.updateOne({ _id: 'upserted' }, { $set: { gone: soon } }, { upsert: true });
      await collection.updateOne(
        { _id: 'upserted on insert' },
        { $setOnInsert: { gone: soon } },
        { upsert: true },
      );
      await collection.updateOne(
        { _id: 'upserted as found', gone: soon },
        { $set: { a: 1 } },
        { upsert: true },
      );

      const stay = [
        { _id: 'has no time', a: 1 },
        { _id: 'has null', gone: null },
        { _id: 'later', gone: later },
        { _id: 'prolonged', gone: later },
        { _id: 'prolonged in bulk', gone: later },
        { _id: 'set to null', gone: null },
        { _id: 'time taken away', a: 1 },
        { _id: 'upserted twice', gone: later },
      ];
      await collection.insertMany([
        ...stay.slice(0, 3),
        ...stay.slice(3).map(({ _id }) => ({ _id, gone: soon })),
      ]);
      await collection.updateMany({ _id: 'prolonged' }, { $set: { gone: later } });
      await collection.bulkUpdate([
        { filter: { _id: 'prolonged in bulk' }, update: { $set: { gone: later } } },
      ]);
      await collection.updateOne({ _id: 'set to null' }, { $set: { gone: null } });
      await collection.updateOne({ _id: 'time taken away' }, { $unset: { gone: true }, $set: { a: 1 } });
      await collection.updateOne({ _id: 'upserted twice' }, { $set: { gone: later } }, { upsert: true });

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
    const collection = await context.newCollection({ expireAt: 'gone' });
    const doc = { _id: 'x', gone: inMs(HOUR) };
    await collection.insertOne(doc);
    expect(await collection.findOne({ _id: 'x' })).toStrictEqual(doc);
    expect(await collection.find({}, { sort: ['gone'] })).toStrictEqual([doc]);
    expect(await collection.findOneAndUpdate({ _id: 'x' }, { $set: { a: 1 } })).toStrictEqual({
      ...doc,
      a: 1,
    });
    const upserted = await collection.findOneAndUpdate(
      { _id: 'y' },
      { $set: { gone: doc.gone } },
      { upsert: true },
    );
    expect(upserted).toStrictEqual({ _id: 'y', gone: doc.gone });
  });
}
