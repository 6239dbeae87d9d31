// npm test: every test that this machine can run. Arguments go to jest (a path narrows the run);
// pytest runs sdks/python.
import { chromiumPath, root } from '@svcforms/test-kit';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildProduct } from '../setup/install.mjs';
import { createMemoryFolder } from './memory-folder.ts';
import { inOwnNetwork } from './own-network.ts';
import { runPythonTests } from './python-tests.ts';

/** The parts of jest's JSON report that the summary uses. */
interface JestReport {
  success: boolean;
  numPassedTests: number;
  numFailedTests: number;
  numRuntimeErrorTestSuites: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    assertionResults: { fullName: string; status: string; invocations?: number }[];
  }[];
}

buildProduct();

const jestArgs = process.argv.slice(2);
const reportFolder = mkdtempSync(join(tmpdir(), 'svcforms-results-'));
const memoryFolder = createMemoryFolder();
process.once('exit', () => {
  for (const folder of [reportFolder, memoryFolder])
    if (folder) rmSync(folder, { recursive: true, force: true });
});
// What an interrupted run left in memory would stay there.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const total = { passed: 0, failed: 0, skipped: 0 };
const reasons = new Map<string, number>();
const failures: string[] = [];
const retried: string[] = [];

async function runProjects(
  projects: string[],
  workers: string,
  { wrap = (command: string[]) => command, folder = memoryFolder ?? tmpdir() } = {},
): Promise<void> {
  const outputFile = join(reportFolder, `${projects.join('-')}.json`);
  const jest = [
    // Workers inherit it. Each test file loads its modules again, and with the 16 MB of Node.js 20
    // a seventh of the CPU time went into copying them within the young generation.
    '--max-semi-space-size=64',
    `${root}node_modules/jest/bin/jest.js`,
    '--selectProjects',
    ...projects,
    '--passWithNoTests',
    // Compiled tests are for the next run too.
    `--cacheDirectory=${join(tmpdir(), 'svcforms-jest')}`,
  ];
  const [program = '', ...args] = wrap([
    process.execPath,
    ...jest,
    workers,
    '--json',
    `--outputFile=${outputFile}`,
    ...jestArgs,
  ]);
  const env = { ...process.env, TMPDIR: folder };
  const run = spawn(program, args, { cwd: root, env, stdio: ['ignore', 2, 2] });
  const [status] = (await once(run, 'exit')) as [number | null];
  const report = JSON.parse(readFileSync(outputFile, 'utf8')) as JestReport;
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
    if (test.status === 'passed' && (test.invocations ?? 1) > 1) retried.push(test.fullName);
    if (test.status !== 'pending') continue;
    const reason = /\[skipped: (.*?)\]/.exec(test.fullName)?.[1] ?? `no reason given: ${test.fullName}`;
    countReason(reason, 1);
  }
}

function countReason(reason: string, count: number): void {
  reasons.set(reason, (reasons.get(reason) ?? 0) + count);
}

function runPython(): void {
  const python = runPythonTests();
  total.passed += python.passed;
  total.failed += python.failed;
  total.skipped += python.skipped;
  for (const [reason, count] of python.reasons) countReason(reason, count);
}

// Many of these wait for processes, backends and deadlines. Three at a time, and the Python tests
// or a browser beside them, therefore fit on two cores, or five without a browser.
const workers = existsSync(chromiumPath) ? 3 : 5;
const parallel = runProjects(['unit', 'system'], `--maxWorkers=${workers}`);
if (jestArgs.length === 0 || jestArgs.some((path) => path.includes('sdks/python'))) runPython();
await Promise.all([parallel, runProjects(['browsers'], '--runInBand', { wrap: inOwnNetwork })]);
// The tests of the containers use a Chromium in the network of the machine, so nothing that starts
// containers or pods runs beside them. The cluster mostly waits for pods, so that two files of the
// dashboard fit beside it.
await Promise.all([
  runProjects(['containers'], '--runInBand').then(() => runProjects(['cluster'], '--runInBand')),
  runProjects(['dashboard'], '--maxWorkers=2', { wrap: inOwnNetwork }),
]);
// These measure times, including those of a real disk.
await runProjects(['measured'], '--runInBand', { folder: tmpdir() });

for (const name of failures) console.log(`failed: ${name}`);
for (const name of retried) console.log(`passed only after a retry: ${name}`);
for (const [reason, count] of reasons) console.log(`skipped ${count}: ${reason}`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0);
