import type { Change } from '../language/update.ts';
import { unsupported } from '../language/path.ts';
import type { Json, StoredDocument } from '../port/port.ts';

type JsonObject = { [key: string]: Json | undefined };

/**
 * Changes a document in place.
 * @throws StoreError `UNSUPPORTED` if a field has another type than the change requires
 */
export function applyChange(doc: StoredDocument, change: Change): void {
  const root = doc as StoredDocument & JsonObject;
  for (const [path, value] of change.set) assign(root, path, value);
  for (const [path, by] of change.increment) {
    const { holder, key } = holderOf(root, path);
    const number = Object.hasOwn(holder, key) ? holder[key] : 0;
    if (typeof number !== 'number') throw unsupported(`${path}: $inc finds something other than a number`);
    holder[key] = number + by;
  }
  for (const [path, { $each, $slice }] of change.append) {
    const { holder, key } = holderOf(root, path);
    const array = Object.hasOwn(holder, key) ? holder[key] : [];
    if (!Array.isArray(array)) throw unsupported(`${path}: $push finds something other than an array`);
    const all = [...array, ...$each.map(copied)];
    holder[key] = $slice === undefined ? all : all.slice($slice);
  }
  for (const path of change.unset) remove(root, path.split('.'));
}

/** The document that an upsert inserts. */
export function documentFrom(change: Change): StoredDocument {
  const doc: StoredDocument & JsonObject = { _id: '' };
  for (const [path, value] of [...change.seed, ...change.setOnInsert]) assign(doc, path, value);
  applyChange(doc, change);
  return doc;
}

function assign(root: JsonObject, path: string, value: Json): void {
  const { holder, key } = holderOf(root, path);
  holder[key] = copied(value);
}

/** A copy without `undefined` properties, because the caller may change its own object later. */
function copied(value: Json): Json {
  return typeof value === 'object' && value !== null ? (JSON.parse(JSON.stringify(value)) as Json) : value;
}

/** The object that contains the last segment of a path as a key. Creates absent objects. */
function holderOf(root: JsonObject, path: string): { holder: JsonObject; key: string } {
  const segments = path.split('.');
  const key = segments.pop() ?? path;
  let holder = root;
  for (const segment of segments) {
    const next = Object.hasOwn(holder, segment) ? holder[segment] : (holder[segment] = {});
    if (!isObject(next)) throw unsupported(`${path}: ${segment} is something other than an object`);
    holder = next;
  }
  return { holder, key };
}

function remove(root: JsonObject, [segment = '', ...rest]: readonly string[]): void {
  const next = root[segment];
  if (rest.length === 0) delete root[segment];
  else if (isObject(next)) remove(next, rest);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
