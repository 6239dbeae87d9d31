// @ts-check
// The dashboard as files, each of which that a browser loads by name with its brotli and gzip form beside it.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';

const compress = { br: promisify(brotliCompress), gz: promisify(gzip) };
/** One step below the best, which takes ten times as long for a twentieth less. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/**
 * Empties the folder first.
 *
 * @param {string} folder
 */
export async function buildDashboard(folder) {
  // Vite reads it, and tests that build have another.
  process.env.NODE_ENV = 'production';
  await build({
    configFile: join(import.meta.dirname, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: folder },
  });
  const assets = join(folder, 'assets');
  await Promise.all((await readdir(assets)).map((name) => compressBeside(join(assets, name))));
}

/** @param {string} path */
async function compressBeside(path) {
  const bytes = await readFile(path);
  const [br, gz] = await Promise.all([compress.br(bytes, BROTLI), compress.gz(bytes, { level: 9 })]);
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
}
