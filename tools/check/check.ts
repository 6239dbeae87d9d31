// npm run check: everything that can be checked without running the product, and the rules of its
// structure.
import { root } from '@svcforms/test-kit';
import { spawnSync } from 'node:child_process';

const STEPS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  types: ['tsc', '--noEmit'],
  'types of the tools': ['tsc', '--noEmit', '-p', 'tools'],
  'types of the embed': ['tsc', '--noEmit', '-p', 'services/embed-cdn/browser'],
  'types of its tests': ['tsc', '--noEmit', '-p', 'tests/browser'],
  'types of the SDK': ['tsc', '--noEmit', '-p', 'sdks/typescript'],
  'types of the React package': ['tsc', '--noEmit', '-p', 'sdks/react'],
  'types of the dashboard': ['tsc', '--noEmit', '-p', 'dashboard'],
  'types of the tests of the dashboard': ['tsc', '--noEmit', '-p', 'tests/dashboard'],
  lint: ['oxlint', '--type-aware', '--deny-warnings'],
  format: ['prettier', '--check', '--log-level=warn', '.'],
  'unused code': ['knip'],
  structure: ['jest', '--selectProjects', 'system', '--silent', 'tests/architecture'],
  docs: ['node', 'tools/run.mjs', 'docs/generate', '--check'],
};

let failed = 0;
for (const [name, [command, ...args]] of Object.entries(STEPS)) {
  const program = command === 'node' ? process.execPath : `${root}node_modules/.bin/${command}`;
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name}`);
  if (status === 0) continue;
  failed += 1;
  console.log(`${stdout}${stderr}`);
}
process.exit(failed > 0 ? 1 : 0);
