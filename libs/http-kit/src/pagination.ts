import { isId, validationFailed, type IdPrefix } from '@svcforms/contracts';
import type { Collection, Filter, StoredDocument } from '@svcforms/document-store';

/** Documents may be large, and round trips take long. */
const SEARCHED_AT_ONCE = 250;

/** An order that a list may have. */
export interface PageOrder {
  /** What `?sort=` calls it, where a list has several: a cursor of one is refused in the others. */
  name?: string;
  /**
   * What it is sorted by, `-` before a key for descending, and by what else to tell equals apart. Every document has them: a
   * name with `At` at its end is a time, a rank is a number.
   */
  keys: readonly `${'' | '-'}${`${string}At` | 'rank' | '_id'}`[];
}

const NEWEST_FIRST: PageOrder = { keys: ['-createdAt', '-_id'] };

export interface PageRequest<T> {
  /** Of the ids in the list: a cursor of another one is refused. */
  prefix: IdPrefix;
  limit: number;
  cursor?: string | undefined;
  /** Newest first by (createdAt, id), unless given. */
  order?: PageOrder;
  /** A further condition, which the store can't express; as many documents are read as it takes to fill the page. */
  matches?: ((document: T) => boolean) | undefined;
}

/**
 * One page of a list. The cursor is opaque to clients.
 * @throws AppError `VALIDATION_FAILED` for a cursor that isn't one of ours.
 */
export async function findPage<T extends StoredDocument & { createdAt: string }>(
  collection: Pick<Collection<T>, 'find'>,
  filter: Filter,
  { prefix, limit, cursor, order = NEWEST_FIRST, matches }: PageRequest<T>,
): Promise<{ items: T[]; pagination: { nextCursor: string | null; limit: number } }> {
  const items: T[] = [];
  const wanted = limit + 1;
  const batch = matches ? Math.max(wanted, SEARCHED_AT_ONCE) : wanted;
  let after = cursor === undefined ? undefined : decodeCursor(order, prefix, cursor);
  for (;;) {
    const found = await collection.find(filter, {
      sort: order.keys,
      limit: batch,
      ...(after && { after }),
    });
    items.push(...(matches ? found.filter(matches) : found));
    const last = found.at(-1);
    if (items.length >= wanted || found.length < batch || !last) break;
    after = valuesOf(last, order);
  }
  const last = items[limit - 1];
  const nextCursor = items.length > limit && last ? encodeCursor(order, valuesOf(last, order)) : null;
  return { items: items.slice(0, limit), pagination: { nextCursor, limit } };
}

type Values = (string | number)[];

const fieldOf = (key: string) => key.replace(/^-/, '');

function valuesOf(document: object, { keys }: PageOrder): Values {
  const fields = document as Readonly<Record<string, string | number>>;
  return keys.map((key) => fields[fieldOf(key)] ?? '');
}

function encodeCursor({ name }: PageOrder, values: Values): string {
  const text = name === undefined ? values.join('|') : JSON.stringify([name, ...values]);
  return Buffer.from(text).toString('base64url');
}

function decodeCursor(order: PageOrder, prefix: IdPrefix, cursor: string): Values {
  const { name, keys } = order;
  const text = Buffer.from(cursor, 'base64url').toString();
  const isOurs = Buffer.from(text).toString('base64url') === cursor;
  const values = isOurs ? readValues(text, name) : [];
  if (values.length === keys.length && keys.every((key, n) => canBe(fieldOf(key), prefix, values[n]))) {
    return values as Values;
  }
  const list = name === undefined ? 'this list' : `this list sorted by ${name}`;
  throw validationFailed([
    { pointer: '/cursor', message: `is not a cursor of ${list}; take nextCursor from the page before` },
  ]);
}

function readValues(text: string, name: string | undefined): unknown[] {
  if (name === undefined) return text.split('|');
  const [itsName, ...values] = parseList(text);
  return itsName === name ? values : [];
}

function parseList(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function canBe(field: string, prefix: IdPrefix, value: unknown): boolean {
  if (field === 'rank') return typeof value === 'number';
  if (typeof value !== 'string') return false;
  return field === '_id' ? isId(prefix, value) : TIME.test(value) && !Number.isNaN(Date.parse(value));
}
