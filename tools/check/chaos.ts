// npm run chaos [-- --seed 42] [--rounds 10]: runs the chaos suite for as many rounds as wanted.
// The seed, which is printed, chooses the order of the faults.
import { root } from '@svcforms/test-kit';
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { buildProduct } from '../setup/install.mjs';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    rounds: { type: 'string', default: '10' },
  },
});
buildProduct();
console.log(`chaos: seed ${values.seed}, ${values.rounds} rounds`);
const jest = `${root}node_modules/jest/bin/jest.js`;
const { status } = spawnSync(process.execPath, [jest, '--runInBand', 'tests/chaos'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, SVC_TEST_CHAOS_SEED: values.seed, SVC_TEST_CHAOS_ROUNDS: values.rounds },
});
process.exitCode = status ?? 1;
