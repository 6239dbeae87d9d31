import {
  StoreError,
  type CollectionSpec,
  type DocumentStore,
  type StoredDocument,
} from '@svcforms/document-store';

/** Exists while a restore fills the store, and stays if the restore doesn't complete. */
interface RestoreMark extends StoredDocument {
  _id: 'restore';
}

/** Not part of a dump: its own restore has removed it. */
const RESTORES: CollectionSpec<RestoreMark> = { name: 'restores', indexes: [] };

const MARK: RestoreMark = { _id: 'restore' };

/** What to do with a store that holds only a part of a dump. */
export const RESTORE_AGAIN =
  'delete svcforms.db and the files whose names begin with it, or drop the database of MongoDB, and restore again';

type Store = Pick<DocumentStore, 'collection'>;

/** Call it before a restore stores its first document. */
export async function markRestoreBegun(store: Store): Promise<void> {
  // An earlier restore that was killed here has left it.
  await store.collection<RestoreMark>(RESTORES).insertMany([MARK]);
}

/** Call it when everything is restored. */
export async function markRestoreDone(store: Store): Promise<void> {
  await store.collection<RestoreMark>(RESTORES).deleteOne(MARK);
}

/**
 * Call it before a process uses a store.
 * @throws StoreError `UNAVAILABLE` when it holds only a part of a dump, or is being restored
 */
export async function refuseHalfRestored(store: Store): Promise<void> {
  if (!(await store.collection<RestoreMark>(RESTORES).findOne(MARK))) return;
  throw new StoreError(
    'UNAVAILABLE',
    `the store holds only a part of a restored dump: wait until the restore ends; if it failed or was interrupted, ${RESTORE_AGAIN}`,
  );
}
