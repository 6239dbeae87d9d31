import { createEmbeddedStore, openEmbeddedDatabase } from '@svcforms/document-store/embedded';
import { createEmbeddedBus } from '@svcforms/event-bus/embedded';
import { atEnd, tempFolder } from '@svcforms/test-kit';
import { join } from 'node:path';

/**
 * Opens an empty store and an empty bus in a database of their own. They are closed after the test
 * file.
 */
export function openEmbeddedBackends() {
  const database = openEmbeddedDatabase(join(tempFolder(), 'svcforms.db'));
  const store = createEmbeddedStore(database);
  const bus = createEmbeddedBus(database);
  atEnd(async () => {
    await bus.close();
    await store.close();
    await database.close();
  });
  return { store, bus };
}
