// node tools/python.mjs: the tests of sdks/python, on the newest Python that is installed; those of the wheel on every one. Their
// environment is made once for each state of pyproject.toml, in sdks/python/.cache.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled, root, runTool } from './setup.mjs';

const project = `${root}sdks/python`;
const OLDEST_MINOR = 10;

/**
 * Runs pytest. `reasons` says how many tests each reason kept from running; where nothing could run at all, that is one.
 * @returns {{passed: number, failed: number, skipped: number, reasons: Map<string, number>}}
 */
export function runPythonTests() {
  const pythons = findPythons();
  const newest = pythons[0];
  if (!newest) return nothing(`no Python 3.${OLDEST_MINOR} or newer with venv is installed`);
  const python = environmentOf(newest);
  if (!python) return nothing('the packages for the tests of sdks/python could not be installed from PyPI');

  const report = join(project, '.cache', `report-${process.pid}.xml`);
  const { status } = spawnSync(python, ['-m', 'pytest', `--junitxml=${report}`], {
    cwd: project,
    env: { ...process.env, SVC_PYTHONS: pythons.map(({ path }) => path).join(delimiter) },
    stdio: ['ignore', 2, 2],
  });
  const xml = existsSync(report) ? readFileSync(report, 'utf8') : '';
  rmSync(report, { force: true });
  const count = (name) => Number(new RegExp(`<testsuite [^>]*\\b${name}="(\\d+)"`).exec(xml)?.[1] ?? 0);
  const bad = count('failures') + count('errors');
  const skipped = count('skipped');
  const reasons = new Map();
  for (const [, reason] of xml.matchAll(/<skipped [^>]*message="([^"]*)"/g)) add(reasons, reason, 1);
  // Without a report, or with a status that no test explains, the run itself is what failed.
  const failed = status !== 0 && bad === 0 ? 1 : bad;
  return { passed: Math.max(0, count('tests') - bad - skipped), failed, skipped, reasons };
}

/** What a run counts that could not begin. Where everything is required, that is a failure. */
function nothing(reason) {
  const isRequired = process.env.CI === 'true' || process.env.SVC_REQUIRE === 'all';
  if (isRequired) console.error(`Python SDK: ${reason}`);
  return {
    passed: 0,
    failed: isRequired ? 1 : 0,
    skipped: isRequired ? 0 : 1,
    reasons: isRequired ? new Map() : new Map([[`Python SDK: ${reason}`, 1]]),
  };
}

/** The installed Pythons, one of each version, newest first. */
function findPythons() {
  const minors = Array.from({ length: 10 }, (_, index) => OLDEST_MINOR + index);
  const managed = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions');
  const candidates = [
    ...(existsSync(managed) ? readdirSync(managed).map((name) => join(managed, name, 'bin', 'python3')) : []),
    ...minors.map((minor) => `python3.${minor}`),
    'python3',
  ];
  const found = new Map();
  for (const candidate of candidates) {
    const script = 'import sys, venv, ensurepip; print(sys.version_info.minor, sys.executable)';
    const { status, stdout } = spawnSync(candidate, ['-c', script], { encoding: 'utf8' });
    const [, minor, path] = (status === 0 && /^(\d+) (.+)$/.exec(stdout.trim())) || [];
    if (path && Number(minor) >= OLDEST_MINOR && !found.has(Number(minor))) found.set(Number(minor), path);
  }
  return [...found].map(([minor, path]) => ({ minor, path })).sort((a, b) => b.minor - a.minor);
}

/** The Python of an environment with the package and all that its tests need; undefined when that can't be had. */
function environmentOf({ minor, path }) {
  const state = createHash('sha256')
    .update(readFileSync(join(project, 'pyproject.toml')))
    .digest('hex');
  const folder = join(project, '.cache', `python3.${minor}-${state.slice(0, 12)}`);
  const python = join(folder, 'bin', 'python');
  const ready = join(folder, 'ready');
  if (existsSync(ready)) return python;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  process.stderr.write('Installing Python packages (once) …\n');
  try {
    const quiet = { cwd: project, stdio: ['ignore', 2, 2] };
    execFileSync(path, ['-m', 'venv', folder], quiet);
    execFileSync(python, ['-m', 'pip', 'install', '--quiet', '--editable', '.[dev]'], quiet);
  } catch {
    return undefined;
  }
  writeFileSync(ready, '');
  return python;
}

function add(reasons, reason, count) {
  reasons.set(reason, (reasons.get(reason) ?? 0) + count);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  ensureInstalled();
  runTool('build');
  const { passed, failed, skipped, reasons } = runPythonTests();
  for (const [reason, count] of reasons) console.log(`skipped ${count}: ${reason}`);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exit(failed > 0 ? 1 : 0);
}
