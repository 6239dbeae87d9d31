// npm run check: what can be said about the code without running it, and the rules of its structure.
import { spawnSync } from 'node:child_process';
import { ensureInstalled, root } from './setup.mjs';

ensureInstalled();
const steps = {
  types: ['tsc', '--noEmit'],
  'types of the embed': ['tsc', '--noEmit', '-p', 'services/embed-cdn/browser'],
  'types of its tests': ['tsc', '--noEmit', '-p', 'tests/browser'],
  'types of the dashboard': ['tsc', '--noEmit', '-p', 'dashboard'],
  'types of the tests of the dashboard': ['tsc', '--noEmit', '-p', 'tests/dashboard'],
  lint: ['oxlint', '--type-aware', '--deny-warnings'],
  format: ['prettier', '--check', '--log-level=warn', '.'],
  'unused code': ['knip'],
  structure: ['jest', '--selectProjects', 'system', '--silent', 'tests/architecture'],
  docs: ['node', 'tools/docs.mjs', '--check'],
};

let failed = 0;
for (const [name, [command, ...args]] of Object.entries(steps)) {
  const program = command === 'node' ? process.execPath : `${root}node_modules/.bin/${command}`;
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name}`);
  if (status === 0) continue;
  failed += 1;
  console.log(`${stdout}${stderr}`);
}
process.exit(failed > 0 ? 1 : 0);
