// node tools/bench-scale.mjs [replicas]: how the cost of the services grows with submissions a second, webhooks of a form, and open
// event streams, at three sizes each, on NATS and a MongoDB wire server in containers. Prints a table of CPU-seconds per 1 000
// submissions, by service and engine, beyond what they take when nothing happens. docs/scaling.md says what follows.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { send, startCounter } from './load-parts.mjs';
import { API_KEY, startEngines, startService, stopAll } from './measured-product.mjs';
import { post, until } from './product.mjs';
import { ensureInstalled, root, runTool } from './setup.mjs';

const SECONDS = 12;
const IDLE_SECONDS = 8;
const ACCOUNTS = 5;
const STREAMS_A_KEY = 10;
const BASE = { rate: 25, webhooks: 1, streams: 0 };
const RUNS = [
  ...[50, 100, 200].map((rate) => ({ ...BASE, rate })),
  ...[1, 4, 16].map((webhooks) => ({ ...BASE, webhooks })),
  ...[20, 100, 500].map((streams) => ({ ...BASE, streams })),
];
const SERVICES = ['inbound-gateway', 'webhook-dispatcher', 'hitl', 'forms-api'];
const TICKS_A_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

const replicas = Number(process.argv[2] ?? 1);
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const folder = mkdtempSync(join(tmpdir(), 'svcforms-scale-'));

ensureInstalled();
runTool('build');

