// node tools/run.mjs build/sbom: writes dist/sbom/SERVICE.cdx.json for the image of each service
// (CycloneDX, by `npm sbom`): the packages from which its program, the admin command, the dashboard
// and the API documentation were bundled. Run it after the build.
import { root } from '@svcforms/test-kit';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { bundledPackages, productionPackages, type LockedPackages } from './production-packages.ts';

interface Component {
  /** `name@version` */
  'bom-ref': string;
}

interface Bom {
  serialNumber?: string;
  metadata: { timestamp?: string; component: { 'bom-ref': string; name: string; purl?: string } };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

/**
 * In every image: the admin command is a part of the standalone, and forms-api has the viewer of
 * the API documentation.
 */
const COMMON = ['dashboard', 'services/standalone', 'services/forms-api'];

const read = <T>(path: string) => JSON.parse(readFileSync(`${root}${path}`, 'utf8')) as T;
const { packages } = read<{ packages: LockedPackages }>('package-lock.json');
const { version } = read<{ version: string }>('package.json');

const sourcesOf = (bundle: string) => read<{ sources: string[] }>(`dist/${bundle}.cjs.map`).sources;

function wholeBom(): Bom {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'];
  return JSON.parse(execFileSync('npm', args, { ...options, stdio: ['ignore', 'pipe', 2] })) as Bom;
}

/**
 * The part of `whole` that is in the image of a service. Two builds of one commit give the same
 * bytes: without a random number, a time, and the name of the folder.
 */
function bomOf(service: string, whole: Bom): Bom {
  const wanted = new Set([
    ...productionPackages(packages, [...COMMON, `services/${service}`]),
    ...bundledPackages(packages, sourcesOf(service)),
    ...bundledPackages(packages, sourcesOf('admin')),
  ]);
  const components = whole.components.filter((component) => wanted.has(component['bom-ref']));
  const refs = new Set(components.map((component) => component['bom-ref']));
  const { serialNumber: _, metadata, ...rest } = whole;
  const { timestamp: _at, component, ...shared } = metadata;
  const { purl: _purl, ...described } = component;
  const ref = `svcforms/${service}@${version}`;
  return {
    ...rest,
    metadata: { ...shared, component: { ...described, 'bom-ref': ref, name: `svcforms/${service}` } },
    components,
    dependencies: [
      { ref, dependsOn: [...refs] },
      ...whole.dependencies
        .filter((dependency) => refs.has(dependency.ref))
        .map(({ ref: of, dependsOn = [] }) => ({
          ref: of,
          dependsOn: dependsOn.filter((one) => refs.has(one)),
        })),
    ],
  };
}

const services = readdirSync(`${root}services`).filter((name) =>
  existsSync(`${root}services/${name}/src/main.ts`),
);
const whole = wholeBom();
mkdirSync(`${root}dist/sbom`, { recursive: true });
for (const service of services) {
  writeFileSync(
    `${root}dist/sbom/${service}.cdx.json`,
    `${JSON.stringify(bomOf(service, whole), null, 1)}\n`,
  );
}
