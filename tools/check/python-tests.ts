import { createPythonEnvironment, root } from '@svcforms/test-kit';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

const project = `${root}sdks/python`;
const OLDEST_MINOR = 10;

interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
  /**
   * How many tests were skipped for each reason. A run that couldn't start counts as one skipped
   * test.
   */
  reasons: Map<string, number>;
}

interface Python {
  minor: number;
  path: string;
}

/**
 * Runs pytest in sdks/python on the newest installed Python; the tests of the wheel run on every
 * installed one. Their environment is created once for each state of pyproject.toml, in
 * sdks/python/.cache.
 */
export function runPythonTests(): TestCounts {
  const pythons = findPythons();
  const newest = pythons[0];
  if (!newest) return notRun(`no Python 3.${OLDEST_MINOR} or newer with venv is installed`);
  let python: string;
  try {
    python = environmentOf(newest);
  } catch (error) {
    return notRun(`the packages of the tests can't be installed from PyPI: ${(error as Error).message}`);
  }

  const report = join(project, '.cache', `report-${process.pid}.xml`);
  const { status } = spawnSync(python, ['-m', 'pytest', `--junitxml=${report}`], {
    cwd: project,
    env: { ...process.env, SVC_PYTHONS: pythons.map(({ path }) => path).join(delimiter) },
    stdio: ['ignore', 2, 2],
  });
  const xml = existsSync(report) ? readFileSync(report, 'utf8') : '';
  rmSync(report, { force: true });
  const count = (name: string) =>
    Number(new RegExp(`<testsuite [^>]*\\b${name}="(\\d+)"`).exec(xml)?.[1] ?? 0);
  const bad = count('failures') + count('errors');
  const skipped = count('skipped');
  const reasons = new Map<string, number>();
  for (const [, reason = ''] of xml.matchAll(/<skipped [^>]*message="([^"]*)"/g))
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  // The run itself failed when there is no report, or when no test explains the exit code.
  const failed = status !== 0 && bad === 0 ? 1 : bad;
  return { passed: Math.max(0, count('tests') - bad - skipped), failed, skipped, reasons };
}

/** The result of a run that couldn't start: a failure in CI, else one skipped test. */
function notRun(reason: string): TestCounts {
  const title = `Python SDK: ${reason}`;
  if (process.env['CI'] === 'true' || process.env['SVC_REQUIRE'] === 'all') {
    console.error(title);
    return { passed: 0, failed: 1, skipped: 0, reasons: new Map() };
  }
  return { passed: 0, failed: 0, skipped: 1, reasons: new Map([[title, 1]]) };
}

/** The installed Pythons, one of each version, newest first. */
function findPythons(): Python[] {
  const minors = Array.from({ length: 10 }, (_, index) => OLDEST_MINOR + index);
  const managed = join(process.env['PYENV_ROOT'] ?? join(homedir(), '.pyenv'), 'versions');
  const candidates = [
    ...(existsSync(managed) ? readdirSync(managed).map((name) => join(managed, name, 'bin', 'python3')) : []),
    ...minors.map((minor) => `python3.${minor}`),
    'python3',
  ];
  const found = new Map<number, string>();
  for (const candidate of candidates) {
    const script = 'import sys, venv, ensurepip; print(sys.version_info.minor, sys.executable)';
    const { status, stdout } = spawnSync(candidate, ['-c', script], { encoding: 'utf8' });
    const [, minor, path] = (status === 0 && /^(\d+) (.+)$/.exec(stdout.trim())) || [];
    if (path && Number(minor) >= OLDEST_MINOR && !found.has(Number(minor))) found.set(Number(minor), path);
  }
  return [...found].map(([minor, path]) => ({ minor, path })).sort((a, b) => b.minor - a.minor);
}

/**
 * The Python of an environment with the package and its test dependencies.
 * @throws Error if they can't be installed.
 */
function environmentOf({ minor, path }: Python): string {
  const state = createHash('sha256')
    .update(readFileSync(join(project, 'pyproject.toml')))
    .digest('hex');
  const folder = join(project, '.cache', `python3.${minor}-${state.slice(0, 12)}`);
  createPythonEnvironment(folder, { python: path, install: ['--editable', '.[dev]'], cwd: project });
  return join(folder, 'bin', 'python');
}
