// npm run bench [-- all|embedded|engines] [scenario …] [--profile]: publishes by inbound POST and measures at the listener, with
// whbench, the load script that measured the peers in docs/benchmarks.md. Prints one JSON line a run; with --profile also whose
// time it was, which makes everything slower.
import { execFileSync, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { API_KEY, checkWord, PRODUCTS, startMeasured, stopAll } from './measured-product.mjs';
import { post } from './product.mjs';
import { ensureInstalled, root, runTool } from './setup.mjs';
import { printSummary, summariseProfile } from './summarise-profile.mjs';

const SCENARIOS = {
  throughput: ['-scenario', 'throughput', '-n', '5000', '-conns', '32'],
  rate: ['-scenario', 'rate', '-rate', '50', '-dur', '30s'],
  noisy: ['-scenario', 'rate', '-rate', '50', '-dur', '30s', '-targets', 'good,hang', '-quiet', '5s'],
  // As `noisy`, but what gets no answer is the name server of another account's webhooks.
  deadnames: ['-scenario', 'rate', '-rate', '50', '-dur', '30s', '-targets', 'good,dead', '-quiet', '5s'],
  // Accepted alone: nobody listens to this form, so nothing is waited for.
  accept: ['-scenario', 'throughput', '-n', '20000', '-conns', '64', '-targets', 'unheard', '-quiet', '1s'],
};
const SINK = 'http://127.0.0.1:9900';
/** On its host, so that each connection needs a look-up; the hosts file knows it. */
const SINK_BY_NAME = 'http://localhost:9900';
const DEAD_NAMES = 12;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { profile: { type: 'boolean', default: false } },
});

const [mode = 'all', ...only] = positionals;
checkWord('bench', 'product', mode, ['all', ...PRODUCTS]);
for (const scenario of only) checkWord('bench', 'scenario', scenario, Object.keys(SCENARIOS));
const modes = mode === 'all' ? PRODUCTS : [mode];
const scenarios = only.length > 0 ? only : Object.keys(SCENARIOS);

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

/** Takes questions and answers none; gives its address. */
async function startSilentNameServer() {
  const socket = createSocket('udp4').unref();
  await new Promise((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return `127.0.0.1:${socket.address().port}`;
}

/** A key of an account of its own. */
function makeAccount(env) {
  const admin = (...args) =>
    execFileSync(process.execPath, [`${root}dist/admin.cjs`, ...args], {
      env: { PATH: process.env.PATH, ...env },
      encoding: 'utf8',
    }).split(/\s+/);
  const [id] = admin('account', 'create', '--name', 'Neighbor', '--plan', 'business');
  const words = admin('key', 'create', '--name', 'first', '--account', id);
  return words.find((word) => word.startsWith('svc_key_'));
}

/** One scenario on a product that was made for it, so that no run meets what another left behind. */
async function measure(name, scenario) {
  const profile = values.profile ? mkdtempSync(join(folder, 'profile-')) : undefined;
  const hasDeadNames = scenario === 'deadnames';
  const settings = hasDeadNames ? { SVC_DNS_SERVERS: await startSilentNameServer() } : {};
  const { baseUrl, groups, env } = await startMeasured(name, { folder, settings, profile });
  const adapter = JSON.parse(readFileSync(`${root}tests/bench/whbench.json`, 'utf8'));
  for (const [targetName, target] of Object.entries(adapter.targets)) {
    const isDead = targetName === 'dead';
    if (isDead && !hasDeadNames) continue;
    const apiKey = isDead ? makeAccount(env) : API_KEY;
    const form = await post(`${baseUrl}/api/forms`, apiKey, { name: target.path });
    const { token } = await post(`${baseUrl}/api/forms/${form.id}/inbound`, apiKey, {});
    const urls = isDead
      ? Array.from({ length: DEAD_NAMES }, (_, n) => `http://dead-${n}.example:9900${target.path}`)
      : [(hasDeadNames ? SINK_BY_NAME : SINK) + target.path];
    if (targetName !== 'unheard') {
      await Promise.all(
        urls.map((url) =>
          post(`${baseUrl}/api/forms/${form.id}/webhooks`, apiKey, { url, events: ['form.submission.new'] }),
        ),
      );
    }
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
  if (profile) {
    for (const file of readdirSync(profile)) printSummary(summariseProfile(join(profile, file)));
  }
}

try {
  for (const name of modes) {
    for (const scenario of scenarios) await measure(name, scenario);
  }
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}
