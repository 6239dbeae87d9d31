import type { UpdateFilter } from 'mongodb';
import type { Change } from '../language/update.ts';
import type { StoredDocument } from '../port/port.ts';

/**
 * MongoDB expires documents by a date, but times of the port are text. So documents of a collection
 * with `expireAt` also have this field, which the adapter hides.
 */
export const EXPIRY_FIELD = '_expireAt';

export type MongoDocument = StoredDocument & { [field: string]: unknown };

export function withExpiry(doc: StoredDocument, expireAt: string | undefined): MongoDocument {
  const time = expireAt === undefined ? undefined : (doc as MongoDocument)[expireAt];
  return typeof time === 'string' ? { ...doc, [EXPIRY_FIELD]: new Date(time) } : (doc as MongoDocument);
}

export function withoutExpiry(doc: MongoDocument): MongoDocument {
  delete doc[EXPIRY_FIELD];
  return doc;
}

type Assignments = Record<string, unknown>;

/** Converts a checked update to MongoDB's. The hidden date follows its field. */
export function mongoUpdate(change: Change, expireAt: string | undefined): UpdateFilter<MongoDocument> {
  const set: Assignments = Object.fromEntries(change.set);
  const unset = Object.fromEntries(change.unset.map((path) => [path, true as const]));
  const setOnInsert: Assignments = Object.fromEntries(change.setOnInsert);
  if (expireAt !== undefined) {
    const written = change.set.find(([path]) => path === expireAt);
    const seeded = [...change.setOnInsert, ...change.seed].find(([path]) => path === expireAt);
    if (typeof written?.[1] === 'string') set[EXPIRY_FIELD] = new Date(written[1]);
    else if (written || expireAt in unset) unset[EXPIRY_FIELD] = true;
    else if (typeof seeded?.[1] === 'string') setOnInsert[EXPIRY_FIELD] = new Date(seeded[1]);
  }
  const operators = {
    $set: set,
    $unset: unset,
    $inc: Object.fromEntries(change.increment),
    $push: Object.fromEntries(change.append),
    $setOnInsert: setOnInsert,
  };
  const used = Object.entries(operators).filter(([, values]) => Object.keys(values).length > 0);
  // An update with only undefined values must still match documents.
  return used.length > 0 ? Object.fromEntries(used) : { $set: {} };
}
