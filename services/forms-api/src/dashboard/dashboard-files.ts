import { readBuiltFile, type StaticFile } from '@svcforms/http';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

export interface DashboardFiles {
  /** The page, with `NONCE` where its nonce belongs. */
  page: string;
  /** What it loads, by file name. */
  assets: ReadonlyMap<string, StaticFile>;
}

/** What the build writes where a nonce belongs; dashboard/vite.config.ts writes the same. */
export const NONCE = '__CSP_NONCE__';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/**
 * The dashboard that the build left in `folder`: index.html, and in `assets` what it loads.
 * @throws Error when there is none in it.
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
