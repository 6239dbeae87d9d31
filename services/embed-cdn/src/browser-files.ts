import { readBuiltFile, type StaticFile } from '@svcforms/http';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const SCRIPT = 'text/javascript; charset=utf-8';

/**
 * Reads the built scripts in `folder`, by file name.
 * @throws Error if there is no embed.js
 */
export function readBrowserFiles(folder: string): ReadonlyMap<string, StaticFile> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const files = new Map(names.map((name) => [name, readBuiltFile(SCRIPT, join(folder, name))]));
  if (!files.has('embed.js')) throw new Error(`there is no embed.js in ${folder}: run npm run build`);
  return files;
}
