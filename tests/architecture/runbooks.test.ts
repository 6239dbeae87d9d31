import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { anchorsOf } from './citations.ts';
import { ROOT } from './imports.ts';

const RUNBOOK = /^ +runbook_url: https:\/\/git\.example\.com\/svcforms\/(docs\/[\w/-]+\.md)#([\w-]+)$/m;

const alerts = readFileSync(join(ROOT, 'k8s/components/alerts/alerts.yaml'), 'utf8')
  .split('- alert: ')
  .slice(1)
  .map((text): [string, string] => [text.slice(0, text.indexOf('\n')), text]);

describe('the runbook', () => {
  it.each(alerts)('of %s is a section of the documentation', (_, alert) => {
    const [, path = '', anchor = ''] = RUNBOOK.exec(alert) ?? [];
    expect({ path, anchors: path && [...anchorsOf(path)] }).toEqual({
      path: 'docs/operations.md',
      anchors: expect.arrayContaining([anchor]),
    });
  });

  it('documents exactly the existing alerts, in order', () => {
    const text = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
    const documented = [...text.matchAll(/^#### (SvcForms\w+)$/gm)].map(([, name]) => name);
    expect(documented).toEqual(alerts.map(([name]) => name));
  });
});
