import type { CommandOperationOptions, Db, IndexDescription } from 'mongodb';
import { parseSortKeys } from '../language/path.ts';
import type { CollectionSpec, IndexSpec } from '../port/port.ts';
import { mongoSort } from './collection.ts';
import { EXPIRY_FIELD } from './expiry.ts';
import { isMissingIndex } from './mongo-error.ts';

/**
 * The server sends nothing while it builds an index, which takes minutes in a large collection, or
 * while dropping one waits for others to end. The driver passes the timeout on, although its types
 * don't have it. If the server is lost meanwhile, the driver's monitoring ends the call.
 */
const PATIENT = { socketTimeoutMS: 0 } as CommandOperationOptions;

/**
 * Creates the missing indexes of a collection, then drops those that earlier versions had in their
 * place.
 */
export async function ensureIndexes(db: Db, spec: CollectionSpec): Promise<void> {
  const indexes = indexesOf(spec);
  if (indexes.length === 0) return;
  const collection = db.collection(spec.name);
  await collection.createIndexes(indexes, PATIENT);
  const replaced = spec.indexes.filter(({ unique, sparse }) => sparse && !unique).map(earlierName);
  if (replaced.length === 0) return;
  for (const { name } of await collection.indexes()) {
    if (name !== undefined && replaced.includes(name)) await dropIndex(db, spec.name, name);
  }
}

/** Another process may drop it at the same moment. */
async function dropIndex(db: Db, collection: string, name: string): Promise<void> {
  try {
    await db.collection(collection).dropIndex(name, PATIENT);
  } catch (error) {
    if (!isMissingIndex(error)) throw error;
  }
}

function indexesOf({ indexes, expireAt }: CollectionSpec): IndexDescription[] {
  const expiry = { name: EXPIRY_FIELD, key: { [EXPIRY_FIELD]: 1 }, expireAfterSeconds: 0 } as const;
  return [...indexes.map(indexFrom), ...(expireAt === undefined ? [] : [expiry])];
}

/**
 * A sparse index becomes a partial one, because DocumentDB visits each sparse index at each write,
 * even if it doesn't contain the document. docs/adr/0094-partial-indexes.md
 */
function indexFrom(index: IndexSpec): IndexDescription {
  const { keys, unique = false, sparse = false } = index;
  const parsed = parseSortKeys(keys);
  const present = Object.fromEntries(parsed.map(({ path }) => [path, { $exists: true }]));
  return {
    name: sparse && !unique ? [...keys, 'partial'].join('_') : earlierName(index),
    key: mongoSort(parsed),
    ...(unique ? { unique } : {}),
    ...(sparse ? { partialFilterExpression: present } : {}),
  };
}

/** The name until sparse indexes became partial. Unique ones already were, so they keep it. */
function earlierName({ keys, unique = false, sparse = false }: IndexSpec): string {
  return [...keys, ...(unique ? ['unique'] : []), ...(sparse ? ['sparse'] : [])].join('_');
}
