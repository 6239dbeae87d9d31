/** What package-lock.json says about one folder with a package. */
interface LockedPackage {
  /** Only if the folder has another name. */
  name?: string;
  version?: string;
  /** The folder of a workspace, of which this is a link. */
  resolved?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

export type LockedPackages = Readonly<Record<string, LockedPackage>>;

/**
 * Returns all packages that these workspaces need to run, directly or not, as `name@version`,
 * without workspaces. `npm sbom --workspace` leaves out what workspaces need of other workspaces
 * (npm 11).
 */
export function productionPackages(packages: LockedPackages, workspaces: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const pending = [...workspaces];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    const { dependencies, optionalDependencies, peerDependencies } = packages[folder] ?? {};
    for (const name of Object.keys({ ...peerDependencies, ...optionalDependencies, ...dependencies })) {
      const found = resolve(packages, folder, name);
      // An optional dependency or peer need not be installed.
      if (found !== undefined) pending.push(found);
    }
  }
  const installed = [...seen].filter((folder) => folder.includes('node_modules/'));
  return new Set(installed.map((folder) => nameOf(packages, folder)));
}

/**
 * Returns the packages of the files of a source map, as `name@version`. A bundle may contain more
 * than the production packages: optional ones that happen to be installed.
 */
export function bundledPackages(packages: LockedPackages, sources: readonly string[]): Set<string> {
  const folders = sources.flatMap((source) => {
    const [, folder = ''] = /^\.\.\/((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(source) ?? [];
    // Others are copies that a package has in its own files.
    return folder !== '' && packages[folder] ? [folder] : [];
  });
  return new Set(folders.map((folder) => nameOf(packages, folder)));
}

function nameOf(packages: LockedPackages, folder: string): string {
  const last = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const { name = last, version } = packages[folder] ?? {};
  return `${name}@${version}`;
}

/** Finds a dependency as Node.js does: in `node_modules` of the folder, or of one above it. */
function resolve(packages: LockedPackages, folder: string, name: string): string | undefined {
  for (let from = folder; ; from = from.slice(0, Math.max(0, from.lastIndexOf('/')))) {
    const candidate = `${from}${from && '/'}node_modules/${name}`;
    const found = packages[candidate];
    if (found) return found.link ? found.resolved : candidate;
    if (from === '') return undefined;
  }
}
