import type { Collection, IndexSpec } from '../../src/port/port.ts';
import { newName, numbered, type AnyDocument, type StoreContext } from './context.ts';

const duplicate = { name: 'StoreError', code: 'DUPLICATE_KEY' };

const UNIQUE: { index: IndexSpec; first: object; second: object; clash: boolean }[] = [
  { index: { keys: ['u'], unique: true }, first: { u: 'a' }, second: { u: 'a' }, clash: true },
  { index: { keys: ['u'], unique: true }, first: { u: 'a' }, second: { u: 'A' }, clash: false },
  { index: { keys: ['u'], unique: true }, first: { u: 1 }, second: { u: 1.0 }, clash: true },
  { index: { keys: ['u'], unique: true }, first: { u: '1' }, second: { u: 1 }, clash: false },
  { index: { keys: ['u'], unique: true }, first: {}, second: {}, clash: true },
  { index: { keys: ['u'], unique: true }, first: {}, second: { u: null }, clash: true },
  { index: { keys: ['u'], unique: true, sparse: true }, first: { u: 'a' }, second: { u: 'a' }, clash: true },
  { index: { keys: ['u'], unique: true, sparse: true }, first: {}, second: {}, clash: false },
  {
    index: { keys: ['u'], unique: true, sparse: true },
    first: { u: null },
    second: { u: null },
    clash: true,
  },
  {
    index: { keys: ['p.u'], unique: true, sparse: true },
    first: { p: { u: 1 } },
    second: { p: { u: 1 } },
    clash: true,
  },
  { index: { keys: ['p.u'], unique: true, sparse: true }, first: { p: {} }, second: { p: {} }, clash: false },
  { index: { keys: ['a', '-b'], unique: true }, first: { a: 1, b: 1 }, second: { a: 1, b: 1 }, clash: true },
  { index: { keys: ['a', '-b'], unique: true }, first: { a: 1, b: 1 }, second: { a: 1, b: 2 }, clash: false },
  { index: { keys: ['a', '-b'], unique: true }, first: { a: 1 }, second: { b: 1 }, clash: false },
];

export function describeIndexes(context: StoreContext): void {
  describe('a unique index', () => {
    it.each(UNIQUE)(
      '$index on $first and $second: a clash is $clash',
      async ({ index, first, second, clash }) => {
        const collection = await context.newCollection({ indexes: [index] });
        await collection.insertMany([
          { _id: 'first', ...first },
          { _id: 'other', u: 'other', p: { u: 'other' }, a: 'other' },
        ]);
        const inserted = collection.insertOne({ _id: 'second', ...second });
        if (clash) await expect(inserted).rejects.toMatchObject(duplicate);
        else await inserted;
        expect(await collection.count({})).toBe(clash ? 2 : 3);
      },
    );

    it('refuses updates to a taken value', async () => {
      const collection = await context.newCollection({ indexes: [{ keys: ['u'], unique: true }] });
      await collection.insertMany(numbered(3, (u) => ({ u })));
      const filter = { _id: 'd002' };
      const update = { $set: { u: 0, seen: true } };
      await expect(collection.updateOne(filter, update)).rejects.toMatchObject(duplicate);
      await expect(collection.findOneAndUpdate(filter, update)).rejects.toMatchObject(duplicate);
      await expect(collection.updateMany(filter, update)).rejects.toMatchObject(duplicate);
      expect(await collection.findOne(filter)).toEqual({ _id: 'd002', u: 2 });
    });

    it('frees a value when its document is deleted or updated', async () => {
      const collection = await context.newCollection({ indexes: [{ keys: ['u'], unique: true }] });
      await collection.insertMany([
        { _id: 'a', u: 1 },
        { _id: 'b', u: 2 },
      ]);
      await collection.deleteOne({ _id: 'a' });
      await collection.updateOne({ _id: 'b' }, { $set: { u: 3 } });
      await collection.insertOne({ _id: 'c', u: 1 });
      await collection.insertOne({ _id: 'd', u: 2 });
      expect(await collection.count({})).toBe(3);
    });

    it('lets one of 50 concurrent callers take a value', async () => {
      const collection = await context.newCollection({ indexes: [{ keys: ['u'], unique: true }] });
      const calls = numbered(50, () => ({ u: 'only one' })).map((doc) => collection.insertOne(doc));
      const outcomes = await Promise.allSettled(calls);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await collection.count({})).toBe(1);
    });
  });

  describe('ensureIndexes', () => {
    it('can run repeatedly and in several stores concurrently', async () => {
      const spec = {
        name: newName(),
        indexes: [
          { keys: ['u'], unique: true, sparse: true },
          { keys: ['a', '-b'] },
          { keys: ['c'], sparse: true },
        ],
        expireAt: 'expireAt',
      };
      const stores = await Promise.all(numbered(5).map(() => context.opened().another()));
      const collections = stores.map((store): Collection<AnyDocument> => store.collection(spec));
      await Promise.all(stores.map((store) => store.ensureIndexes()));
      await Promise.all(stores.map((store) => store.ensureIndexes()));

      await collections[0]?.insertOne({ _id: 'a', u: 1 });
      await expect(collections[1]?.insertOne({ _id: 'b', u: 1 })).rejects.toMatchObject(duplicate);
      await Promise.all(stores.map((store) => store.close()));
    });

    it('lets one of several stores have a key that all insert at the same time', async () => {
      const spec = { name: newName(), indexes: [{ keys: ['u'], unique: true }] };
      const stores = await Promise.all(numbered(4).map(() => context.opened().another()));
      const collections = stores.map((store): Collection<AnyDocument> => store.collection(spec));
      await stores[0]?.ensureIndexes();
      for (const { _id: u } of numbered(8)) {
        const outcomes = await Promise.allSettled(
          collections.map((collection, n) => collection.insertOne({ _id: `${u} of ${n}`, u })),
        );
        const refusals = outcomes.flatMap((outcome) =>
          outcome.status === 'rejected' ? [outcome.reason] : [],
        );
        expect(refusals).toEqual(Array.from({ length: 3 }, () => expect.objectContaining(duplicate)));
      }
      await Promise.all(stores.map((store) => store.close()));
    });

    it('indexes existing documents', async () => {
      const name = newName();
      const { store } = context.opened();
      await store.collection<AnyDocument>({ name, indexes: [] }).insertMany(numbered(10, (u) => ({ u })));
      const later = await context.opened().another();
      const collection = later.collection<AnyDocument>({ name, indexes: [{ keys: ['u'], unique: true }] });
      await later.ensureIndexes();
      await expect(collection.insertOne({ _id: 'x', u: 5 })).rejects.toMatchObject(duplicate);
      await later.close();
    });

    it('rejects if existing documents violate a unique index', async () => {
      const name = newName();
      const { store } = context.opened();
      await store.collection<AnyDocument>({ name, indexes: [] }).insertMany(numbered(10, () => ({ u: 1 })));
      const later = await context.opened().another();
      later.collection({ name, indexes: [{ keys: ['u'], unique: true }] });
      await expect(later.ensureIndexes()).rejects.toMatchObject(duplicate);
      await later.close();
    });
  });
}
