import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { servedFile, type ServedFile } from './served-file.ts';

const SCRIPT = 'text/javascript; charset=utf-8';

/**
 * The scripts that the build left in `folder`, each with its `.br` and `.gz` beside it, by file name.
 * @throws Error when there is no embed.js in it.
 */
export function readBrowserFiles(folder: string): ReadonlyMap<string, ServedFile> {
  const names = readdirSync(folder);
  const files = new Map(
    names
      .filter((name) => name.endsWith('.js'))
      .map((name) => {
        const path = join(folder, name);
        const compressed = { br: readFileSync(`${path}.br`), gzip: readFileSync(`${path}.gz`) };
        return [name, servedFile(SCRIPT, readFileSync(path), compressed)];
      }),
  );
  if (!files.has('embed.js')) throw new Error(`there is no embed.js in ${folder}: run node tools/build.mjs`);
  return files;
}
