import { waitAtMost } from '@svcforms/primitives';
import type { AnyDocument, Collection, StoredDocument } from './port.ts';

/** A query that takes longer doesn't delay the next one. */
const MAX_WAIT_MS = 20;

/**
 * Finds documents by a unique scalar field; the calls of one moment share a query, and so do those that come while another is
 * on its way. Nothing is cached: a call sees what was stored before it.
 *
 * @example
 * const findForm = createFinder(forms, '_id');
 * const form = await findForm('frm_01J…'); // null when there is none
 */
export function createFinder<T extends StoredDocument>(
  collection: Pick<Collection<T, AnyDocument>, 'find'>,
  field: keyof T & string,
): (value: string) => Promise<T | null> {
  const findAll = createGroupFinder(collection, field);
  return async (value) => (await findAll(value)).at(-1) ?? null;
}

/** The same by a scalar field that several documents may share: all that have the value. */
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
