import type { Collection, CollectionSpec, StoredDocument } from '@svcforms/document-store';
import { openTestStore } from '@svcforms/document-store/testing';
import { TEST_TIMEOUT_MS } from '@svcforms/test-kit';
import { insertOnce } from './insert-once.ts';

jest.setTimeout(2 * TEST_TIMEOUT_MS);

interface Thing extends StoredDocument {
  slot: string;
}
const THINGS: CollectionSpec<Thing> = { name: 'things', indexes: [{ keys: ['slot'], unique: true }] };

describe('insertOnce', () => {
  let things: Collection<Thing>;

  beforeEach(async () => {
    const store = openTestStore();
    things = store.collection(THINGS);
    await store.ensureIndexes();
  });

  it('returns the document itself after inserting it', async () => {
    const thing = { _id: 'a', slot: '1' };
    expect(await insertOnce(things, thing)).toBe(thing);
    expect(await things.count({})).toBe(1);
  });

  it('returns the stored document if the id is taken, and changes nothing', async () => {
    await things.insertOne({ _id: 'a', slot: '1' });
    expect(await insertOnce(things, { _id: 'a', slot: '2' })).toEqual({ _id: 'a', slot: '1' });
    expect(await things.find({})).toEqual([{ _id: 'a', slot: '1' }]);
  });

  it('rejects if another unique key is taken', async () => {
    await things.insertOne({ _id: 'a', slot: '1' });
    await expect(insertOnce(things, { _id: 'b', slot: '1' })).rejects.toMatchObject({
      code: 'DUPLICATE_KEY',
    });
  });
});
