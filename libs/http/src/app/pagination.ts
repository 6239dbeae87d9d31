import { isId, validationFailed, type IdPrefix } from '@svcforms/contracts';
import type { AnyDocument, Collection, Filter, StoredDocument } from '@svcforms/document-store';
import { rowsThatFit } from '@svcforms/primitives';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * The budget of one search request. The embedded store reads on the process's only thread; a client
 * that wants more continues with the cursor.
 */
const SEARCH_ROWS = 5_000;
const SEARCH_MS = 500;

/** The limits of one batch: the number of documents, and roughly their characters. */
const FIRST_BATCH = 8;
/** Without a search, two batches hold a page of 25 small documents and the one after it. */
const FIRST_BATCH_OF_LIST = 9;
const MAX_BATCH = 200;
const BATCH_CHARACTERS = 1024 * 1024;

/** Roughly the most characters of a page with several items. docs/reference/api.md#pagination */
const PAGE_CHARACTERS = 8 * 1024 * 1024;

/** A sort order of a list. */
export interface PageOrder {
  /**
   * The value of `?sort=`, on lists with several orders. A cursor of one order is rejected in the
   * others.
   */
  name?: string;
  /**
   * The sort keys, with `-` for descending. The last key makes the order total. Every document has
   * them: a name that ends in `At` is a time, one that ends in `Key` is text, a rank is a number.
   */
  keys: readonly `${'' | '-'}${`${string}At` | `${string}Key` | 'rank' | '_id'}`[];
}

const NEWEST_FIRST: PageOrder = { keys: ['-createdAt', '-_id'] };

export interface PageRequest<T> {
  /** The prefix of the ids in the list. A cursor of another list is rejected. */
  prefix: IdPrefix;
  limit: number;
  cursor?: string | undefined;
  /** Default: newest first, by (createdAt, id). */
  order?: PageOrder;
  /**
   * A condition that the store can't express. Documents are read until the page is full or the
   * budget is used up; such a page has fewer items, possibly none, and a cursor.
   */
  matches?: ((document: T) => boolean) | undefined;
  /**
   * The approximate number of characters of a document, where they can be large. A page of large
   * ones has fewer items.
   */
  sizeOf?: (document: T) => number;
  /** Ends the search when the client disconnects. */
  signal?: AbortSignal;
}

/**
 * Returns one page of a list. The cursor is opaque to clients. docs/reference/api.md#pagination
 * @throws AppError `VALIDATION_FAILED` for an invalid cursor
 */
export async function findPage<T extends StoredDocument & { createdAt: string }>(
  collection: Pick<Collection<T, AnyDocument>, 'find'>,
  filter: Filter<T>,
  request: PageRequest<T>,
): Promise<{ items: T[]; pagination: { nextCursor: string | null; limit: number } }> {
  const { prefix, limit, cursor, order = NEWEST_FIRST } = request;
  const after = cursor === undefined ? undefined : decodeCursor(order, prefix, cursor);
  const read = (count: number, from: Values | undefined) =>
    collection.find(filter, { sort: order.keys, limit: count, ...(from && { after: from }) });
  const { items, readTo } =
    request.matches || request.sizeOf
      ? await readBatches(read, after, { ...request, order })
      : { items: await read(limit + 1, after), readTo: undefined };
  const last = items.length > limit ? items[limit - 1] : readTo;
  const nextCursor = last ? encodeCursor(order, valuesOf(last, order)) : null;
  return { items: items.slice(0, limit), pagination: { nextCursor, limit } };
}

/**
 * Finds up to one item more than a page holds. `readTo` is the last document read, if more may
 * follow.
 */
async function readBatches<T extends StoredDocument>(
  read: (count: number, after: Values | undefined) => Promise<T[]>,
  start: Values | undefined,
  { limit, order, matches, sizeOf = () => 0, signal }: PageRequest<T> & { order: PageOrder },
): Promise<{ items: T[]; readTo: T | undefined }> {
  const startedAt = performance.now();
  const items: T[] = [];
  let after = start;
  let readTo: T | undefined;
  let rows = 0;
  let characters = 0;
  /** The most that the next batch may have. */
  const rest = () => (matches ? SEARCH_ROWS - rows : limit + 1 - items.length);
  let count = matches ? FIRST_BATCH : Math.min(FIRST_BATCH_OF_LIST, rest());
  for (;;) {
    const found = await read(count, after);
    rows += found.length;
    for (const [index, document] of found.entries()) {
      if (matches && !matches(document)) continue;
      characters += sizeOf(document);
      // A page has at least one item, however large it is.
      if (characters > PAGE_CHARACTERS && items.length > 0)
        return { items, readTo: found[index - 1] ?? readTo };
      items.push(document);
    }
    readTo = found.at(-1);
    if (!readTo || found.length < count || items.length > limit) return { items, readTo: undefined };
    const isOverTime = matches && performance.now() - startedAt >= SEARCH_MS;
    if (isOverTime || rest() <= 0 || signal?.aborted) return { items, readTo };
    after = valuesOf(readTo, order);
    count = Math.min(
      rest(),
      rowsThatFit(found, sizeOf, { maxRows: MAX_BATCH, maxCharacters: BATCH_CHARACTERS }),
    );
    // The embedded store reads without waiting, so other requests run only in between.
    await nextTurn();
  }
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
    { pointer: '/cursor', message: `is not a cursor of ${list}; use nextCursor of the previous page` },
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
  // JSON can have a number like 1e400, which is read as Infinity.
  if (field === 'rank') return Number.isFinite(value);
  if (typeof value !== 'string') return false;
  if (field.endsWith('Key')) return true;
  return field === '_id' ? isId(prefix, value) : TIME.test(value) && !Number.isNaN(Date.parse(value));
}
