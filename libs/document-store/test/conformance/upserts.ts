import type { Filter, Update } from '../../src/port/port.ts';
import { all, numbered, type AnyDocument, type StoreContext } from './context.ts';

const INSERTED: [filter: Filter, update: Update, doc: AnyDocument][] = [
  [{ _id: 'x' }, { $set: { a: 1 } }, { _id: 'x', a: 1 }],
  [{ _id: { $eq: 'x' } }, { $inc: { n: 2 } }, { _id: 'x', n: 2 }],
  [{ _id: 'x', k: 'v', n: 1, nothing: null }, { $inc: { n: 1 } }, { _id: 'x', k: 'v', n: 2, nothing: null }],
  [{ $and: [{ _id: 'x' }, { k: 'v' }] }, { $set: { a: 1 } }, { _id: 'x', k: 'v', a: 1 }],
  [{ _id: 'x', 'p.q': 1 }, { $set: { 'p.r': 2 } }, { _id: 'x', p: { q: 1, r: 2 } }],
  [
    { _id: 'x' },
    { $set: { a: { b: undefined } }, $setOnInsert: { c: 1, d: undefined } },
    { _id: 'x', a: {}, c: 1 },
  ],
  [{ k: 'v' }, { $setOnInsert: { _id: 'x' } }, { _id: 'x', k: 'v' }],
  [{ _id: 'x' }, { $push: { a: { $each: [1, 2, 3], $slice: -2 } } }, { _id: 'x', a: [2, 3] }],
  [{ _id: 'x' }, { $unset: { a: true } }, { _id: 'x' }],
  [{ _id: 'x', k: 'old' }, { $set: { k: 'new' } }, { _id: 'x', k: 'new' }],
  [{ _id: 'x', n: { $gt: 5, $eq: 7 }, m: { $ne: 1 } }, { $set: { a: 1 } }, { _id: 'x', n: 7, a: 1 }],
  [
    { _id: 'x', $or: [{ a: 1 }, { b: { $lt: 2 } }], c: { $in: [1, 2] } },
    { $set: { d: 1 } },
    { _id: 'x', d: 1 },
  ],
];

export function describeUpserts(context: StoreContext): void {
  describe('an upsert that finds nothing', () => {
    it.each(INSERTED)('of %j with %j inserts %j', async (filter, update, doc) => {
      const one = await context.newCollection();
      expect(await one.updateOne(filter, update, { upsert: true })).toBe(true);
      expect(await all(one)).toStrictEqual([doc]);

      const found = await context.newCollection();
      expect(await found.findOneAndUpdate(filter, update, { upsert: true })).toStrictEqual(doc);
      expect(await all(found)).toStrictEqual([doc]);

      const bulk = await context.newCollection();
      expect(await bulk.bulkUpdate([{ filter, update, upsert: true }])).toBe(1);
      expect(await all(bulk)).toStrictEqual([doc]);
    });

    it('returns null as the document before', async () => {
      const collection = await context.newCollection();
      const options = { upsert: true, returning: 'before' } as const;
      expect(await collection.findOneAndUpdate({ _id: 'x' }, { $set: { a: 1 } }, options)).toBeNull();
      expect(await collection.findOneAndUpdate({ _id: 'x' }, { $set: { a: 2 } }, options)).toEqual({
        _id: 'x',
        a: 1,
      });
    });
  });

  describe('an upsert', () => {
    const upsert = { $inc: { n: 1 }, $setOnInsert: { first: true } };

    it('updates a matching document', async () => {
      const collection = await context.newCollection();
      await collection.insertOne({ _id: 'x', n: 1 });
      expect(await collection.updateOne({ _id: 'x' }, upsert, { upsert: true })).toBe(true);
      expect(await all(collection)).toEqual([{ _id: 'x', n: 2 }]);
    });

    it("is refused if its document exists but doesn't match", async () => {
      const collection = await context.newCollection();
      await collection.insertOne({ _id: 'x', owner: 'me' });
      const filter = { _id: 'x', owner: 'you' };
      const duplicate = { code: 'DUPLICATE_KEY' };
      await expect(collection.updateOne(filter, upsert, { upsert: true })).rejects.toMatchObject(duplicate);
      await expect(collection.findOneAndUpdate(filter, upsert, { upsert: true })).rejects.toMatchObject(
        duplicate,
      );
      await expect(collection.bulkUpdate([{ filter, update: upsert, upsert: true }])).rejects.toMatchObject(
        duplicate,
      );
      expect(await all(collection)).toEqual([{ _id: 'x', owner: 'me' }]);
    });

    it('inserts once for 50 concurrent upserts, and applies all of them', async () => {
      const collection = await context.newCollection();
      await Promise.all(numbered(50).map(() => collection.updateOne({ _id: 'x' }, upsert, { upsert: true })));
      expect(await all(collection)).toEqual([{ _id: 'x', n: 50, first: true }]);
    });

    it('inserts once for 50 concurrent bulk updates', async () => {
      const collection = await context.newCollection();
      const operations = numbered(10).map(({ _id }) => ({ filter: { _id }, update: upsert, upsert: true }));
      await Promise.all(numbered(50).map(() => collection.bulkUpdate(operations)));
      expect(await all(collection)).toEqual(numbered(10, () => ({ n: 50, first: true })));
    });

    it('lets one of 50 concurrent callers claim an absent document', async () => {
      const collection = await context.newCollection();
      const claims = numbered(50).map(({ _id: owner }) =>
        collection.findOneAndUpdate(
          { _id: 'lock', until: { $lt: '2020' } },
          { $set: { owner, until: '2030' } },
          { upsert: true },
        ),
      );
      const outcomes = await Promise.allSettled(claims);
      const lost = outcomes.filter(({ status }) => status === 'rejected');
      expect(lost).toHaveLength(49);
      expect(
        lost.every((outcome) => (outcome as { reason: { code?: string } }).reason.code === 'DUPLICATE_KEY'),
      ).toBe(true);
    });
  });
}
