import { createFinder, type DocumentStore } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import type { Service, StaticFile } from '@svcforms/http';
import type { Clock } from '@svcforms/primitives';
import { createSeats, FORMS, SUBMISSIONS, type FormRecord } from '@svcforms/records';
import { readBrowserFiles } from './browser-files.ts';
import { routes } from './routes.ts';

interface EmbedCdnConfig {
  /** The folder with the built browser scripts. */
  scriptsFolder: string;
}

interface EmbedCdnDeps {
  store: DocumentStore;
  /** Where the service reports which pages load forms. Without it, it reports nothing. */
  bus?: Pick<EventBus, 'broadcast'> | undefined;
  now?: Clock;
}

/**
 * Serves what pages need to show forms. It only reads from the store, and fails to start if the
 * scripts weren't built.
 */
export function createEmbedCdn(
  { scriptsFolder }: EmbedCdnConfig,
  { store, bus, now = Date.now }: EmbedCdnDeps,
): Service {
  let scripts: ReadonlyMap<string, StaticFile> = new Map();
  return {
    routes: routes({
      scripts: () => scripts,
      findForm: createFinder(store.collection<FormRecord>(FORMS), '_id'),
      seats: createSeats({ submissions: store.collection(SUBMISSIONS), now }),
      broadcast: bus && ((message) => bus.broadcast(message)),
      now,
    }),
    async start() {
      scripts = readBrowserFiles(scriptsFolder);
    },
    stop: async () => {},
  };
}
