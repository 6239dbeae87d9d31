import { readBuiltFile, type StaticFile } from '@svcforms/http';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

export interface DashboardFiles {
  /** The page, with `NONCE` in place of its nonce. */
  page: string;
  /** The files that it loads, by name. */
  assets: ReadonlyMap<string, StaticFile>;
}

/** The placeholder of a nonce. dashboard/vite.config.ts writes the same. */
export const NONCE = '__CSP_NONCE__';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/**
 * Reads the built dashboard: index.html, and the files that it loads from `assets`.
 * @throws Error when it hasn't been built
 */
export function readDashboard(folder: string): DashboardFiles {
  const page = join(folder, 'index.html');
  if (!existsSync(page)) {
    throw new Error(`there is no dashboard (index.html) in ${folder}: run npm run build`);
  }
  const assets = readdirSync(join(folder, 'assets')).flatMap((name): [string, StaticFile][] => {
    const type = TYPES[extname(name)];
    return type ? [[name, readBuiltFile(type, join(folder, 'assets', name))]] : [];
  });
  return { page: readFileSync(page, 'utf8'), assets: new Map(assets) };
}
