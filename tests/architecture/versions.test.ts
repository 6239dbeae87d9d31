import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './imports.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const versionIn = (path: string) => (JSON.parse(read(path)) as { version: string }).version;

const VERSION = versionIn('package.json');
const PACKAGES = ['libs', 'services'].flatMap((folder) =>
  readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}/package.json`),
);

describe('the version in package.json', () => {
  it.each([
    'dashboard/package.json',
    'sdks/cli/package.json',
    'sdks/react/package.json',
    'sdks/typescript/package.json',
    ...PACKAGES,
  ])('is that of %s', (path) => {
    expect(versionIn(path)).toBe(VERSION);
  });

  it.each([
    ['of the lock file', 'package-lock.json', /^ {2}"version": "(.+)"/m],
    ['of the OpenAPI document', 'docs/openapi.json', /"info": \{[^}]*"version": "(.+?)"/],
    ['that the TypeScript SDK sends', 'sdks/typescript/src/settings.ts', /^export const VERSION = '(.+)'/m],
    ['of the Python package', 'sdks/python/pyproject.toml', /^version = "(.+)"/m],
    ['in the labels of the images', 'Dockerfile', /^ARG VERSION=(.+)$/m],
    ['in the labels of Kubernetes', 'k8s/base/kustomization.yaml', /app\.kubernetes\.io\/version: (\S+)/],
    [
      'in the labels of the CronJob',
      'k8s/components/backup/job/kustomization.yaml',
      /app\.kubernetes\.io\/version: (\S+)/,
    ],
  ])('is the version %s', (_, path, pattern) => {
    expect(pattern.exec(read(path))?.[1]).toBe(VERSION);
  });

  it('is the tag of every image in the production overlay', () => {
    const tags = [...read('k8s/overlays/production/kustomization.yaml').matchAll(/newTag: ([^\s,}]+)/g)];
    expect(tags.map(([, tag]) => tag)).toEqual(Array(5).fill(VERSION));
  });

  it('is the newest one in the changelog, whose versions all have a date', () => {
    const [unreleased, ...released] = [...read('CHANGELOG.md').matchAll(/^## (.*)$/gm)].map(
      ([, title]) => title,
    );
    expect(unreleased).toBe('[Unreleased]');
    expect(released[0]).toMatch(new RegExp(`^\\[${VERSION.replaceAll('.', '\\.')}\\] - `));
    const dates = released.map(
      (title) => /^\[\d+\.\d+\.\d+\] - (\d{4}-\d\d-\d\d)$/.exec(title ?? '')?.[1] ?? '',
    );
    expect(dates).toEqual(dates.toSorted().toReversed());
    for (const date of dates) expect(new Date(date).getTime()).not.toBeNaN();
  });
});
