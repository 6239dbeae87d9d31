import { describeWith, root } from '@svcforms/test-kit';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const MINUTES = 60_000;
jest.setTimeout(10 * MINUTES);

const BASE = 'node:24-bookworm-slim';
const MOST_OVER_BASE = 120e6;
/** All images share every layer but the last ones. */
const SERVICE = 'embed-cdn';
const NAMES = ['first', 'second'].map((name) => `svcforms-test/${SERVICE}:${name}`) as [string, string];

async function docker(...args: string[]): Promise<string> {
  const options = { cwd: root, maxBuffer: 64 * 1024 * 1024, env: { ...process.env } };
  return (await promisify(execFile)('docker', args, options)).stdout;
}

const build = (name: string, ...options: string[]) =>
  docker('build', '--quiet', '--build-arg', `SERVICE=${SERVICE}`, '--tag', name, ...options, '.');

/** Runs a shell command in a container of the image, as root. */
const inside = (image: string, command: string) =>
  docker('run', '--rm', '--network', 'none', '--user', '0:0', '--entrypoint', 'sh', image, '-c', command);

/** What the engine itself mounts or writes into every container. */
const OF_ENGINE = [
  '/proc',
  '/sys',
  '/dev',
  '/etc/hosts',
  '/etc/hostname',
  '/etc/resolv.conf',
  '/etc/mtab',
  '/.dockerenv',
];
const PRUNE = `\\( ${OF_ENGINE.map((path) => `-path ${path}`).join(' -o ')} \\) -prune -o`;

/**
 * The path, type, mode, owner and link target of everything in the image, and the SHA-256 of each
 * file.
 */
async function listing(image: string): Promise<string[]> {
  const [entries, hashes] = await Promise.all([
    inside(image, `find / -xdev ${PRUNE} -printf '%p %y %m %U:%G %l\\n'`),
    inside(image, `find / -xdev ${PRUNE} -type f -exec sha256sum {} +`),
  ]);
  return [...entries.trim().split('\n'), ...hashes.trim().split('\n')].toSorted();
}

const sizeOf = async (image: string) =>
  Number(await docker('image', 'inspect', image, '--format', '{{.Size}}'));

describeWith(['compose'], 'an image of a service', () => {
  const [first, second] = NAMES;

  beforeAll(() => build(first), 10 * MINUTES);
  afterAll(() => docker('image', 'rm', '--force', ...NAMES), MINUTES);

  it('is at most 120 MB larger than its base image', async () => {
    expect((await sizeOf(first)) - (await sizeOf(BASE))).toBeLessThanOrEqual(MOST_OVER_BASE);
  });

  it('contains its software bill of materials', async () => {
    const bom: unknown = JSON.parse(await inside(first, 'cat /app/sbom.cdx.json'));
    expect(bom).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { name: `svcforms/${SERVICE}` } },
    });
  });

  it('has the same files when it is built again without a cache', async () => {
    await build(second, '--no-cache');
    const [before, after] = await Promise.all([listing(first), listing(second)]);
    expect(before.length).toBeGreaterThan(1_000);
    const known = new Set(before);
    expect(after.filter((line) => !known.has(line))).toEqual([]);
    expect(after).toHaveLength(before.length);
  });
});
