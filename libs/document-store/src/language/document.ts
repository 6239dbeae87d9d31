import type { CollectionSpec, Json, StoredDocument } from '../port/port.ts';
import { checkPath, parseSortKeys, unsupported } from './path.ts';

/** @throws StoreError `UNSUPPORTED` */
export function checkSpec({ name, indexes, expireAt }: CollectionSpec): void {
  if (!/^[a-z]\w{0,59}$/i.test(name)) throw unsupported(`not a collection name: ${JSON.stringify(name)}`);
  for (const { keys, sparse, unique } of indexes) {
    parseSortKeys(keys);
    if (sparse && unique && keys.length > 1)
      throw unsupported(`${name}: a sparse unique index must have a single key`);
  }
  if (expireAt === undefined) return;
  checkPath(expireAt);
  if (expireAt === '_id' || expireAt.includes('.'))
    throw unsupported(`${name}: expireAt must be a top-level field`);
}

/**
 * Checks the top level only. Nested values are JSON by their type, and the caller is responsible
 * for their keys.
 * @throws StoreError `UNSUPPORTED`
 */
export function checkDocument(doc: StoredDocument, { expireAt }: CollectionSpec): void {
  if (typeof doc._id !== 'string') throw unsupported('the _id of a document must be a string');
  for (const key in doc) {
    if (key.includes('.')) throw unsupported(`not a field name: ${JSON.stringify(key)}`);
    checkPath(key);
  }
  if (expireAt !== undefined)
    checkExpiry(expireAt, (doc as StoredDocument & Record<string, Json | undefined>)[expireAt]);
}

/**
 * A document without a time of expiry, or with `null`, never expires. @throws StoreError
 * `UNSUPPORTED`
 */
export function checkExpiry(path: string, value: Json | undefined): void {
  if (value === undefined || value === null) return;
  const isTime =
    typeof value === 'string' && !Number.isNaN(Date.parse(value)) && value === new Date(value).toISOString();
  if (!isTime) throw unsupported(`${path} must be a time in ISO 8601 with milliseconds in UTC, or null`);
}
