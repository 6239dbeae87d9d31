import { openTestStore } from '../../test/testing.ts';
import { createCachedFinder, createFinder } from './finders.ts';
import type { CollectionSpec, StoredDocument } from './port.ts';
import { readOnlyStore } from './read-only.ts';

interface Door extends StoredDocument {
  isOpen: boolean;
}
const DOORS: CollectionSpec<Door> = { name: 'doors', indexes: [{ keys: ['isOpen'] }] };
const REFUSED = { code: 'UNSUPPORTED', message: "doors can't be changed through a read-only store" };

describe('a read-only handle on a store', () => {
  const store = openTestStore();
  const doors = readOnlyStore(store).collection<Door>(DOORS);

  beforeAll(() => store.collection<Door>(DOORS).insertOne({ _id: 'front', isOpen: true }));

  it('reads', async () => {
    expect(await doors.find({ isOpen: true })).toHaveLength(1);
    expect(await doors.findOne({ _id: 'front' })).toEqual({ _id: 'front', isOpen: true });
    expect(await doors.count({})).toBe(1);
    expect(await createFinder(doors, '_id')('front')).toMatchObject({ isOpen: true });
    expect(await createCachedFinder(doors, '_id')('front')).toMatchObject({ isOpen: true });
    await readOnlyStore(store).ping();
  });

  it.each<[string, () => Promise<unknown>]>([
    ['insertOne', () => doors.insertOne({ _id: 'back', isOpen: false })],
    ['insertMany', () => doors.insertMany([{ _id: 'back', isOpen: false }])],
    ['updateOne', () => doors.updateOne({ _id: 'front' }, { $set: { isOpen: false } })],
    ['updateMany', () => doors.updateMany({}, { $set: { isOpen: false } })],
    ['findOneAndUpdate', () => doors.findOneAndUpdate({ _id: 'front' }, { $set: { isOpen: false } })],
    ['bulkUpdate', () => doors.bulkUpdate([{ filter: {}, update: { $set: { isOpen: false } } }])],
    ['deleteOne', () => doors.deleteOne({ _id: 'front' })],
    ['deleteMany', () => doors.deleteMany({})],
  ])('refuses %s', async (_, write) => {
    await expect(write()).rejects.toMatchObject(REFUSED);
    expect(await store.collection<Door>(DOORS).find({})).toEqual([{ _id: 'front', isOpen: true }]);
  });

  it('creates no indexes', async () => {
    await readOnlyStore({
      ...store,
      ensureIndexes: () => Promise.reject(new Error('the user may not create indexes')),
    }).ensureIndexes();
  });
});
