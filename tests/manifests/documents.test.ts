import { root } from '@svcforms/test-kit';
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

interface Block {
  kind?: string;
  metadata?: { namespace?: string };
  configMapGenerator?: { namespace?: string }[];
}

const documents = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.md'),
);

/** The YAML blocks of the documents. */
const BLOCKS = documents.flatMap((name) =>
  [...readFileSync(`${root}docs/${name}`, 'utf8').matchAll(/^```yaml\n(.*?)^```$/gms)].map(
    ([, yaml = '']) => parse(yaml) as Block,
  ),
);

it('names the namespace of each Kubernetes object in the documents', () => {
  const objects = BLOCKS.flatMap(({ kind, metadata, configMapGenerator = [] }) => [
    ...(kind === undefined ? [] : [{ kind, namespace: metadata?.namespace }]),
    ...configMapGenerator.map(({ namespace }) => ({ kind: 'ConfigMap', namespace })),
  ]);
  // Without one, a copied object gets into the namespace that kubectl happens to use.
  expect(objects).toEqual([
    { kind: 'ConfigMap', namespace: 'svcforms' },
    { kind: 'NetworkPolicy', namespace: 'svcforms' },
  ]);
});
