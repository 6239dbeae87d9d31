import { describeUnless, root } from '@svcforms/test-kit';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { bundledPackages, type LockedPackages } from '../../tools/build/production-packages.ts';

jest.setTimeout(180_000);

const SERVICES = ['forms-api', 'inbound-gateway', 'webhook-dispatcher', 'hitl', 'embed-cdn'] as const;

interface Bom {
  bomFormat: string;
  metadata: { component: { name: string } };
  components: { 'bom-ref': string; name: string; version: string; purl: string; hashes?: object[] }[];
}

const read = <T>(path: string) => JSON.parse(readFileSync(`${root}${path}`, 'utf8')) as T;
const bomOf = (service: string) => read<Bom>(`dist/sbom/${service}.cdx.json`);
const bytes = () =>
  readdirSync(`${root}dist/sbom`).map((name) => [name, readFileSync(`${root}dist/sbom/${name}`, 'utf8')]);
const runTool = (name: string) =>
  execFileSync(process.execPath, [`${root}tools/run.mjs`, name], { cwd: root });

describe('the software bill of materials of each image', () => {
  beforeAll(() => {
    if (!existsSync(`${root}dist/admin.cjs.map`)) runTool('build/build');
    runTool('build/sbom');
  });

  it.each(SERVICES)('lists every package in the bundles of %s, with versions and hashes', (service) => {
    const { packages } = read<{ packages: LockedPackages }>('package-lock.json');
    const { bomFormat, metadata, components } = bomOf(service);
    const listed = new Set(components.map((component) => component['bom-ref']));
    expect({ bomFormat, name: metadata.component.name }).toEqual({
      bomFormat: 'CycloneDX',
      name: `svcforms/${service}`,
    });
    for (const bundle of [service, 'admin']) {
      const { sources } = read<{ sources: string[] }>(`dist/${bundle}.cjs.map`);
      const bundled = bundledPackages(packages, sources);
      expect(bundled.size).toBeGreaterThan(40);
      expect([...bundled].filter((name) => !listed.has(name))).toEqual([]);
    }
    for (const { purl, hashes } of components) {
      expect(purl).toMatch(/^pkg:npm\/.+@\d/);
      expect(hashes).toHaveLength(1);
    }
  });

  it('contains what all images share, and nothing that only builds or tests need', () => {
    for (const service of SERVICES) {
      const names = bomOf(service).components.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['react', 'swagger-ui-dist', 'mongodb', 'zod', 'koa']));
      expect(names.filter((name) => /^(jest|typescript|esbuild|testcontainers|knip)$/.test(name))).toEqual(
        [],
      );
    }
    expect(bomOf('hitl').components.map(({ 'bom-ref': ref }) => ref)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^@modelcontextprotocol\/server@/)]),
    );
  });

  it('has the same bytes when it is built again', () => {
    const before = bytes();
    runTool('build/sbom');
    expect(bytes()).toEqual(before);
  });
});

interface Audit {
  metadata?: { vulnerabilities: Record<'high' | 'critical', number> };
  message?: string;
  error?: { summary?: string };
}

/** What the registry knows about the packages of package-lock.json. */
function audit(): Audit {
  const args = ['audit', '--omit', 'dev', '--json', '--fetch-retries', '0', '--fetch-timeout', '10000'];
  const { stdout } = spawnSync('npm', args, { cwd: root, encoding: 'utf8', timeout: 30_000 });
  try {
    return JSON.parse(stdout) as Audit;
  } catch {
    return {};
  }
}

const found = audit();
const reason = found.metadata ? '' : `the registry has no audit: ${found.message ?? 'no response'}`;

// Not every registry has the endpoint, in CI either.
describeUnless(
  reason,
  'the packages that the product runs with',
  () => {
    it('have no known vulnerability that is high or critical', () => {
      expect(found.metadata?.vulnerabilities).toMatchObject({ high: 0, critical: 0 });
    });
  },
  { isOptional: true },
);
