import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPackages, ROOT, sourcesIn } from './imports.ts';

const LIST = String.raw`(?:type )?\{([^}]*)\}`;
const EXPORT = new RegExp(`^export ${LIST} from`, 'gm');
const IMPORT = new RegExp(
  String.raw`(?:import|export) ${LIST} from '(@svcforms/[^']+)'|const \{([^}]*)\} = await import\('(@svcforms/[^']+)'\)`,
  'g',
);

const packages = readPackages();
const libraries = packages.filter(({ folder }) => folder.startsWith('libs/'));
const files = [
  ...packages.flatMap(({ files: own }) => own),
  ...['tools', 'tests'].flatMap((folder) => sourcesIn(join(ROOT, folder))),
];
const imports = files.flatMap((file) =>
  [...textOf(file).matchAll(IMPORT)].flatMap(([, list, from, awaited, loaded]) =>
    namesIn(list ?? awaited ?? '').map((name) => ({ file, name, from: from ?? loaded })),
  ),
);

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

function namesIn(list: string): string[] {
  const names = list.split(',').map((each) => each.trim().replace(/^type /, ''));
  return names.flatMap((name) => name.split(' as ')[0] || []);
}

describe('the index of a library', () => {
  // knip takes an index for an entry, whose exports are all used.
  it.each(libraries)('$folder exports only names with a user outside', ({ folder, name }) => {
    const exported = [...textOf(`${folder}/src/index.ts`).matchAll(EXPORT)].flatMap(([, list]) =>
      namesIn(list ?? ''),
    );
    const used = new Set(
      imports
        .filter(({ file, from }) => from === name && !file.startsWith(`${folder}/`))
        .map((each) => each.name),
    );
    expect(exported.length).toBeGreaterThan(0);
    expect(exported.filter((each) => !used.has(each))).toEqual([]);
  });
});
