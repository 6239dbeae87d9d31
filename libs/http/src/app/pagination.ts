import { isId, validationFailed, type IdPrefix } from '@svcforms/contracts';
import type { AnyDocument, Collection, Filter, StoredDocument } from '@svcforms/document-store';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * What one request may search through: the store reads on the process's only thread, and a client that wants more goes on with
 * the cursor.
 */
const SEARCH_ROWS = 5_000;
const SEARCH_MS = 500;

/** Documents that are read and looked through at once: so many, and about so many characters. */
const FIRST_BATCH = 8;
const MAX_BATCH = 200;
const BATCH_CHARACTERS = 1024 * 1024;

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
  /**
   * A further condition, which the store can't express. Documents are read until the page is full or the budget of a request is
   * used up: such a page has fewer items, maybe none, and a cursor.
   */
  matches?: ((document: T) => boolean) | undefined;
  /** About how many characters a document has, where that differs much. */
  sizeOf?: (document: T) => number;
  /** Ends the search when nobody waits for it any more. */
  signal?: AbortSignal;
}

/**
 * One page of a list. The cursor is opaque to clients.
 * @throws AppError `VALIDATION_FAILED` for a cursor that isn't one of ours.
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
  const { items, searchedTo } = request.matches
    ? await search(read, after, { ...request, order, matches: request.matches })
    : { items: await read(limit + 1, after), searchedTo: undefined };
  const last = items.length > limit ? items[limit - 1] : searchedTo;
  const nextCursor = last ? encodeCursor(order, valuesOf(last, order)) : null;
  return { items: items.slice(0, limit), pagination: { nextCursor, limit } };
}

/** Up to one item more than a page holds; `searchedTo` is the last document read where there may be more behind it. */
async function search<T extends StoredDocument>(
  read: (count: number, after: Values | undefined) => Promise<T[]>,
  start: Values | undefined,
  {
    limit,
    order,
    matches,
    sizeOf = () => 0,
    signal,
  }: PageRequest<T> & Required<Pick<PageRequest<T>, 'order' | 'matches'>>,
): Promise<{ items: T[]; searchedTo: T | undefined }> {
  const startedAt = performance.now();
  const items: T[] = [];
  let after = start;
  let rows = 0;
  let count = FIRST_BATCH;
  for (;;) {
    const found = await read(count, after);
    items.push(...found.filter(matches));
    rows += found.length;
    const last = found.at(-1);
    if (!last || found.length < count || items.length > limit) return { items, searchedTo: undefined };
    const isUsedUp = rows >= SEARCH_ROWS || performance.now() - startedAt >= SEARCH_MS;
    if (isUsedUp || signal?.aborted) return { items, searchedTo: last };
    after = valuesOf(last, order);
    count = Math.min(nextBatch(found, sizeOf), SEARCH_ROWS - rows);
    // The embedded store answers without waiting: without this, no other request would be served meanwhile.
    await nextTurn();
  }
}

/** The next documents are taken to be like these. */
function nextBatch<T>(found: readonly T[], sizeOf: (document: T) => number): number {
  const characters = found.reduce((sum, document) => sum + sizeOf(document), 0);
  const fitting = Math.floor((BATCH_CHARACTERS * found.length) / Math.max(1, characters));
  return Math.max(1, Math.min(MAX_BATCH, fitting));
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
