// npm run bench:scale [-- replicas]: how the cost of the services grows with submissions a second,
// webhooks of a form, and open event streams, at three sizes each, on NATS and a MongoDB server in
// containers. Prints a table of CPU-seconds per 1 000 submissions, by service and backend, beyond
// what they use when idle.
// npm run bench:scale -- limits: how many submissions a second one and two gateways and dispatchers
// handle at full speed, beside what a model predicts. docs/scaling.md draws the conclusions.
import {
  addWebhook,
  createClient,
  createForm,
  openInbound,
  poll,
  type ProcessName,
} from '@svcforms/test-kit';
import { Agent, request, type ClientRequest } from 'node:http';
import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { post } from '../lib/api.ts';
import { sendJson, startCountingEndpoint } from '../lib/http-load.ts';
import { API_KEY, createAccount, startBackends, startService } from '../lib/measured-product.ts';
import { cpuSecondsOf } from '../lib/process-usage.ts';
import { percentile, rounded } from '../lib/statistics.ts';
import { runTool } from '../lib/tool.ts';
import { buildProduct } from '../setup/install.mjs';

interface Load {
  rate: number;
  webhooks: number;
  streams: number;
}

interface Account {
  apiKey: string;
  /** For event streams. */
  keys: string[];
}

interface Cluster {
  /** The origins of each service. */
  urls: Record<string, string[]>;
  /** The process ids of each service and backend. */
  pids: Record<string, number[]>;
  accounts: Account[];
  stop(): Promise<void>;
}

const SECONDS = 12;
const IDLE_SECONDS = 8;
const ACCOUNTS = 5;
const CONNECTIONS = 64;
/**
 * How much more all of them together use for each additional process, because batches are smaller.
 */
const COST_OF_REPLICA = 0.05;
const WARM_UP_EVENTS = 4_000;
const FULL_SPEED_EVENTS = 8_000;
const STREAMS_PER_KEY = 10;
const BASE: Load = { rate: 25, webhooks: 1, streams: 0 };
const RUNS: readonly Load[] = [
  ...[50, 100, 200].map((rate) => ({ ...BASE, rate })),
  ...[1, 4, 16].map((webhooks) => ({ ...BASE, webhooks })),
  ...[20, 100, 500].map((streams) => ({ ...BASE, streams })),
];
/** forms-api starts first: it creates the first account. */
const SERVICES: readonly ProcessName[] = ['forms-api', 'hitl', 'webhook-dispatcher', 'inbound-gateway'];
const BODY = JSON.stringify({ email: 'ada@example.com', message: 'x'.repeat(950) });

