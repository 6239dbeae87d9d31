import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import getAbsoluteFSPath from 'swagger-ui-dist/absolute-path.js';

export interface StaticFile {
  type: string;
  body: Buffer;
  etag: string;
}

/**
 * The files of the viewer. It tells the folder of its own code: that of the package, or that of our bundle, where the build puts
 * these two.
 */
const VIEWER = {
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
} as const;

/** Reads each file when it is first asked for. `docsFolder` holds openapi.json. */
export function createFiles({ docsFolder }: { docsFolder: string }) {
  const read = new Map<string, Promise<StaticFile>>();

  function file(path: string, type: string): Promise<StaticFile> {
    const reading = read.get(path) ?? readFile(path).then((body) => fileOf(body, type));
    read.set(path, reading);
    return reading;
  }

  return {
    openApi: () => file(join(docsFolder, 'openapi.json'), 'application/json; charset=utf-8'),
    viewer: (name: keyof typeof VIEWER) => file(join(getAbsoluteFSPath(), name), VIEWER[name]),
  };
}

export function fileOf(content: string | Buffer, type: string): StaticFile {
  const body = Buffer.from(content);
  return { type, body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}
