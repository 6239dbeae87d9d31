import { staticFile, type StaticFile } from '@svcforms/http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import getAbsoluteFSPath from 'swagger-ui-dist/absolute-path.js';

/**
 * The files of the viewer. `getAbsoluteFSPath` returns the folder of the running code: that of the
 * package, or that of our bundle, to which the build copies these two files.
 */
const VIEWER = {
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
} as const;

/** Reads each file on its first request. `docsFolder` holds openapi.json. */
export function createDocsFiles({ docsFolder }: { docsFolder: string }) {
  const read = new Map<string, Promise<StaticFile>>();

  function file(path: string, type: string): Promise<StaticFile> {
    const reading = read.get(path) ?? readFile(path).then((body) => staticFile(type, body));
    read.set(path, reading);
    return reading;
  }

  return {
    openApi: () => file(join(docsFolder, 'openapi.json'), 'application/json; charset=utf-8'),
    viewer: (name: keyof typeof VIEWER) => file(join(getAbsoluteFSPath(), name), VIEWER[name]),
  };
}
