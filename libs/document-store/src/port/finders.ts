import { waitAtMost } from '@svcforms/primitives';
import type { AnyDocument, Collection, LookUp, StoredDocument } from './port.ts';

/** A query that takes longer doesn't delay the next one. */
const MAX_WAIT_MS = 20;

/**
 * Finds documents by a unique scalar field. The calls of one turn of the event loop share a query,
 * and so do calls that arrive while another query runs. Nothing is cached: a call finds everything
 * that was stored before it.
 *
 * @example
 * const findForm = createFinder(forms, '_id');
 * const form = await findForm('frm_01J…'); // null if there is none
 */
export function createFinder<T extends StoredDocument>(
  collection: Pick<Collection<T, AnyDocument>, 'find'>,
  field: keyof T & string,
): (value: string) => Promise<T | null> {
  const findAll = createGroupFinder(collection, field);
  return async (value) => (await findAll(value)).at(-1) ?? null;
}

/** Finds all documents with a value in a scalar field; otherwise like {@link createFinder}. */
export function createGroupFinder<T extends StoredDocument>(
  collection: Pick<Collection<T, AnyDocument>, 'find'>,
  field: keyof T & string,
): (value: string) => Promise<T[]> {
  let next: { values: Set<string>; found: Promise<Map<unknown, T[]>> } | undefined;
  let running: Promise<unknown> | undefined;

  async function query(values: ReadonlySet<string>): Promise<Map<unknown, T[]>> {
    await new Promise(setImmediate);
    if (running) await waitAtMost(running, MAX_WAIT_MS).catch(() => {});
    next = undefined;
    const finding = collection.find({ [field]: { $in: [...values] } });
    running = finding;
    try {
      const found = new Map<unknown, T[]>();
      for (const document of await finding) {
        const others = found.get(document[field]);
        if (others) others.push(document);
        else found.set(document[field], [document]);
      }
      return found;
    } finally {
      if (running === finding) running = undefined;
    }
  }

  return async function find(value) {
    if (!next) {
      const values = new Set<string>();
      next = { values, found: query(values) };
    }
    next.values.add(value);
    return (await next.found).get(value) ?? [];
  };
}

/**
 * Finds documents of a `cached` collection by a unique field that it declares. On a store with a
 * cache, the document can be up to a second old if the message about a change was lost, and
 * otherwise some milliseconds; it is frozen. On other stores it is always read.
 */
export function createCachedFinder<T extends StoredDocument>(
  collection: Pick<Collection<T, AnyDocument>, 'find' | 'lookUp'>,
  field: keyof T & string,
): (value: string) => Promise<T | null> {
  const findAll = createCachedGroupFinder(collection, field);
  return async (value) => (await findAll(value)).at(-1) ?? null;
}

/** Finds all documents with a value in the field; otherwise like {@link createCachedFinder}. */
export function createCachedGroupFinder<T extends StoredDocument>(
  collection: Pick<Collection<T, AnyDocument>, 'find' | 'lookUp'>,
  field: keyof T & string,
): LookUp<T> {
  return collection.lookUp?.(field) ?? createGroupFinder(collection, field);
}
