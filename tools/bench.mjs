// npm run bench [-- embedded|engines|services] [scenario …]: publishes by inbound POST and measures at the listener, with
// whbench, the load script that measured the peers in docs/benchmarks.md. Prints one JSON line a run and a table.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, post, startProduct, until } from './product.mjs';
import { ensureInstalled, root, runTool } from './setup.mjs';

const SCENARIOS = {
  throughput: ['-scenario', 'throughput', '-n', '5000', '-conns', '32'],
  rate: ['-scenario', 'rate', '-rate', '50', '-dur', '30s'],
  noisy: ['-scenario', 'rate', '-rate', '50', '-dur', '30s', '-targets', 'good,hang', '-quiet', '5s'],
};
const SINK = 'http://127.0.0.1:9900';
const API_KEY = `svc_key_${'bench'.repeat(8)}key`;
const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');

const source = `${root}../shared/tools/whbench`;
if (!existsSync(source)) {
  console.error('bench: whbench is not there (../shared/tools/whbench); nothing was measured');
  process.exit(1);
}
ensureInstalled();
runTool('build');

const folder = mkdtempSync(join(tmpdir(), 'svcforms-bench-'));
const whbench = join(folder, 'whbench');
execFileSync('go', ['build', '-o', whbench, '.'], { cwd: source, stdio: ['ignore', 2, 2] });

/** One scenario on a product that was made for it, so that no run meets what another left behind. */
async function measure(name, scenario) {
  const { baseUrl, groups } = await starters[name]();
  const adapter = JSON.parse(readFileSync(`${root}tests/bench/whbench.json`, 'utf8'));
  for (const target of Object.values(adapter.targets)) {
    const form = await post(`${baseUrl}/api/forms`, API_KEY, { name: target.path });
    const { token } = await post(`${baseUrl}/api/forms/${form.id}/inbound`, API_KEY, {});
    await post(`${baseUrl}/api/forms/${form.id}/webhooks`, API_KEY, {
      url: SINK + target.path,
      events: ['form.submission.new'],
    });
    target.vars = { base: baseUrl, form: form.id, token };
  }
  const adapterFile = join(folder, 'adapter.json');
  writeFileSync(adapterFile, JSON.stringify(adapter));
  const out = join(folder, 'results.jsonl');
  rmSync(out, { force: true });
  const args = [
    '-adapter',
    adapterFile,
    '-groups',
    groups,
    '-label',
    name,
    '-out',
    out,
    ...SCENARIOS[scenario],
  ];
  const { status } = spawnSync(whbench, args, { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`whbench ${scenario} on ${name} ended with ${status}`);
  const result = JSON.parse(readFileSync(out, 'utf8').trim());
  console.log(JSON.stringify(result));
  await stopAll();
  return { name, scenario, result };
}

const starters = {
  async embedded() {
    const server = await startService('standalone', {});
    return { baseUrl: server.baseUrl, groups: `server=${server.pid}` };
  },
  async engines() {
    const engines = await startEngines();
    const server = await startService('standalone', engines.env);
    return { baseUrl: server.baseUrl, groups: `server=${server.pid},${engines.groups}` };
  },
};

async function startService(name, env) {
  const { child, baseUrl } = await startProduct(name, {
    env: {
      SVC_DATA_DIR: mkdtempSync(join(folder, 'data-')),
      SVC_BOOTSTRAP_API_KEY: API_KEY,
      SVC_ENCRYPTION_KEY: ENCRYPTION_KEY,
      SVC_ALLOWED_TARGETS: '127.0.0.0/8',
      SVC_ALLOW_HTTP: 'true',
      SVC_RATE_LIMIT_KEY: '0',
      SVC_RATE_LIMIT_INBOUND: '0',
      SVC_RATE_LIMIT_PUBLIC: '0',
      ...env,
    },
    stdio: 'ignore',
  });
  undo.push(async () => {
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
  });
  return { baseUrl, pid: child.pid };
}

async function startEngines() {
  const [natsPort, mongoPort] = [await freePort(), await freePort()];
  const nats = container(process.env.NATS_IMAGE ?? 'nats:2.12-alpine', natsPort, 4222, '-js', '-sd', '/data');
  const mongo = container(process.env.MONGO_IMAGE ?? 'mongo:8', mongoPort, 27017);
  const env = {
    NATS_URL: `nats://127.0.0.1:${natsPort}`,
    MONGODB_URL: `mongodb://127.0.0.1:${mongoPort}/svcforms`,
  };
  const { MongoClient } = await import('mongodb');
  const isUp = async () => {
    const client = new MongoClient(env.MONGODB_URL, { serverSelectionTimeoutMS: 1000 });
    try {
      await client.db().command({ ping: 1 });
      return true;
    } catch {
      return false;
    } finally {
      await client.close();
    }
  };
  await until(isUp, 'the MongoDB server to answer');
  return { env, groups: `nats=${nats},mongo=${mongo}` };
}

/** Starts a container; gives the process id that the host knows it by. */
function container(image, hostPort, port, ...args) {
  const publish = `127.0.0.1:${hostPort}:${port}`;
  const id = execFileSync('docker', ['run', '-d', '--rm', '-p', publish, image, ...args], {
    encoding: 'utf8',
  }).trim();
  undo.push(() => void execFileSync('docker', ['rm', '-f', '-v', id], { stdio: 'ignore' }));
  return execFileSync('docker', ['inspect', '-f', '{{.State.Pid}}', id], { encoding: 'utf8' }).trim();
}

async function stopAll() {
  for (const step of undo.splice(0).reverse()) await step();
}

function printTable() {
  for (const { name, scenario, result } of results) {
    console.log(`${name} ${scenario}: ${JSON.stringify(result.summary ?? result).slice(0, 400)}`);
  }
}

const [, , mode = 'all', ...only] = process.argv;
const modes = mode === 'all' ? ['embedded', 'engines'] : [mode];
const scenarios = only.length > 0 ? only : Object.keys(SCENARIOS);
const results = [];
const undo = [];
try {
  for (const name of modes) {
    for (const scenario of scenarios) results.push(await measure(name, scenario));
  }
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}
printTable();