const [what = '1'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

await runTool(async () => {
  buildProduct();
  if (what === 'limits') await measureLimits();
  else await measureGrowth(Number(what));
});

async function measureGrowth(replicas: number): Promise<void> {
  const cluster = await startCluster(() => replicas);
  // Afterwards, V8 has compiled what runs often.
  await measure({ rate: 150, webhooks: 2, streams: 20 }, cluster, {});
  await pause(2_000);

  const before = cpuOf(cluster.pids);
  await pause(IDLE_SECONDS * 1_000);
  const idle = Object.fromEntries(
    Object.entries(cpuOf(cluster.pids)).map(([name, used]) => [
      name,
      (used - (before[name] ?? 0)) / IDLE_SECONDS,
    ]),
  );
  console.log('idle, cores:', JSON.stringify(idle));
  const results = [];
  for (const run of RUNS) {
    const result = await measure(run, cluster, idle);
    results.push({ replicas, ...result });
    console.log(JSON.stringify({ replicas, ...result }));
  }
  console.table(results);
}

/** A run at full speed. */
interface FullSpeed {
  perSecond: number;
  /** CPU-seconds per submission: of each service and backend, and of this program. */
  cost: Record<string, number>;
  /** The cores that other programs left to all of these. */
  cores: number;
}

/**
 * For two of them, the model gets the costs of one of each, and only the cores from the run itself.
 */
async function measureLimits(): Promise<void> {
  const results = [];
  let first: FullSpeed | undefined;
  for (const [gateways, dispatchers] of [
    [1, 1],
    [2, 1],
    [1, 2],
    [2, 2],
  ] as const) {
    const counts: Partial<Record<ProcessName, number>> = {
      'inbound-gateway': gateways,
      'webhook-dispatcher': dispatchers,
    };
    const cluster = await startCluster((name) => counts[name] ?? 1);
    // Afterwards, V8 has compiled what runs often.
    await runAtFullSpeed(cluster, WARM_UP_EVENTS);
    const run = await runAtFullSpeed(cluster, FULL_SPEED_EVENTS);
    await cluster.stop();
    first ??= run;
    const limits = limitsOf(first.cost, { cores: run.cores, gateways, dispatchers });
    const [limit, predicted] = limits.toSorted(([, a], [, b]) => a - b)[0] ?? ['none', 0];
    const result = {
      gateways,
      dispatchers,
      'submissions/s': Math.round(run.perSecond),
      predicted: Math.round(predicted),
      error: `${Math.round(100 * (predicted / run.perSecond - 1))} %`,
      limit,
      'cores left': rounded(run.cores, 2),
      ...Object.fromEntries(Object.entries(run.cost).map(([name, cost]) => [name, rounded(1_000 * cost, 2)])),
    };
    results.push(result);
    console.log(JSON.stringify({ ...result, limits: Object.fromEntries(limits) }));
  }
  console.table(results);
}

/** How many submissions a second each part would handle, if it was the only limit. */
function limitsOf(
  cost: FullSpeed['cost'],
  { cores, gateways, dispatchers }: { cores: number; gateways: number; dispatchers: number },
): [limit: string, perSecond: number][] {
  const additional = gateways - 1 + (dispatchers - 1);
  const sum =
    (1 + additional * COST_OF_REPLICA) * Object.values(cost).reduce((total, each) => total + each, 0);
  // A process of Node.js uses one core, and hardly more for its other threads.
  return [
    ['cores of the machine', cores / sum],
    ['gateways', gateways / (cost['inbound-gateway'] ?? Infinity)],
    ['dispatchers', dispatchers / (cost['webhook-dispatcher'] ?? Infinity)],
  ];
}

async function runAtFullSpeed({ urls, pids, accounts }: Cluster, count: number): Promise<FullSpeed> {
  const endpoint = await startCountingEndpoint();
  const inbounds = await Promise.all(
    accounts.map(({ apiKey }) => openEndpoint(apiKey, anyOf(urls, 'forms-api'), endpoint.url, 1)),
  );
  const all = { ...pids, load: [process.pid] };
  const before = { cpu: cpuOf(all), machine: machineSeconds(), at: performance.now() };
  let next = 0;
  async function send(): Promise<void> {
    for (let n = next++; n < count; n = next++) {
      const { path, token } = inbounds[n % ACCOUNTS] ?? { path: '', token: '' };
      const headers = { authorization: `Bearer ${token}` };
      await sendJson(anyOf(urls, 'inbound-gateway', n) + path, { agent, headers, body: BODY, expected: 202 });
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  await poll(() => endpoint.count() >= count, { what: 'all deliveries', timeoutMs: 120_000, everyMs: 20 });
  const seconds = (performance.now() - before.at) / 1_000;
  const used = Object.entries(cpuOf(all)).map(
    ([name, after]) => [name, after - (before.cpu[name] ?? 0)] as const,
  );
  const own = used.reduce((sum, [, each]) => sum + each, 0);
  const others = machineSeconds() - before.machine - own;
  return {
    perSecond: count / seconds,
    cost: Object.fromEntries(used.map(([name, each]) => [name, each / count])),
    cores: cpus().length - Math.max(0, others) / seconds,
  };
}

/** What all programs have used. */
function machineSeconds(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1_000;
}

async function startCluster(replicasOf: (name: ProcessName) => number): Promise<Cluster> {
  const backends = await startBackends();
  const urls: Cluster['urls'] = {};
  const pids: Cluster['pids'] = Object.fromEntries(
    Object.entries(backends.pids).map(([name, pid]) => [name, [pid]]),
  );
  const services: { stop(): Promise<void> }[] = [];
  for (const name of SERVICES) {
    const started = [];
    for (let n = 0; n < replicasOf(name); n++)
      started.push(await startService(name, { settings: backends.env }));
    services.push(...started);
    urls[name] = started.map(({ baseUrl }) => baseUrl);
    pids[name] = started.map(({ pid }) => pid);
  }
  return {
    urls,
    pids,
    accounts: await createAccounts(backends.env, anyOf(urls, 'forms-api')),
    async stop() {
      await Promise.all(services.map((service) => service.stop()));
      backends.stop();
    },
  };
}

/** The first account is the product's own. */
async function createAccounts(env: Record<string, string>, baseUrl: string): Promise<Account[]> {
  const apiKeys = [API_KEY];
  while (apiKeys.length < ACCOUNTS) apiKeys.push(await createAccount(env, 'business'));
  return Promise.all(
    apiKeys.map(async (apiKey) => {
      const keys: string[] = [];
      for (let n = 0; n < 10; n++) {
        const input = { name: 'stream', scopes: ['events:read'] };
        keys.push((await post<{ key: string }>(baseUrl, apiKey, '/api/keys', input)).key);
      }
      return { apiKey, keys };
    }),
  );
}

/** One run; returns its cost per 1 000 submissions, by service and backend. */
async function measure(
  { rate, webhooks, streams }: Load,
  { urls, pids, accounts }: Cluster,
  idle: Record<string, number>,
): Promise<Record<string, number>> {
  const endpoint = await startCountingEndpoint();
  const inbounds = await Promise.all(
    accounts.map(({ apiKey }) => openEndpoint(apiKey, anyOf(urls, 'forms-api'), endpoint.url, webhooks)),
  );
  let frames = 0;
  const open = await Promise.all(
    Array.from({ length: streams }, (_, n) => {
      const keys = accounts[n % ACCOUNTS]?.keys ?? [];
      const key = keys[Math.floor(n / ACCOUNTS / STREAMS_PER_KEY) % keys.length] ?? '';
      // A key may have ten streams on each replica, so the streams spread evenly.
      return openStream(anyOf(urls, 'hitl', Math.floor(n / ACCOUNTS)), key, () => (frames += 1));
    }),
  );
  await pause(1_000);

  const count = rate * SECONDS;
  const before = cpuOf(pids);
  const startedAt = performance.now();
  const latencies: number[] = [];
  const requests: Promise<unknown>[] = [];
  for (let n = 0; n < count; n++) {
    await pause(Math.max(0, startedAt + (n * 1_000) / rate - performance.now()));
    const { path, token } = inbounds[n % ACCOUNTS] ?? { path: '', token: '' };
    const headers = { authorization: `Bearer ${token}` };
    const sentAt = performance.now();
    requests.push(
      sendJson(anyOf(urls, 'inbound-gateway', n) + path, { agent, headers, body: BODY, expected: 202 }).then(
        () => latencies.push(performance.now() - sentAt),
      ),
    );
  }
  await Promise.all(requests);
  const framesDue = (count / ACCOUNTS) * streams;
  await poll(() => endpoint.count() >= count * webhooks && frames >= framesDue, {
    what: 'all deliveries and frames',
    timeoutMs: 60_000,
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = cpuOf(pids);
  for (const stream of open) stream.destroy();

  const cost = Object.keys(pids).map((name) => {
    const used = (after[name] ?? 0) - (before[name] ?? 0) - (idle[name] ?? 0) * seconds;
    return [name, rounded((used * 1_000) / count, 2)];
  });
  return {
    'submissions/s': rate,
    webhooks,
    streams,
    ...(Object.fromEntries(cost) as Record<string, number>),
    'p99 of 202, ms': rounded(percentile(latencies, 0.99), 1),
  };
}

/** Creates a form with an inbound endpoint and this many webhooks. */
async function openEndpoint(
  apiKey: string,
  baseUrl: string,
  endpointUrl: string,
  webhooks: number,
): Promise<{ path: string; token: string }> {
  const client = createClient({ baseUrl, token: apiKey });
  const form = await createForm(client, { name: 'Scale', fields: [] });
  const { token } = await openInbound(client, form.id);
  for (let n = 0; n < webhooks; n++) await addWebhook(client, form.id, { url: `${endpointUrl}/${n}` });
  return { path: `/api/inbound/${form.id}`, token };
}

/** Opens a stream of submissions and calls `onFrame` for each. */
function openStream(baseUrl: string, key: string, onFrame: () => void): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const stream = request(`${baseUrl}/api/mcp/events/form.submission.new`, {
      agent: false,
      headers: { authorization: `Bearer ${key}` },
    });
    stream
      .on('error', reject)
      .on('response', (response) => {
        if (response.statusCode !== 200) reject(new Error(`a stream returned ${response.statusCode}`));
        response.setEncoding('utf8').on('data', (text: string) => {
          for (let at = text.indexOf('\nevent: '); at >= 0; at = text.indexOf('\nevent: ', at + 1)) onFrame();
        });
        response.once('data', () => resolve(stream));
      })
      .end();
  });
}

/** Replicas count together. */
function cpuOf(pids: Cluster['pids']): Record<string, number> {
  const used = Object.entries(pids).map(([name, each]) => [
    name,
    each.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0),
  ]);
  return Object.fromEntries(used) as Record<string, number>;
}

/** The origin of a service; `n` spreads the requests over its replicas. */
function anyOf(urls: Cluster['urls'], service: string, n = 0): string {
  const origins = urls[service] ?? [];
  return origins[n % origins.length] ?? '';
}
