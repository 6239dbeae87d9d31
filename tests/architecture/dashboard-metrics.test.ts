import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './imports.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const [, section = ''] = read('docs/operations.md').split('\n## Metrics\n');
const [table = ''] = section.split('\n## ');
const documented = [...table.matchAll(/^\| `(\w+)` /gm)].map(([, name = '']) => name);

const { panels } = JSON.parse(read('k8s/monitoring/grafana-dashboard.json')) as {
  panels: { targets: { expr: string }[] }[];
};
const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n');

it.each(documented)('the dashboard shows the metric %s', (name) => {
  expect(queries).toMatch(new RegExp(`\\b${name}(_bucket|_count|_sum)?\\{`));
});
