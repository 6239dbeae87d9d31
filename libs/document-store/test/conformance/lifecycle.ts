import { all, newName, numbered, type AnyDocument, type StoreContext } from './context.ts';

export function describeLifecycle(context: StoreContext): void {
  it('responds to a ping', async () => {
    await expect(context.opened().store.ping()).resolves.toBeUndefined();
  });

  it('works without ensureIndexes, and finds nothing in an empty collection', async () => {
    const collection = context
      .opened()
      .store.collection<AnyDocument>({ name: newName(), indexes: [{ keys: ['a'] }] });
    expect(await collection.findOne({ a: 1 })).toBeNull();
    expect(await collection.count({})).toBe(0);
    expect(await collection.deleteMany({})).toBe(0);
    expect(await collection.updateMany({}, { $set: { a: 1 } })).toBe(0);
    await collection.insertOne({ _id: 'x', a: 1 });
    expect(await collection.findOne({ a: 1 })).toEqual({ _id: 'x', a: 1 });
  });

  it('returns to one store what another one wrote', async () => {
    const spec = { name: newName(), indexes: [] };
    const other = await context.opened().another();
    await context.opened().store.collection(spec).insertOne({ _id: 'x' });
    expect(await all(other.collection(spec))).toEqual([{ _id: 'x' }]);
    await other.close();
  });

  it('separates the documents of two collections', async () => {
    const [one, two] = [await context.newCollection(), await context.newCollection()];
    await one.insertOne({ _id: 'x', n: 1 });
    await two.insertOne({ _id: 'x', n: 2 });
    await one.deleteMany({});
    expect(await all(two)).toEqual([{ _id: 'x', n: 2 }]);
  });

  it('waits for accepted writes in close', async () => {
    const spec = { name: newName(), indexes: [] };
    const other = await context.opened().another();
    const collection = other.collection<AnyDocument>(spec);
    const writes = numbered(200).map((doc) => collection.insertOne(doc));
    await other.close();
    await Promise.all(writes);
    expect(await context.opened().store.collection(spec).count({})).toBe(200);
  });

  it('rejects every call after close', async () => {
    const other = await context.opened().another();
    const collection = other.collection({ name: newName(), indexes: [] });
    await other.close();
    const unavailable = { name: 'StoreError', code: 'UNAVAILABLE' };
    await expect(collection.find({})).rejects.toMatchObject(unavailable);
    await expect(collection.insertOne({ _id: 'x' })).rejects.toMatchObject(unavailable);
    await expect(collection.updateOne({}, { $set: { a: 1 } })).rejects.toMatchObject(unavailable);
    await expect(other.ping()).rejects.toMatchObject(unavailable);
    await expect(other.close()).resolves.toBeUndefined();
  });
}
