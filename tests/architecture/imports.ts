import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export const ROOT = join(dirname(__filename), '../..');

export interface Import {
  /** The importing file, from the root. */
  file: string;
  /** What is named: `./x.ts`, `@svcforms/contracts`, `node:fs`, … */
  from: string;
}

export interface Package {
  /** `libs/contracts` */
  folder: string;
  /** `@svcforms/contracts` */
  name: string;
  dependencies: string[];
  files: string[];
  imports: Import[];
}

const IMPORT = /^(?:import|export)\s[^;]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;

/** Every package of the workspace with what its sources import. */
export function readPackages(): Package[] {
  const grouped = ['libs', 'services'].flatMap((group) =>
    readdirSync(join(ROOT, group)).map((name) => `${group}/${name}`),
  );
  return [...grouped, 'dashboard', 'sdks/cli', 'sdks/react', 'sdks/typescript'].map(readPackage);
}

/** What the sources in a folder import. */
export function importsIn(folder: string): Import[] {
  return sourcesIn(join(ROOT, folder)).flatMap(importsOf);
}

function readPackage(folder: string): Package {
  const manifest = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as {
    name: string;
    dependencies?: Record<string, string>;
    peerDependencies?: Record<string, string>;
  };
  const files = ['src', 'browser', 'test']
    .map((part) => join(ROOT, folder, part))
    .filter(existsSync)
    .flatMap(sourcesIn);
  return {
    folder,
    name: manifest.name,
    dependencies: Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }),
    files,
    imports: files.flatMap(importsOf),
  };
}

/** The sources below a folder, whose path is absolute; theirs are from the root. */
export function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|mjs)$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(IMPORT)].map(([, a, b, c]) => ({ file, from: a ?? b ?? c ?? '' }));
}

/** Tests, and what exists only for them. */
export function isTestCode(file: string): boolean {
  return /\.test\.ts$|\/test\/|^libs\/test-kit\//.test(file);
}

/** `@svcforms/x/y` → `@svcforms/x`; `koa/lib` → `koa`. */
export function packageOf(from: string): string {
  return from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
}