/** CPU-seconds of a process and all that it has started, ended ones too. */
function cpuSeconds(pid) {
  const ofParent = new Map();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${entry}/stat`, 'utf8').split(') ')[1].split(' ');
      const [parent, ...times] = [1, 11, 12, 13, 14].map((at) => Number(fields[at]));
      const siblings = ofParent.get(parent) ?? [];
      siblings.push({ pid: Number(entry), ticks: times.reduce((sum, each) => sum + each) });
      ofParent.set(parent, siblings);
    } catch {
      // It has ended meanwhile; its time is in its parent's.
    }
  }
  const below = (parent) =>
    (ofParent.get(parent) ?? []).reduce((sum, child) => sum + child.ticks + below(child.pid), 0);
  const own = [...ofParent.values()].flat().find((each) => each.pid === pid)?.ticks ?? 0;
  return (own + below(pid)) / TICKS_A_SECOND;
}

/** By name; of replicas together. */
const cpuOf = (groups) =>
  Object.fromEntries(
    Object.entries(groups).map(([name, pids]) => [name, pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0)]),
  );

/** Opens a stream of submissions; `onFrame` is called for each. */
function openStream(url, key, onFrame) {
  return new Promise((resolve, reject) => {
    const asking = request(`${url}/api/mcp/events/form.submission.new`, {
      agent: false,
      headers: { authorization: `Bearer ${key}` },
    });
    asking
      .on('error', reject)
      .on('response', (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`a stream was answered with ${answer.statusCode}`));
        answer.setEncoding('utf8').on('data', (text) => {
          for (let at = text.indexOf('\nevent: '); at >= 0; at = text.indexOf('\nevent: ', at + 1)) onFrame();
        });
        answer.once('data', () => resolve(asking));
      })
      .end();
  });
}

const BODY = JSON.stringify({ email: 'ada@example.com', message: 'x'.repeat(950) });

/** Accounts with keys for streams. The first one is the product's own. */
async function makeAccounts(env, baseUrl) {
  const admin = (...args) =>
    execFileSync(process.execPath, [`${root}dist/admin.cjs`, ...args], {
      env: { PATH: process.env.PATH, ...env },
      encoding: 'utf8',
    }).split(/\s+/);
  const accounts = [API_KEY];
  while (accounts.length < ACCOUNTS) {
    const [id] = admin('account', 'create', '--name', 'Scale', '--plan', 'business');
    const words = admin('key', 'create', '--name', 'first', '--account', id);
    accounts.push(words.find((word) => word.startsWith('svc_key_')));
  }
  return Promise.all(
    accounts.map(async (apiKey) => {
      const keys = [];
      for (let n = 0; n < 10; n++) {
        const input = { name: 'stream', scopes: ['events:read'] };
        keys.push((await post(`${baseUrl}/api/keys`, apiKey, input)).key);
      }
      return { apiKey, keys };
    }),
  );
}

/** One run; what it cost per 1 000 submissions, by name. */
async function measure({ rate, webhooks, streams }, { urls, groups, accounts, idle, seconds = SECONDS }) {
  const counter = await startCounter();
  const forms = await Promise.all(
    accounts.map(async ({ apiKey }) => {
      const api = urls['forms-api'][0];
      const form = await post(`${api}/api/forms`, apiKey, { name: 'Scale' });
      const { token } = await post(`${api}/api/forms/${form.id}/inbound`, apiKey, {});
      for (let n = 0; n < webhooks; n++) {
        await post(`${api}/api/forms/${form.id}/webhooks`, apiKey, {
          url: `${counter.url}/${n}`,
          events: ['form.submission.new'],
        });
      }
      return { path: `/api/inbound/${form.id}`, token };
    }),
  );
  let frames = 0;
  const open = await Promise.all(
    Array.from({ length: streams }, (_, n) => {
      const { keys } = accounts[n % ACCOUNTS];
      const key = keys[Math.floor(n / ACCOUNTS / STREAMS_A_KEY) % keys.length];
      // A key has ten streams on each replica, so that they can be spread evenly.
      return openStream(urls.hitl[Math.floor(n / ACCOUNTS) % replicas], key, () => (frames += 1));
    }),
  );
  await pause(1_000);

  const count = rate * seconds;
  const gateways = urls['inbound-gateway'];
  const before = cpuOf(groups);
  const beganAt = performance.now();
  const latencies = [];
  const sending = [];
  for (let n = 0; n < count; n++) {
    await pause(Math.max(0, beganAt + (n * 1_000) / rate - performance.now()));
    const { path, token } = forms[n % ACCOUNTS];
    const headers = { authorization: `Bearer ${token}` };
    const sentAt = performance.now();
    sending.push(
      send(gateways[n % gateways.length] + path, { agent, headers, body: BODY, expected: 202 }).then(() =>
        latencies.push(performance.now() - sentAt),
      ),
    );
  }
  await Promise.all(sending);
  const framesDue = (count / ACCOUNTS) * streams;
  await until(() => counter.count() >= count * webhooks && frames >= framesDue, 'all to arrive');
  const took = (performance.now() - beganAt) / 1_000;
  const after = cpuOf(groups);
  for (const asking of open) asking.destroy();
  counter.close();

  latencies.sort((one, another) => one - another);
  const cost = Object.fromEntries(
    Object.keys(groups).map((name) => {
      const beyondIdle = after[name] - before[name] - (idle[name] ?? 0) * took;
      return [name, Number(((beyondIdle * 1_000) / count).toFixed(2))];
    }),
  );
  const p99 = latencies[Math.ceil(latencies.length * 0.99) - 1];
  return {
    replicas,
    'submissions/s': rate,
    webhooks,
    streams,
    ...cost,
    'p99 of 202, ms': Number(p99.toFixed(1)),
  };
}

try {
  const engines = await startEngines();
  const urls = {};
  const groups = Object.fromEntries(
    engines.groups.map((group) => group.split('=')).map(([name, pid]) => [name, [Number(pid)]]),
  );
  // forms-api first: it makes the first account.
  for (const name of SERVICES.toReversed()) {
    const started = [];
    for (let n = 0; n < replicas; n++) started.push(await startService(name, folder, engines.env));
    urls[name] = started.map(({ baseUrl }) => baseUrl);
    groups[name] = started.map(({ pid }) => pid);
  }
  const accounts = await makeAccounts(engines.env, urls['forms-api'][0]);
  const stage = { urls, groups, accounts };
  // What is called often is compiled by then.
  await measure({ rate: 150, webhooks: 2, streams: 20 }, { ...stage, idle: {} });
  await pause(2_000);

  const before = cpuOf(groups);
  await pause(IDLE_SECONDS * 1_000);
  const idle = Object.fromEntries(
    Object.entries(cpuOf(groups)).map(([name, spent]) => [name, (spent - before[name]) / IDLE_SECONDS]),
  );
  console.log('idle, cores:', JSON.stringify(idle));
  const results = [];
  for (const run of RUNS) {
    const result = await measure(run, { ...stage, idle });
    results.push(result);
    console.log(JSON.stringify(result));
  }
  console.table(results);
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
