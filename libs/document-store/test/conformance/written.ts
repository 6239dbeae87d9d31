import type { CollectionSpec, DocumentStore, StoredDocument } from '../../src/port/port.ts';

/** A document of `writer.ts`, which inserts and then updates it. */
export interface Written extends StoredDocument {
  data: string;
  updated?: boolean;
}

export const WRITTEN: CollectionSpec<Written> = { name: 'written', indexes: [{ keys: ['data', '_id'] }] };

/** The printed acknowledgements (`inserted <id>`, `updated <id>`) whose writes the store lacks. */
export async function lostOf(store: DocumentStore, printed: readonly string[]): Promise<string[]> {
  const found = await store.collection<Written>(WRITTEN).find({});
  const there = new Set(
    found.flatMap(({ _id, updated }) => [`inserted ${_id}`, ...(updated ? [`updated ${_id}`] : [])]),
  );
  return printed.filter((line) => !there.has(line));
}
