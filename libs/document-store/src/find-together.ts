import type { Collection, StoredDocument } from './port.ts';

/**
 * Finds documents by a unique scalar field; the calls of one moment share a query. Nothing is cached: a call sees what was
 * stored before it.
 *
 * @example
 * const findForm = findTogether(forms, '_id');
 * const form = await findForm('frm_01J…'); // null when there is none
 */
export function findTogether<T extends StoredDocument>(
  collection: Pick<Collection<T>, 'find'>,
  field: keyof T & string,
): (value: string) => Promise<T | null> {
  let next: { values: Set<string>; found: Promise<Map<unknown, T>> } | undefined;

  async function query(values: ReadonlySet<string>): Promise<Map<unknown, T>> {
    await new Promise(setImmediate);
    next = undefined;
    const documents = await collection.find({ [field]: { $in: [...values] } });
    return new Map(documents.map((document) => [document[field], document]));
  }

  return async function find(value) {
    if (!next) {
      const values = new Set<string>();
      next = { values, found: query(values) };
    }
    next.values.add(value);
    return (await next.found).get(value) ?? null;
  };
}
