import { dirname, join, relative } from 'node:path';
import { importsIn, isTestCode } from './imports.ts';

/**
 * The folders of a tree, each with the folders that its files import from. Type-only imports count.
 */
type FolderGraph = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * A file directly in the tree counts as a folder of its own: a package's port and its index are
 * both in `src`. Test code is left out.
 */
function folderGraphOf(tree: string): FolderGraph {
  const folderOf = (file: string) => relative(tree, dirname(file)) || relative(tree, file);
  const graph = new Map<string, Set<string>>();
  for (const { file, from } of importsIn(tree)) {
    if (!from.startsWith('.') || isTestCode(file)) continue;
    const [importer, imported] = [folderOf(file), folderOf(join(dirname(file), from))];
    if (importer === imported) continue;
    graph.set(importer, (graph.get(importer) ?? new Set()).add(imported));
  }
  return graph;
}

/**
 * Folders of a tree, such as `libs/http/src`, that import each other, directly or through others:
 * `a → b → a`.
 */
export function folderCycles(tree: string): string[] {
  const graph = folderGraphOf(tree);
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
