import { createFinder, type DocumentStore } from '@svcforms/document-store';
import type { Service, StaticFile } from '@svcforms/http';
import { FORMS, type FormRecord } from '@svcforms/records';
import { readBrowserFiles } from './browser-files.ts';
import { routes } from './routes.ts';

export interface EmbedCdnConfig {
  /** Where the build left the browser's scripts. */
  scriptsFolder: string;
}

export interface EmbedCdnDeps {
  store: DocumentStore;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/** Serves what pages need to show forms. It only reads; it doesn't start where the scripts were not built. */
export function createEmbedCdn(
  { scriptsFolder }: EmbedCdnConfig,
  { store, now = Date.now }: EmbedCdnDeps,
): Service {
  let scripts: ReadonlyMap<string, StaticFile> = new Map();
  return {
    routes: routes({
      scripts: () => scripts,
      findForm: createFinder(store.collection<FormRecord>(FORMS), '_id'),
      now,
    }),
    async start() {
      scripts = readBrowserFiles(scriptsFolder);
    },
    stop: async () => {},
  };
}
