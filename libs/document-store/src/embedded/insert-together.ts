import type { Collection, StoredDocument } from '../port.ts';
import { EmbeddedCollection } from './collection.ts';

/**
 * Inserts a document in one commit with what `also` writes into the same database by its statements: all of it or nothing.
 * `also` may be run twice.
 * @throws StoreError as `insertOne`; TypeError for a collection of another engine
 */
export async function insertTogether<T extends StoredDocument>(
  collection: Pick<Collection<T>, 'insertOne'>,
  doc: T,
  also: () => void,
): Promise<void> {
  if (!(collection instanceof EmbeddedCollection))
    throw new TypeError('not a collection of an embedded store');
  await collection.insertOne(doc, also);
}
