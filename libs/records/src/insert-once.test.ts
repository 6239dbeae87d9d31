import type { Collection, CollectionSpec, StoredDocument } from '@svcforms/document-store';
import { createEmbeddedStore, openEmbeddedDatabase } from '@svcforms/document-store/embedded';
import { atEnd, tempFolder, TEST_TIMEOUT_MS } from '@svcforms/test-kit';
import { join } from 'node:path';
import { insertOnce } from './insert-once.ts';

jest.setTimeout(2 * TEST_TIMEOUT_MS);

interface Thing extends StoredDocument {
  place: string;
}
const THINGS: CollectionSpec = { name: 'things', indexes: [{ keys: ['place'], unique: true }] };

describe('inserting once', () => {
  let things: Collection<Thing>;

  beforeEach(async () => {
    const database = openEmbeddedDatabase(join(tempFolder(), 'svcforms.db'));
    atEnd(() => database.close());
    const store = createEmbeddedStore(database);
    atEnd(() => store.close());
    things = store.collection(THINGS);
    await store.ensureIndexes();
  });

  it('gives the document itself when it was inserted.', async () => {
    const thing = { _id: 'a', place: '1' };
    expect(await insertOnce(things, thing)).toBe(thing);
    expect(await things.count({})).toBe(1);
  });

  it('gives what is stored where the id is taken, and changes nothing.', async () => {
    await things.insertOne({ _id: 'a', place: '1' });
    expect(await insertOnce(things, { _id: 'a', place: '2' })).toEqual({ _id: 'a', place: '1' });
    expect(await things.find({})).toEqual([{ _id: 'a', place: '1' }]);
  });

  it('rejects where another document has its place.', async () => {
    await things.insertOne({ _id: 'a', place: '1' });
    await expect(insertOnce(things, { _id: 'b', place: '1' })).rejects.toMatchObject({
      code: 'DUPLICATE_KEY',
    });
  });
});
