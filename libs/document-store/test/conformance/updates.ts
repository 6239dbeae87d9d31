import type { Update } from '../../src/port/port.ts';
import { all, numbered, type AnyDocument, type StoreContext } from './context.ts';

type Fields = Omit<AnyDocument, '_id'>;

const CHANGES: [title: string, before: Fields, update: Update, after: Fields][] = [
  ['sets new fields and old ones', { a: 1 }, { $set: { a: 'x', b: null } }, { a: 'x', b: null }],
  [
    'sets objects and arrays whole',
    { a: { x: 1 } },
    { $set: { a: { y: [] }, b: [1] } },
    { a: { y: [] }, b: [1] },
  ],
  ['sets within objects', { a: { x: 1 } }, { $set: { 'a.y.z': 2 } }, { a: { x: 1, y: { z: 2 } } }],
  ['makes the objects on the way', {}, { $set: { 'a.b': 1, 'a.c.d': 2 } }, { a: { b: 1, c: { d: 2 } } }],
  [
    'leaves out what is undefined',
    { a: 1 },
    { $set: { a: undefined, b: { c: undefined } } },
    { a: 1, b: {} },
  ],
  ['changes nothing by nothing', { a: 1 }, { $set: { a: undefined } }, { a: 1 }],
  ['sets a name that every object inherits', {}, { $set: { 'valueOf.x': 1 } }, { valueOf: { x: 1 } }],
  ['unsets', { a: 1, b: { c: 1, d: 2 } }, { $unset: { a: true, 'b.c': true } }, { b: { d: 2 } }],
  ['unsets what is absent', { a: 1 }, { $unset: { b: true, 'a.c': true, 'd.e': true } }, { a: 1 }],
  ['increments', { a: 1, b: { c: -1 } }, { $inc: { a: 2, 'b.c': 0.5 } }, { a: 3, b: { c: -0.5 } }],
  ['increments from zero what is absent', {}, { $inc: { a: -1, 'b.c': 2 } }, { a: -1, b: { c: 2 } }],
  ['pushes', { a: [1] }, { $push: { a: { x: [2] } } }, { a: [1, { x: [2] }] }],
  ['pushes an array as one element', { a: [] }, { $push: { a: [1, 2] } }, { a: [[1, 2]] }],
  ['pushes each', { a: [1] }, { $push: { a: { $each: [2, 'x'] } } }, { a: [1, 2, 'x'] }],
  ['makes the array', {}, { $push: { a: 1, 'b.c': { $each: [] } } }, { a: [1], b: { c: [] } }],
  ['keeps the last', { a: [1, 2, 3] }, { $push: { a: { $each: [4, 5], $slice: -3 } } }, { a: [3, 4, 5] }],
  ['keeps all of a few', { a: [1] }, { $push: { a: { $each: [2], $slice: -5 } } }, { a: [1, 2] }],
  ['keeps the last of the pushed', {}, { $push: { a: { $each: [1, 2, 3], $slice: -2 } } }, { a: [2, 3] }],
  [
    'sets nothing on insert where there is a document',
    {},
    { $setOnInsert: { a: 1 }, $set: { b: 1 } },
    { b: 1 },
  ],
  [
    'does all at once',
    { a: 1, b: 2, c: [3], d: 4 },
    { $set: { a: 'x' }, $unset: { b: true }, $push: { c: 4 }, $inc: { d: 1 }, $setOnInsert: { e: 1 } },
    { a: 'x', c: [3, 4], d: 5 },
  ],
];

const MISFITS: [title: string, update: Update][] = [
  ['increments a text', { $inc: { text: 1 } }],
  ['increments null', { $inc: { nothing: 1 } }],
  ['pushes to a text', { $push: { text: 1 } }],
  ['pushes to null', { $push: { nothing: 1 } }],
  ['sets within a text', { $set: { 'text.x': 1 } }],
  ['sets within null', { $set: { 'nothing.x': 1 } }],
  ['sets within an array', { $set: { 'array.x': 1 } }],
];

