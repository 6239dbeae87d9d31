import {
  isDuplicateKey,
  type AnyDocument,
  type Collection,
  type StoredDocument,
} from '@svcforms/document-store';

/**
 * Inserts a document unless its id is stored: a request that takes over from a crashed one uses the
 * same id, and the crashed one may have stored the document.
 * @returns the stored document; `doc` itself if this call inserted it.
 * @throws StoreError `DUPLICATE_KEY` if another unique key of it is taken.
 */
export async function insertOnce<T extends StoredDocument>(
  collection: Pick<Collection<T, AnyDocument>, 'insertOne' | 'findOne'>,
  doc: T,
): Promise<T> {
  try {
    await collection.insertOne(doc);
    return doc;
  } catch (error) {
    const stored = isDuplicateKey(error) ? await collection.findOne({ _id: doc._id }) : null;
    if (stored) return stored;
    throw error;
  }
}
