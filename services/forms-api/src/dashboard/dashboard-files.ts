import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** A file of the build, with its compressed forms made beforehand. */
export interface Asset {
  type: string;
  body: Buffer;
  br: Buffer;
  gzip: Buffer;
  /** Of the content, without quotes. */
  hash: string;
}

export interface DashboardFiles {
  /** The page, with `NONCE` where its nonce belongs. */
  page: string;
  /** By file name. */
  assets: ReadonlyMap<string, Asset>;
}

/** What the build writes where a nonce belongs. dashboard/vite.config.ts writes the same. */
export const NONCE = '__CSP_NONCE__';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/**
 * The dashboard that the build left in `folder`: index.html, and in `assets` files that have `.br` and `.gz` beside them.
 * @throws Error when there is none in it.
 */
export function readDashboard(folder: string): DashboardFiles {
  const page = join(folder, 'index.html');
  if (!existsSync(page)) {
    throw new Error(`there is no dashboard (index.html) in ${folder}: run node tools/build.mjs`);
  }
  const assets = join(folder, 'assets');
  const names = readdirSync(assets).filter((name) => TYPES[extname(name)]);
  return {
    page: readFileSync(page, 'utf8'),
    assets: new Map(names.map((name) => [name, readAsset(join(assets, name))])),
  };
}

function readAsset(path: string): Asset {
  const body = readFileSync(path);
  return {
    type: TYPES[extname(path)] ?? '',
    body,
    br: readFileSync(`${path}.br`),
    gzip: readFileSync(`${path}.gz`),
    hash: createHash('sha256').update(body).digest('base64url').slice(0, 22),
  };
}
