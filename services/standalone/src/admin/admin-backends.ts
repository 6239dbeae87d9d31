import { dropCaches, type DocumentStore } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import { createEmbeddedBus } from '@svcforms/event-bus/embedded';
import { refuseHalfRestored } from '@svcforms/records';
import { SettingsError, type Settings } from '@svcforms/runtime';
import { connectStore, createCloser, natsOptions } from '@svcforms/service-runner';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { databaseIn, dataFolder } from '../embedded-files.ts';

/** The store of a product, and its bus when a command asks for it. */
interface AdminBackends {
  store: DocumentStore;
  bus: () => Promise<EventBus>;
  /** Makes running processes read again what the command has changed. */
  announceChanges: () => Promise<void>;
  close: () => Promise<void>;
}

/**
 * Opens the backends of a running product, which keeps using them. `fresh`: opens those of a
 * product that hasn't started yet, for this process alone. `name`: its user in NATS.
 */
export async function openAdminBackends(
  settings: Settings,
  { fresh, name = 'admin' }: { fresh: boolean; name?: string },
): Promise<AdminBackends> {
  const { MONGODB_URL: mongoUrl, NATS_URL: natsUrl } = settings;
  const closer = createCloser();

  async function openFile() {
    const folder = fresh ? dataFolder(settings) : resolve(settings.SVC_DATA_DIR);
    const path = databaseIn(folder);
    if (!fresh && !existsSync(path)) {
      throw new SettingsError(
        `${path} does not exist: start the product once, or set SVC_DATA_DIR or MONGODB_URL`,
      );
    }
    // Imported here, because the images of the services have no SQLite.
    const { createEmbeddedStore, openEmbeddedDatabase } = await import('@svcforms/document-store/embedded');
    return { createEmbeddedStore, database: closer.add(openEmbeddedDatabase(path, { shared: !fresh })) };
  }
  let file: ReturnType<typeof openFile> | undefined;
  const embedded = () => (file ??= openFile());

  async function openStore(): Promise<DocumentStore> {
    if (mongoUrl) return connectStore(mongoUrl);
    const { createEmbeddedStore, database } = await embedded();
    return createEmbeddedStore(database);
  }

  async function openBus(): Promise<EventBus> {
    if (natsUrl) {
      const { connectNatsBus } = await import('@svcforms/event-bus/nats');
      // The stream of a running product keeps the size that its own settings gave it.
      const options = { url: natsUrl, name, resize: fresh, ...(await natsOptions(settings)) };
      return closer.add(await connectNatsBus(options));
    }
    return closer.add(createEmbeddedBus((await embedded()).database, { shared: !fresh }));
  }
  let opened: Promise<EventBus> | undefined;
  const bus = () => (opened ??= openBus());

  const store = closer.add(await openStore());
  if (!fresh) await refuseHalfRestored(store);
  return {
    store,
    bus,
    async announceChanges() {
      // The embedded bus doesn't reach other processes.
      await dropCaches(natsUrl ? await bus().catch(() => undefined) : undefined);
    },
    close: closer.close,
  };
}
