// npm run load [-- --smoke] [script …]: runs the k6 scripts of tests/load, with their thresholds,
// against BASE_URL (with API_KEY), or against a standalone of its own. The product at BASE_URL
// needs rate limits that are off (SVC_RATE_LIMIT_KEY, SVC_RATE_LIMIT_INBOUND and
// SVC_RATE_LIMIT_PUBLIC are 0) and webhooks to the sink that runs here (SVC_ALLOW_HTTP=true, and
// its address in SVC_ALLOWED_TARGETS, such as 127.0.0.0/8). One on another machine needs
// LOAD_ANYWHERE=1, and SINK_HOST and SINK_FOR_PRODUCT (http://address:PORT), which say where it
// reaches the sink.
import { parseUrl } from '@svcforms/primitives';
import { atEnd, root, tempFolder } from '@svcforms/test-kit';
import { spawn } from 'node:child_process';
import { isIPv4 } from 'node:net';
import { startSink } from '../../tests/load/sink.ts';
import { findK6, installGoTool } from '../lib/go-tools.ts';
import { API_KEY, startMeasuredProduct } from '../lib/measured-product.ts';
import { runTool } from '../lib/tool.ts';
import { buildProduct } from '../setup/install.mjs';

const SCRIPTS = ['inbound', 'submissions', 'stream', 'embed', 'mixed'];

const args = process.argv.slice(2);
const isSmoke = args.includes('--smoke');
const wanted = args.filter((arg) => arg !== '--smoke');
const unknown = wanted.filter((name) => !SCRIPTS.includes(name));
if (unknown.length > 0) fail(`there is no ${unknown.join(', ')}, only --smoke and ${SCRIPTS.join(', ')}`);

const givenUrl = process.env['BASE_URL']?.replace(/\/$/, '');
const sinkHost = process.env['SINK_HOST'] ?? '127.0.0.1';
if (givenUrl && !(/^https?:\/\//.test(givenUrl) && parseUrl(givenUrl))) {
  fail(`BASE_URL must be a URL, such as http://127.0.0.1:8080, not ${givenUrl}`);
}
if (givenUrl && !isLoopback(givenUrl) && process.env['LOAD_ANYWHERE'] !== '1') {
  fail(`${givenUrl} is on another machine; set LOAD_ANYWHERE=1 if you are allowed to load-test it`);
}
if (givenUrl && !process.env['API_KEY']) fail('BASE_URL needs an API_KEY with all scopes');

await runTool(async () => {
  const k6 = requireK6();
  const sink = await startSink({ host: sinkHost });
  atEnd(() => sink.close());
  const baseUrl = givenUrl ?? (await startOwnProduct());
  const sinkForProduct = process.env['SINK_FOR_PRODUCT'] ?? 'http://127.0.0.1:PORT';
  const env = {
    PATH: process.env['PATH'],
    HOME: tempFolder(),
    BASE_URL: baseUrl,
    API_KEY: process.env['API_KEY'] ?? API_KEY,
    SINK_URL: `http://${sinkHost === '0.0.0.0' ? '127.0.0.1' : sinkHost}:${sink.port}`,
    SINK_FOR_PRODUCT: sinkForProduct.replace('PORT', String(sink.port)),
    SMOKE: isSmoke ? '1' : '0',
  };
  let failed = 0;
  for (const script of wanted.length > 0 ? wanted : SCRIPTS) {
    console.log(`\n${script}${isSmoke ? ' (smoke)' : ''}`);
    const exitCode = await runK6(k6, script, env);
    console.log(`${script}: ${exitCode === 0 ? 'ok' : `FAILED, k6 ended with ${exitCode}`}`);
    if (exitCode !== 0) failed += 1;
  }
  return failed > 0 ? 1 : 0;
});

/** Doesn't block, because the sink runs in this process. */
function runK6(k6: string, script: string, env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(k6, ['run', '--quiet', '--no-usage-report', `${root}tests/load/${script}.ts`], {
    stdio: ['ignore', 1, 2],
    env,
  });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

async function startOwnProduct(): Promise<string> {
  buildProduct();
  return (await startMeasuredProduct('embedded', { settings: { LOG_LEVEL: 'error' } })).baseUrl;
}

/** Finds k6, and builds it if this machine has none. */
function requireK6(): string {
  const { path, lacks } = findK6();
  if (lacks && !installGoTool('k6')) fail('k6 is not on the PATH, and building it needs Go');
  return path;
}

/** Names other than localhost may be those of any machine, also 127.example.com. */
function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  if (isIPv4(hostname)) return hostname.startsWith('127.');
  return hostname === 'localhost' || hostname === '[::1]';
}

function fail(message: string): never {
  console.error(`load: ${message}`);
  process.exit(1);
}
