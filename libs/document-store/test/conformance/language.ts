import type { Collection, Filter, FindOptions, Update } from '../../src/port/port.ts';
import { all, newName, type AnyDocument, type StoreContext } from './context.ts';

const unsupported = { name: 'StoreError', code: 'UNSUPPORTED' };

// Callers can pass values that the types don't allow, so these cases are JSON values or worse.
const FILTERS: unknown[] = [
  { a: undefined },
  { a: { $eq: undefined } },
  { a: { $gt: null } },
  { a: { $gt: true } },
  { a: { $lt: Number.NaN } },
  { a: Number.POSITIVE_INFINITY },
  { a: { $in: 'abc' } },
  { a: { $in: [undefined] } },
  { a: { $in: [['x']] } },
  { a: { $exists: 1 } },
  { a: { $regex: 'x' } },
  { a: { $not: { $eq: 1 } } },
  { a: { $eq: 1, other: 2 } },
  { a: {} },
  { a: [] },
  { a: ['x'] },
  { a: { b: 'x' } },
  { a: new Date(0) },
  { $nor: [{ a: 1 }] },
  { $where: 'true' },
  { $or: [] },
  { $or: undefined },
  { $and: { a: 1 } },
  { $or: [{ a: { $near: 1 } }] },
  { '': 1 },
  { '.a': 1 },
  { 'a.': 1 },
  { 'a..b': 1 },
  { 'a.$b': 1 },
  { $a: 1 },
  { 'a.0': 1 },
  { 'a.0.b': 1 },
  { 'a"b': 1 },
  { 'a\\b': 1 },
  { 'a\0': 1 },
  { _other: 1 },
  { '_id.x': 1 },
  { 'a.__proto__': 1 },
  [{ a: 1 }],
  'a',
];

const UPDATES: unknown[] = [
  {},
  { $set: undefined },
  { a: 1 },
  { $rename: { a: 'b' } },
  { $set: { a: 1 }, b: 2 },
  { $set: { _id: 'y' } },
  { $unset: { _id: true } },
  { $inc: { _id: 1 } },
  { $set: { $a: 1 } },
  { $set: { 'a.$': 1 } },
  { $set: { 'a.$[]': 1 } },
  { $set: { 'a..b': 1 } },
  { $set: { 'a.0': 1 } },
  { $set: { '': 1 } },
  { $set: { _expireAt: 1 } },
  { $set: { '__proto__.a': 1 } },
  { $unset: { 'a.': true } },
  { $set: { a: 1 }, $inc: { a: 1 } },
  { $set: { a: 1 }, $unset: { 'a.b': true } },
  { $set: { a: 1 }, $setOnInsert: { a: 1 } },
  { $inc: { a: '1' } },
  { $inc: { a: Number.NaN } },
  { $inc: { a: undefined } },
  { $push: { a: undefined } },
  { $push: { a: { $each: 1 } } },
  { $push: { a: { $each: [1], $sort: 1 } } },
  { $push: { a: { $each: [1], $slice: 2 } } },
  { $push: { a: { $each: [1], $slice: -1.5 } } },
  { $push: { a: { $slice: -1 } } },
];

const UPSERTS: [filter: Filter, update: Update][] = [
  [{ k: 'v' }, { $set: { a: 1 } }],
  [{ _id: { $in: ['x', 'y'] } }, { $set: { a: 1 } }],
  [{ _id: { $gt: 'x' } }, { $set: { a: 1 } }],
  [{ _id: 5 }, { $set: { a: 1 } }],
  [{ $or: [{ _id: 'x' }, { _id: 'y' }] }, { $set: { a: 1 } }],
  [{ _id: 'x' }, { $setOnInsert: { _id: 'x' } }],
  [{ k: 'v' }, { $setOnInsert: { _id: 5 } }],
  [{ _id: 'x', $and: [{ _id: 'x' }] }, { $set: { a: 1 } }],
  [{ _id: 'x', $and: [{ k: 1 }, { k: 1 }] }, { $set: { a: 1 } }],
  [{ _id: 'x', p: 1, 'p.q': 1 }, { $set: { a: 1 } }],
  [{ _id: 'x', k: { $in: ['one'] } }, { $set: { a: 1 } }],
  [{ _id: 'x', $or: [{ k: 'one' }] }, { $set: { a: 1 } }],
];

const QUERIES: unknown[] = [
  { sort: [] },
  { sort: ['a', '-a'] },
  { sort: ['$a'] },
  { sort: ['-'] },
  { sort: ['a.'] },
  { limit: 0 },
  { limit: -1 },
  { limit: 1.5 },
  { after: ['x'] },
  { sort: ['a', '_id'], after: ['x'] },
  { sort: ['a'], after: ['x', 'y'] },
  { sort: ['a'], after: [null] },
  { sort: ['a'], after: [true] },
];

const DOCUMENTS: unknown[] = [
  {},
  { _id: 1 },
  { _id: null },
  { _id: 'new', $a: 1 },
  { _id: 'new', 'a.b': 1 },
  { _id: 'new', '': 1 },
  { _id: 'new', _expireAt: 1 },
  { _id: 'new', '0': 1 },
  { _id: 'new', expireAt: 'tomorrow' },
  { _id: 'new', expireAt: '2030-01-01' },
  { _id: 'new', expireAt: 1_900_000_000_000 },
];

