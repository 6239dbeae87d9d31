import type { AnyDocument, Collection, StoredDocument } from '@svcforms/document-store';

/**
 * Finds the documents with these ids. Doesn't read without ids.
 *
 * @returns the documents that exist, by id
 */
export async function findById<T extends StoredDocument>(
  collection: Pick<Collection<T, AnyDocument>, 'find'>,
  ids: readonly string[],
): Promise<Map<string, T>> {
  if (ids.length === 0) return new Map();
  const found = await collection.find({ _id: { $in: ids } });
  return new Map(found.map((document) => [document._id, document]));
}
