// npm run load [-- --smoke] [script …]: runs the k6 scripts of tests/load, with their thresholds, against BASE_URL (with API_KEY), or
// against a standalone of its own. Only this machine is loaded, unless LOAD_ANYWHERE=1 says that BASE_URL is yours to load.
// SINK_HOST and SINK_FOR_PRODUCT (http://address:PORT) say where a product elsewhere reaches the listener that is started here.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSink } from '../tests/load/sink.mjs';
import { API_KEY, startMeasured, stopAll } from './measured-product.mjs';
import { ensureInstalled, root, runTool } from './setup.mjs';

const SCRIPTS = ['inbound', 'submissions', 'stream', 'embed', 'mixed'];

const args = process.argv.slice(2);
const smoke = args.includes('--smoke');
const wanted = args.filter((arg) => arg !== '--smoke');
const unknown = wanted.filter((name) => !SCRIPTS.includes(name));
if (unknown.length > 0) fail(`${unknown.join(', ')}: only --smoke and ${SCRIPTS.join(', ')} are known`);

const { BASE_URL: given, SINK_HOST: sinkHost = '127.0.0.1' } = process.env;
if (given && !isLoopback(given) && process.env.LOAD_ANYWHERE !== '1') {
  fail(`${given} is another machine; set LOAD_ANYWHERE=1 if it is yours to load`);
}
if (given && !process.env.API_KEY) fail('BASE_URL needs an API_KEY with all scopes beside it');

const k6 = findK6();
const folder = mkdtempSync(join(tmpdir(), 'svcforms-load-'));
const sink = await startSink({ host: sinkHost });
const product = given ? { baseUrl: given } : await startOwn();
const sinkForProduct = process.env.SINK_FOR_PRODUCT ?? `http://127.0.0.1:PORT`;
let failed = 0;
try {
  for (const script of wanted.length > 0 ? wanted : SCRIPTS) {
    const status = await run(script);
    console.log(`${script}: ${status === 0 ? 'ok' : `FAILED, k6 ended with ${status}`}`);
    if (status !== 0) failed += 1;
  }
} finally {
  await stopAll();
  await sink.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;

/** Gives k6's exit code. The sink answers meanwhile, so this process may not wait idly. */
function run(script) {
  console.log(`\n${script}${smoke ? ' (smoke)' : ''}`);
  const child = spawn(k6, ['run', '--quiet', '--no-usage-report', `${root}tests/load/${script}.ts`], {
    stdio: ['ignore', 1, 2],
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      BASE_URL: product.baseUrl,
      API_KEY: process.env.API_KEY ?? API_KEY,
      SINK_URL: `http://${sinkHost === '0.0.0.0' ? '127.0.0.1' : sinkHost}:${sink.port}`,
      SINK_FOR_PRODUCT: sinkForProduct.replace('PORT', String(sink.port)),
      SMOKE: smoke ? '1' : '0',
    },
  });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

function startOwn() {
  ensureInstalled();
  runTool('build');
  return startMeasured('embedded', { folder, settings: { LOG_LEVEL: 'error' } });
}

/** On the PATH, else the one that Go has installed, else installed by Go now. */
function findK6() {
  for (const candidate of ['k6', goK6()]) {
    if (candidate && (existsSync(candidate) || onPath(candidate))) return candidate;
  }
  if (!onPath('go')) fail('k6 is not on the PATH, and neither is Go to install it with');
  console.error('Installing k6 (once) …');
  execFileSync('go', ['install', 'go.k6.io/k6@latest'], { stdio: ['ignore', 2, 2] });
  return goK6();
}

function goK6() {
  if (!onPath('go')) return undefined;
  const bin = execFileSync('go', ['env', 'GOBIN'], { encoding: 'utf8' }).trim();
  const path = execFileSync('go', ['env', 'GOPATH'], { encoding: 'utf8' }).trim();
  return join(bin || join(path, 'bin'), 'k6');
}

function onPath(name) {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)));
}

function isLoopback(url) {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

function fail(message) {
  console.error(`load: ${message}`);
  process.exit(1);
}