const SPECS: unknown[] = [
  { name: '', indexes: [] },
  { name: 'system.users', indexes: [] },
  { name: 'a"b', indexes: [] },
  { name: 'c', indexes: [{ keys: [] }] },
  { name: 'c', indexes: [{ keys: ['a..b'] }] },
  { name: 'c', indexes: [{ keys: ['a', 'b'], unique: true, sparse: true }] },
  { name: 'c', indexes: [], expireAt: 'a.b' },
  { name: 'c', indexes: [], expireAt: '_id' },
];

export function describeLanguage(context: StoreContext): void {
  describe('the limits of the language', () => {
    const there = { _id: 'x', a: 'x' };
    let collection: Collection<AnyDocument>;
    beforeAll(async () => {
      collection = await context.newCollection({ expireAt: 'expireAt' });
      await collection.insertOne(there);
    });
    afterEach(async () => {
      expect(await all(collection)).toEqual([there]);
    });

    it.each(FILTERS.map((filter) => ({ filter })))(
      'refuses the filter $filter in every method',
      async ({ filter }) => {
        const bad = filter as Filter;
        const update = { $set: { a: 'changed' } };
        await expect(collection.find(bad)).rejects.toMatchObject(unsupported);
        await expect(collection.findOne(bad)).rejects.toMatchObject(unsupported);
        await expect(collection.count(bad)).rejects.toMatchObject(unsupported);
        await expect(collection.updateOne(bad, update)).rejects.toMatchObject(unsupported);
        await expect(collection.updateMany(bad, update)).rejects.toMatchObject(unsupported);
        await expect(collection.findOneAndUpdate(bad, update)).rejects.toMatchObject(unsupported);
        await expect(collection.bulkUpdate([{ filter: bad, update }])).rejects.toMatchObject(unsupported);
        await expect(collection.deleteOne(bad)).rejects.toMatchObject(unsupported);
        await expect(collection.deleteMany(bad)).rejects.toMatchObject(unsupported);
      },
    );

    it.each(UPDATES.map((update) => ({ update })))(
      'refuses the update $update in every method',
      async ({ update }) => {
        const bad = update as Update;
        await expect(collection.updateOne({}, bad)).rejects.toMatchObject(unsupported);
        await expect(collection.updateMany({}, bad)).rejects.toMatchObject(unsupported);
        await expect(collection.findOneAndUpdate({}, bad)).rejects.toMatchObject(unsupported);
        await expect(collection.bulkUpdate([{ filter: {}, update: bad }])).rejects.toMatchObject(unsupported);
      },
    );

    it.each(UPSERTS)('refuses the upsert of %j with %j', async (filter, update) => {
      await expect(collection.updateOne(filter, update, { upsert: true })).rejects.toMatchObject(unsupported);
      await expect(collection.findOneAndUpdate(filter, update, { upsert: true })).rejects.toMatchObject(
        unsupported,
      );
      await expect(collection.bulkUpdate([{ filter, update, upsert: true }])).rejects.toMatchObject(
        unsupported,
      );
    });

    it.each(QUERIES.map((options) => ({ options })))(
      'refuses the query options $options',
      async ({ options }) => {
        await expect(collection.find({}, options as FindOptions)).rejects.toMatchObject(unsupported);
      },
    );

    it.each(DOCUMENTS.map((doc) => ({ doc })))('refuses the document $doc', async ({ doc }) => {
      const bad = doc as AnyDocument;
      await expect(collection.insertOne(bad)).rejects.toMatchObject(unsupported);
      await expect(collection.insertMany([{ _id: 'fine' }, bad])).rejects.toMatchObject(unsupported);
    });

    it.each([
      { $set: { expireAt: 'tomorrow' } },
      { $set: { expireAt: 5 } },
      { $inc: { expireAt: 1 } },
      { $push: { expireAt: 1 } },
      { $set: { 'expireAt.x': 1 } },
    ])('refuses %j if the field is the time of expiry', async (update) => {
      await expect(collection.updateOne({ _id: 'x' }, update)).rejects.toMatchObject(unsupported);
    });

    it.each(SPECS.map((spec) => ({ spec })))('refuses the collection $spec', ({ spec }) => {
      const { store } = context.opened();
      expect(() => store.collection(spec as Parameters<typeof store.collection>[0])).toThrow(
        expect.objectContaining(unsupported),
      );
    });

    it('accepts every valid name', async () => {
      const own = await context.newCollection({ name: `${newName()}_x9` });
      const doc = { _id: 'x', 'a-b': 1, 'c d': 2, "it's": 3, über: 4, a1: 5, toString: 6 };
      await own.insertOne(doc);
      await own.updateOne({ "it's": 3, über: 4 }, { $set: { 'c d': { 'e-f': 1 } }, $inc: { toString: 1 } });
      expect(await all(own)).toEqual([{ ...doc, 'c d': { 'e-f': 1 }, toString: 7 }]);
    });
  });
}
