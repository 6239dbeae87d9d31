import { createEmbeddedStore, openEmbeddedDatabase } from '@svcforms/document-store/embedded';
import { connectMongoStore } from '@svcforms/document-store/mongo';
import { TASKS, type TaskRecord } from '@svcforms/records';
import { join } from 'node:path';

/** Where a product stores its data, as environment variables. */
type Storage = Readonly<Record<string, string | undefined>>;

/**
 * Changes the expiry of stored tasks, because requests can't set it less than a minute ahead and
 * the clock of a process can't be changed. The product may be running.
 */
export async function setExpiry(
  storage: Storage,
  taskIds: readonly string[],
  expiresAt: string,
): Promise<void> {
  const { MONGODB_URL: url, SVC_DATA_DIR: folder = '' } = storage;
  const database = url ? undefined : openEmbeddedDatabase(join(folder, 'svcforms.db'), { shared: true });
  const store = database
    ? createEmbeddedStore(database, { sweepEveryMs: 2 ** 31 - 1 })
    : await connectMongoStore({ url: url ?? '' });
  try {
    const tasks = store.collection<TaskRecord>(TASKS);
    for (const _id of taskIds) await tasks.updateOne({ _id }, { $set: { expiresAt, dueAt: expiresAt } });
  } finally {
    await store.close();
    await database?.close();
  }
}
