import type { DocumentStore } from '@svcforms/document-store';
import { bootstrap, firstAccountNotice } from '@svcforms/identity';
import type { Settings } from '@svcforms/runtime';

/**
 * Creates the first account in an empty store and prints its credentials to standard output, because they can't be read
 * again. Call it after the services have declared their collections.
 */
export async function ensureFirstAccount(store: DocumentStore, settings: Settings): Promise<void> {
  const created = await bootstrap({ store }, settings);
  if (created) process.stdout.write(firstAccountNotice(created));
}