export function describeUpdates(context: StoreContext): void {
  describe('an update', () => {
    it.each(CHANGES)('%s', async (_, before, update, after) => {
      const collection = await context.newCollection();
      await collection.insertMany([{ _id: 'x', ...before }, { _id: 'y' }]);
      expect(await collection.updateOne({ _id: 'x' }, update)).toBe(true);
      expect(await all(collection)).toStrictEqual([{ _id: 'x', ...after }, { _id: 'y' }]);
    });

    it.each(MISFITS)('that %s is refused', async (_, update) => {
      const doc = { _id: 'x', text: 'a', nothing: null, array: [] };
      const collection = await context.newCollection();
      await collection.insertOne(doc);
      const unsupported = { name: 'StoreError', code: 'UNSUPPORTED' };
      await expect(collection.updateOne({ _id: 'x' }, update)).rejects.toMatchObject(unsupported);
      await expect(collection.findOneAndUpdate({ _id: 'x' }, update)).rejects.toMatchObject(unsupported);
      await expect(collection.updateMany({}, update)).rejects.toMatchObject(unsupported);
      await expect(collection.bulkUpdate([{ filter: {}, update }])).rejects.toMatchObject(unsupported);
      expect(await all(collection)).toEqual([doc]);
    });
  });

  it('refuses an update that would make a document larger than 16 MB', async () => {
    const collection = await context.newCollection();
    await collection.insertOne({ _id: 'x', parts: ['x'.repeat(9 * 1024 ** 2)] });
    const update = { $push: { parts: 'y'.repeat(9 * 1024 ** 2) } };
    await expect(collection.updateOne({ _id: 'x' }, update)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    expect(await collection.findOne({ _id: 'x' })).toMatchObject({ parts: [expect.any(String)] });
  });

  describe('updateOne', () => {
    it('changes one of several documents, and returns whether one matched', async () => {
      const collection = await context.newCollection();
      await collection.insertMany(numbered(5, () => ({ kind: 'k' })));
      expect(await collection.updateOne({ kind: 'k' }, { $set: { seen: true } })).toBe(true);
      expect(await collection.count({ seen: true })).toBe(1);
      expect(await collection.updateOne({ kind: 'none' }, { $set: { seen: true } })).toBe(false);
      expect(await collection.count({ seen: true })).toBe(1);
    });

    it('returns true for a match even if nothing changes', async () => {
      const collection = await context.newCollection();
      await collection.insertOne({ _id: 'x', a: 1 });
      expect(await collection.updateOne({ _id: 'x' }, { $set: { a: 1 } })).toBe(true);
    });

    it('applies each of many concurrent increments', async () => {
      const collection = await context.newCollection();
      await collection.insertOne({ _id: 'x', log: [] });
      const calls = numbered(50).map(({ _id }) =>
        collection.updateOne({ _id: 'x' }, { $inc: { n: 1 }, $push: { log: _id } }),
      );
      expect(await Promise.all(calls)).toEqual(Array(50).fill(true));
      const [doc] = await all(collection);
      expect(doc).toEqual({
        _id: 'x',
        n: 50,
        log: expect.arrayContaining(numbered(50).map(({ _id }) => _id)) as string[],
      });
      expect(doc?.['log']).toHaveLength(50);
    });
  });

  describe('updateMany', () => {
    it('changes all matching documents and returns their number', async () => {
      const collection = await context.newCollection({ indexes: [{ keys: ['n'] }] });
      await collection.insertMany(numbered(1_000, (n) => ({ n })));
      expect(
        await collection.updateMany({ n: { $gte: 450 } }, { $inc: { n: 1_000 }, $set: { seen: true } }),
      ).toBe(550);
      expect(await collection.count({ seen: true, n: { $gte: 1_450 } })).toBe(550);
      expect(await collection.count({ n: { $lt: 450 } })).toBe(450);
    });

    it('returns 0 if nothing matches', async () => {
      const collection = await context.newCollection();
      expect(await collection.updateMany({ n: 1 }, { $set: { n: 2 } })).toBe(0);
    });
  });

  describe('findOneAndUpdate', () => {
    it('returns the document after or before the update', async () => {
      const collection = await context.newCollection();
      await collection.insertOne({ _id: 'x', n: 1 });
      const increment = { $inc: { n: 1 } };
      expect(await collection.findOneAndUpdate({ _id: 'x' }, increment)).toEqual({ _id: 'x', n: 2 });
      expect(await collection.findOneAndUpdate({ _id: 'x' }, increment, { returning: 'after' })).toEqual({
        _id: 'x',
        n: 3,
      });
      expect(await collection.findOneAndUpdate({ _id: 'x' }, increment, { returning: 'before' })).toEqual({
        _id: 'x',
        n: 3,
      });
      expect(await collection.findOneAndUpdate({ _id: 'none' }, increment)).toBeNull();
      expect(await all(collection)).toEqual([{ _id: 'x', n: 4 }]);
    });

    it('changes the first document of the order', async () => {
      const collection = await context.newCollection({ indexes: [{ keys: ['n'] }] });
      await collection.insertMany(numbered(5, (i) => ({ n: (i * 3) % 5 })));
      const take = (sort: string[]) =>
        collection.findOneAndUpdate({ taken: null }, { $set: { taken: true } }, { sort });
      expect(await take(['n'])).toMatchObject({ n: 0 });
      expect(await take(['-n'])).toMatchObject({ n: 4 });
      expect(await take(['n'])).toMatchObject({ n: 1 });
    });

    it('returns one document to one of 50 concurrent callers', async () => {
      const collection = await context.newCollection();
      await collection.insertOne({ _id: 'x', owner: null });
      const claims = numbered(50).map(({ _id: owner }) =>
        collection.findOneAndUpdate({ _id: 'x', owner: null }, { $set: { owner } }),
      );
      const won = (await Promise.all(claims)).filter((doc) => doc !== null);
      expect(won).toHaveLength(1);
      expect(await all(collection)).toEqual(won);
    });

    it('returns each of 20 documents to one of 50 concurrent callers', async () => {
      const collection = await context.newCollection({ indexes: [{ keys: ['status', '_id'] }] });
      await collection.insertMany(numbered(20, () => ({ status: 'free' })));
      const claims = numbered(50).map(() =>
        collection.findOneAndUpdate({ status: 'free' }, { $set: { status: 'taken' } }, { sort: ['_id'] }),
      );
      const won = (await Promise.all(claims)).flatMap((doc) => (doc ? [doc._id] : []));
      expect(won.sort()).toEqual(numbered(20).map(({ _id }) => _id));
    });

    it('returns a copy that no later change affects', async () => {
      const collection = await context.newCollection();
      const kept = { deep: [1] };
      await collection.insertOne({ _id: 'x' });
      const doc = await collection.findOneAndUpdate({ _id: 'x' }, { $set: { kept } });
      kept.deep.push(2);
      expect(doc).toEqual({ _id: 'x', kept: { deep: [1] } });
      expect(await all(collection)).toEqual([{ _id: 'x', kept: { deep: [1] } }]);
    });
  });

  describe('bulkUpdate', () => {
    it('applies different updates and returns the number of matches', async () => {
      const collection = await context.newCollection();
      await collection.insertMany(numbered(3, (n) => ({ n })));
      const matched = await collection.bulkUpdate([
        { filter: { _id: 'd000' }, update: { $set: { a: 1 } } },
        { filter: { _id: 'none' }, update: { $set: { a: 1 } } },
        { filter: { n: 2 }, update: { $inc: { n: 5 } } },
        { filter: { _id: 'd000' }, update: { $inc: { n: 1 } } },
        { filter: { _id: 'new' }, update: { $set: { b: 1 } }, upsert: true },
      ]);
      expect(matched).toBe(4);
      expect(await all(collection)).toEqual([
        { _id: 'd000', n: 1, a: 1 },
        { _id: 'd001', n: 1 },
        { _id: 'd002', n: 7 },
        { _id: 'new', b: 1 },
      ]);
    });

    it('changes one document per operation', async () => {
      const collection = await context.newCollection();
      await collection.insertMany(numbered(5));
      expect(await collection.bulkUpdate([{ filter: {}, update: { $set: { seen: true } } }])).toBe(1);
      expect(await collection.count({ seen: true })).toBe(1);
    });

    it('applies thousands of updates, and none', async () => {
      const collection = await context.newCollection();
      const docs = numbered(2_500);
      await collection.insertMany(docs);
      const updates = docs.map(({ _id }) => ({ filter: { _id }, update: { $set: { seen: true } } }));
      expect(await collection.bulkUpdate(updates)).toBe(2_500);
      expect(await collection.count({ seen: true })).toBe(2_500);
      expect(await collection.bulkUpdate([])).toBe(0);
    });

    it('applies the other updates if one is refused, and then rejects', async () => {
      const collection = await context.newCollection({
        indexes: [{ keys: ['u'], unique: true, sparse: true }],
      });
      await collection.insertMany([{ _id: 'a', u: 1 }, { _id: 'b' }, { _id: 'c' }]);
      const calls = collection.bulkUpdate([
        { filter: { _id: 'b' }, update: { $set: { u: 1 } } },
        { filter: { _id: 'c' }, update: { $set: { u: 2 } } },
      ]);
      await expect(calls).rejects.toMatchObject({ code: 'DUPLICATE_KEY' });
      expect(await all(collection)).toEqual([{ _id: 'a', u: 1 }, { _id: 'b' }, { _id: 'c', u: 2 }]);
    });

    it('makes no call wait for another one with the same documents in another order', async () => {
      const collection = await context.newCollection();
      const operations = numbered(100).map(({ _id }) => ({
        filter: { _id },
        update: { $inc: { n: 1 } },
        upsert: true,
      }));
      for (let round = 0; round < 20; round += 1)
        await Promise.all([operations, operations.toReversed()].map((each) => collection.bulkUpdate(each)));
      expect(await all(collection)).toEqual(numbered(100, () => ({ n: 40 })));
      // A server that has to end such a wait does so after a second, in most rounds.
    }, 15_000);

    it('applies the other updates if one is refused while another call changes the same documents', async () => {
      const collection = await context.newCollection({
        indexes: [{ keys: ['u'], unique: true, sparse: true }, { keys: ['key'] }],
      });
      const docs = numbered(6).map(({ _id }) => ({ _id, key: _id }));
      await collection.insertMany([...docs, { _id: 'holder', u: 1 }]);
      const operations = (refused: string) =>
        docs.map(({ _id, key }) => ({
          filter: { key },
          update: { $inc: { n: 1 }, $set: { u: _id === refused ? 1 : undefined } },
        }));
      // The reverse order makes the calls wait for each other on servers that lock documents.
      const outcomes = await Promise.allSettled([
        collection.bulkUpdate(operations('d001')),
        collection.bulkUpdate(operations('d004').toReversed()),
      ]);
      const duplicate = { status: 'rejected', reason: { code: 'DUPLICATE_KEY' } };
      expect(outcomes).toMatchObject([duplicate, duplicate]);
      expect(await all(collection)).toEqual([
        ...docs.map((doc) => ({ ...doc, n: ['d001', 'd004'].includes(doc._id) ? 1 : 2 })),
        { _id: 'holder', u: 1 },
      ]);
    });
  });
}
