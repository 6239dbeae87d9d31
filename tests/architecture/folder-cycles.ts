import { dirname, join, relative } from 'node:path';
import { isTestCode, type Package } from './imports.ts';

/** The folders of a package, each with the folders that its files import from. Type-only imports count. */
type FolderGraph = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * A file directly in `src` counts as a folder of its own: the package's port and its index are both there. Test code is left
 * out.
 */
function folderGraphOf({ folder, imports }: Package): FolderGraph {
  const source = join(folder, 'src');
  const folderOf = (file: string) => relative(source, dirname(file)) || relative(source, file);
  const graph = new Map<string, Set<string>>();
  for (const { file, from } of imports) {
    if (!file.startsWith(`${source}/`) || !from.startsWith('.') || isTestCode(file)) continue;
    const [importer, imported] = [folderOf(file), folderOf(join(dirname(file), from))];
    if (importer === imported) continue;
    graph.set(importer, (graph.get(importer) ?? new Set()).add(imported));
  }
  return graph;
}

/** Folders of a package that import each other, directly or through others: `a → b → a`. */
export function folderCycles(ofPackage: Package): string[] {
  const graph = folderGraphOf(ofPackage);
  const cycles = new Set<string>();
  const visited = new Set<string>();

  function visit(folder: string, path: readonly string[]): void {
    const start = path.indexOf(folder);
    if (start >= 0) {
      cycles.add([...path.slice(start), folder].join(' → '));
      return;
    }
    if (visited.has(folder)) return;
    for (const next of graph.get(folder) ?? []) visit(next, [...path, folder]);
    visited.add(folder);
  }

  for (const folder of graph.keys()) visit(folder, []);
  return [...cycles];
}
