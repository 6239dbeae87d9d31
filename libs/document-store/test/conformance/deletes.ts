import { all, numbered, type StoreContext } from './context.ts';

export function describeDeletes(context: StoreContext): void {
  it('deleteOne deletes one of several documents and returns whether one matched', async () => {
    const collection = await context.newCollection();
    await collection.insertMany(numbered(3, () => ({ kind: 'k' })));
    expect(await collection.deleteOne({ kind: 'k' })).toBe(true);
    expect(await collection.count({})).toBe(2);
    expect(await collection.deleteOne({ kind: 'none' })).toBe(false);
    expect(await collection.count({})).toBe(2);
  });

  it('deleteMany deletes all matching documents and returns their number', async () => {
    const collection = await context.newCollection({ indexes: [{ keys: ['n'] }] });
    await collection.insertMany(numbered(1_000, (n) => ({ n })));
    expect(await collection.deleteMany({ n: { $gte: 450 } })).toBe(550);
    expect(await collection.count({})).toBe(450);
    expect(await collection.deleteMany({ n: 5_000 })).toBe(0);
    expect(await collection.deleteMany({})).toBe(450);
    expect(await all(collection)).toEqual([]);
  });

  it('deletes each of 100 documents while it is updated', async () => {
    const collection = await context.newCollection();
    const inserted = numbered(100, () => ({ kind: 'k' }));
    await collection.insertMany(inserted);

    const deleted = await Promise.all(
      inserted.map(async ({ _id }) => {
        const updates = numbered(3).map(({ _id: value }) =>
          collection.updateOne({ _id }, { $set: { value } }),
        );
        const isDeleted = await collection.deleteOne({ _id });
        await Promise.all(updates);
        return isDeleted;
      }),
    );

    expect(deleted.filter(Boolean)).toHaveLength(100);
    expect(await all(collection)).toEqual([]);
  });

  it('lets one of 50 concurrent callers delete a document, and frees its _id', async () => {
    const collection = await context.newCollection();
    await collection.insertOne({ _id: 'x' });
    const removed = await Promise.all(numbered(50).map(() => collection.deleteOne({ _id: 'x' })));
    expect(removed.filter(Boolean)).toHaveLength(1);
    await collection.insertOne({ _id: 'x', n: 2 });
    expect(await all(collection)).toEqual([{ _id: 'x', n: 2 }]);
  });
}
