import type { CollectionSpec, DocumentStore, StoredDocument } from '../../src/port.ts';

/** What `writer.ts` writes: inserted, then updated. */
export interface Written extends StoredDocument {
  data: string;
  updated?: boolean;
}

export const WRITTEN: CollectionSpec = { name: 'written', indexes: [{ keys: ['data', '_id'] }] };

/** Those of the printed acknowledgements (`inserted <id>`, `updated <id>`) that the store knows nothing of. */
export async function lostOf(store: DocumentStore, printed: readonly string[]): Promise<string[]> {
  const found = await store.collection<Written>(WRITTEN).find({});
  const there = new Set(
    found.flatMap(({ _id, updated }) => [`inserted ${_id}`, ...(updated ? [`updated ${_id}`] : [])]),
  );
  return printed.filter((line) => !there.has(line));
}
