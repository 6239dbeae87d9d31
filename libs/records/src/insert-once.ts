import {
  isDuplicateKey,
  type AnyDocument,
  type Collection,
  type StoredDocument,
} from '@svcforms/document-store';

/**
 * Inserts a document, unless it is there under its id already: a request that takes over from one which got no answer makes
 * its document under the same id, and that one may have stored it.
 * @returns what is stored: `doc` itself when this call inserted it.
 * @throws StoreError `DUPLICATE_KEY` where another unique key of it is taken.
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
