// npm test: every test that this machine can run. Arguments go to jest (a path narrows the run); sdks/python is pytest's.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPythonTests } from './python.mjs';
import { ensureInstalled, root, runTool } from './setup.mjs';

ensureInstalled();
runTool('build');

const work = mkdtempSync(join(tmpdir(), 'svcforms-results-'));
const total = { passed: 0, failed: 0, skipped: 0 };
const reasons = new Map();
const failures = [];
const repeated = [];

function runProject(project, ...options) {
  const outputFile = join(work, `${project}.json`);
  const jest = [`${root}node_modules/jest/bin/jest.js`, '--selectProjects', project, '--passWithNoTests'];
  const results = ['--json', `--outputFile=${outputFile}`];
  const { status } = spawnSync(
    process.execPath,
    [...jest, ...options, ...results, ...process.argv.slice(2)],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
    },
  );
  const report = JSON.parse(readFileSync(outputFile, 'utf8'));
  total.passed += report.numPassedTests;
  total.failed += report.numFailedTests + report.numRuntimeErrorTestSuites;
  total.skipped += report.numPendingTests + report.numTodoTests;
  if (status !== 0 && report.success) total.failed += 1;
  for (const file of report.testResults) {
    if (file.status === 'failed' && file.assertionResults.length === 0)
      failures.push(`${file.name.slice(root.length)} could not run`);
  }
  for (const test of report.testResults.flatMap((file) => file.assertionResults)) {
    if (test.status === 'failed') failures.push(test.fullName);
    if (test.status === 'passed' && test.invocations > 1) repeated.push(test.fullName);
    if (test.status !== 'pending') continue;
    const reason = /\[skipped: (.*?)\]/.exec(test.fullName)?.[1] ?? `no reason given: ${test.fullName}`;
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
}

runProject('unit', '--maxWorkers=2');
// One file at a time: each starts engines and whole stacks, and two of them would measure each other.
runProject('system', '--runInBand');
rmSync(work, { recursive: true, force: true });

const narrowed = process.argv.slice(2);
if (narrowed.length === 0 || narrowed.some((path) => path.includes('sdks/python'))) {
  const python = runPythonTests();
  for (const name of Object.keys(total)) total[name] += python[name];
  for (const [reason, count] of python.reasons) reasons.set(reason, (reasons.get(reason) ?? 0) + count);
}

for (const name of failures) console.log(`failed: ${name}`);
for (const name of repeated) console.log(`passed only when tried again: ${name}`);
for (const [reason, count] of reasons) console.log(`skipped ${count}: ${reason}`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0);
