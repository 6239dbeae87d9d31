import { readBuiltFile, type StaticFile } from '@svcforms/http-kit';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const SCRIPT = 'text/javascript; charset=utf-8';

/**
 * The scripts that the build left in `folder`, by file name.
 * @throws Error when there is no embed.js in it.
 */
export function readBrowserFiles(folder: string): ReadonlyMap<string, StaticFile> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const files = new Map(names.map((name) => [name, readBuiltFile(SCRIPT, join(folder, name))]));
  if (!files.has('embed.js')) throw new Error(`there is no embed.js in ${folder}: run npm run build`);
  return files;
}
