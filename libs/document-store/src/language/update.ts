import type { CollectionSpec, Json, Scalar, Update } from '../port/port.ts';
import { checkExpiry } from './document.ts';
import type { Condition } from './filter.ts';
import { checkPath, unsupported } from './path.ts';

/** A checked update without undefined values. */
export interface Change {
  set: readonly Assignment[];
  unset: readonly string[];
  increment: readonly (readonly [path: string, by: number])[];
  append: readonly (readonly [path: string, elements: Elements])[];
  /** Applies only to the insert of an upsert. */
  setOnInsert: readonly Assignment[];
  /** The equalities in the filter of an upsert, with which an inserted document starts. */
  seed: readonly Assignment[];
}

type Assignment = readonly [path: string, value: Json];

interface Elements {
  $each: Json[];
  $slice?: number;
}

type ExpirySpec = Pick<CollectionSpec, 'expireAt'>;

const OPERATORS = ['$set', '$unset', '$inc', '$push', '$setOnInsert'];

/** @throws StoreError `UNSUPPORTED` */
export function parseUpdate(update: Update, { expireAt }: ExpirySpec): Change {
  const operators = Object.keys(update).filter((operator) => update[operator as keyof Update] !== undefined);
  const unknown = operators.find((operator) => !OPERATORS.includes(operator));
  if (unknown !== undefined) throw unsupported(`an update has no operator ${unknown}`);
  if (operators.length === 0) throw unsupported('an update needs an operator');

  const change: Change = {
    set: defined(update.$set),
    unset: Object.keys(update.$unset ?? {}),
    increment: Object.entries(update.$inc ?? {}),
    append: Object.entries(update.$push ?? {}).map(
      ([path, value]) => [path, parseElements(path, value)] as const,
    ),
    setOnInsert: defined(update.$setOnInsert),
    seed: [],
  };
  const notNumber = change.increment.find(([, by]) => !Number.isFinite(by));
  if (notNumber) throw unsupported(`${notNumber[0]}: $inc takes a number`);

  const computed = [...change.increment, ...change.append].map(([path]) => path);
  const changed = [...change.set.map(([path]) => path), ...change.unset, ...computed];
  checkPaths([...changed, ...change.setOnInsert.map(([path]) => path)]);
  if (changed.includes('_id')) throw unsupported("an update can't change the _id of a document");
  if (expireAt !== undefined) {
    const within = changed.some((path) => path.startsWith(`${expireAt}.`));
    if (within || computed.includes(expireAt))
      throw unsupported(`${expireAt} is the time of expiry: an update can only set or unset it`);
    for (const [path, value] of [...change.set, ...change.setOnInsert]) {
      if (path === expireAt) checkExpiry(expireAt, value);
    }
  }
  return change;
}

function defined(values: Record<string, Json | undefined> = {}): Assignment[] {
  return Object.entries(values).flatMap(([path, value]) =>
    value === undefined ? [] : [[path, value] as const],
  );
}

function parseElements(path: string, value: Json | Elements): Elements {
  if (value === undefined) throw unsupported(`${path}: $push takes a value`);
  const modifiers = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  if (!Object.keys(modifiers).some((key) => key.startsWith('$'))) return { $each: [value as Json] };
  const { $each, $slice, ...others } = modifiers;
  const keepsLast = $slice === undefined || (Number.isSafeInteger($slice) && Number($slice) < 0);
  if (!Array.isArray($each) || !keepsLast || Object.keys(others).length > 0) {
    throw unsupported(`${path}: $push takes a value, or $each with an optional negative $slice`);
  }
  return { $each, ...($slice === undefined ? {} : { $slice: Number($slice) }) };
}

/** No field may be changed twice, either itself or within another changed field. */
function checkPaths(paths: readonly string[]): void {
  paths.forEach(checkPath);
  const all = new Set(paths);
  const within = (path: string) =>
    path.split('.').some((_, i, segments) => i > 0 && all.has(segments.slice(0, i).join('.')));
  if (all.size < paths.length || paths.some(within)) throw unsupported('an update changes a field twice');
}

/**
 * An update that inserts a document if none matches.
 * @throws StoreError `UNSUPPORTED`, including when the upsert doesn't determine the `_id`
 */
export function parseUpsert(condition: Condition, update: Update, spec: ExpirySpec): Change {
  const change = parseUpdate(update, spec);
  const seed = equalities(condition);
  checkPaths(seed.map(([path]) => path));
  const ids = [...seed, ...change.setOnInsert].filter(([path]) => path === '_id');
  if (ids.length !== 1 || typeof ids[0]?.[1] !== 'string') {
    throw unsupported('an upsert states its _id once: in its filter or in $setOnInsert');
  }
  for (const [path, value] of seed) if (path === spec.expireAt) checkExpiry(path, value);
  return { ...change, seed };
}

/**
 * Backends differ in whether a single alternative counts as an equality, so an upsert can't use
 * one.
 */
function equalities(condition: Condition): [path: string, value: Scalar][] {
  if (condition.kind === 'field') {
    const { $eq, $in } = condition.comparison;
    if ($in && new Set($in).size === 1)
      throw unsupported("the filter of an upsert can't use $in with one value; use an equality");
    return $eq === undefined ? [] : [[condition.path, $eq]];
  }
  if (condition.kind === 'all') return condition.conditions.flatMap(equalities);
  if (condition.conditions.length === 1)
    throw unsupported("the filter of an upsert can't use $or with one filter; omit the $or");
  return [];
}
