import { root, tempFolder } from '@svcforms/test-kit';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Writes a copy of the production overlay with one of its components enabled, and returns its
 * folder.
 */
export function componentOverlay(component: string): string {
  const folder = tempFolder();
  const overlay = readFileSync(`${root}k8s/overlays/production/kustomization.yaml`, 'utf8')
    .replace(`#   - ../../components/${component}\n`, `  - ../../components/${component}\n`)
    .replaceAll('../..', relative(folder, join(root, 'k8s')));
  writeFileSync(join(folder, 'kustomization.yaml'), overlay);
  return folder;
}
