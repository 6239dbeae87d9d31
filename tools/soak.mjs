// npm run soak [-- embedded|engines] [--minutes 15] [--rate 200] [--waiting 0]: publishes by inbound POST at a steady rate to a
// good listener, and watches memory and latency. `--waiting` first leaves so many deliveries waiting at a listener that never
// answers. Prints one JSON line a minute and a summary; ends with 1 when something accepted was not delivered.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { median } from './load-parts.mjs';
import { API_KEY, checkWord, memoryKiBOf, PRODUCTS, startMeasured, stopAll } from './measured-product.mjs';
import { post } from './product.mjs';
import { ensureInstalled, runTool } from './setup.mjs';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '15' },
    rate: { type: 'string', default: '200' },
    waiting: { type: 'string', default: '0' },
  },
});
const mode = positionals[0] ?? 'embedded';
checkWord('soak', 'product', mode, PRODUCTS);
const [minutes, rate, waiting] = [values.minutes, values.rate, values.waiting].map(Number);
const REST_MS = 10_000;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

ensureInstalled();
runTool('build');

/** When each event that is on its way was sent, and how long those took that have arrived since the last report; ms. */
const sentAt = new Map();
let latencies = [];
const allLatencies = [];
let refused = 0;
let hanging = 0;

const sink = createServer((incoming, outgoing) => {
  const chunks = [];
  incoming.on('data', (chunk) => chunks.push(chunk));
  incoming.on('end', () => {
    if (incoming.url === '/hang') return void (hanging += 1);
    outgoing.end();
    const { mark } = JSON.parse(Buffer.concat(chunks).toString()).data;
    const began = sentAt.get(mark);
    if (began === undefined) return;
    sentAt.delete(mark);
    latencies.push(performance.now() - began);
  });
});
await new Promise((resolve) => sink.listen(0, '127.0.0.1', resolve));
const sinkUrl = `http://127.0.0.1:${sink.address().port}`;

const folder = mkdtempSync(join(tmpdir(), 'svcforms-soak-'));
let exitCode = 0;
try {
  exitCode = await soak();
} finally {
  await stopAll();
  sink.closeAllConnections();
  sink.close();
  agent.destroy();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = exitCode;

async function soak() {
  const { baseUrl, pid } = await startMeasured(mode, { folder });
  const good = await target(baseUrl, '/good');
  const atRest = memoryMiBOf(pid);
  if (waiting > 0) await leaveWaiting(baseUrl, pid);

  const samples = [];
  const cpuBefore = cpuSecondsOf(pid);
  const began = performance.now();
  const endsAt = began + minutes * 60_000;
  let number = 0;
  let reportAt = began + 60_000;
  while (performance.now() < endsAt) {
    // Open loop: what is due by now is sent, whatever the answers.
    const due = Math.floor(((performance.now() - began) / 1000) * rate);
    while (number < due) send(good, `mark ${number++}`);
    if (performance.now() >= reportAt) {
      report({ minute: Math.round((reportAt - began) / 60_000), sent: number }, pid, samples);
      reportAt += 60_000;
    }
    await pause(5);
  }
  report({ minute: minutes, sent: number }, pid, samples);
  for (const until = Date.now() + REST_MS; sentAt.size > 0 && Date.now() < until;) await pause(100);

  allLatencies.push(...latencies.splice(0));
  const missing = sentAt.size;
  console.log(
    JSON.stringify({
      mode,
      minutes,
      rate,
      waiting,
      sent: number,
      refused,
      missing,
      hanging,
      ...percentiles(allLatencies),
      cpuSecondsPer1000: Math.round(((cpuSecondsOf(pid) - cpuBefore) / number) * 1e6) / 1000,
      memoryMiB: {
        atRest,
        most: Math.max(...samples),
        firstThird: median(samples.slice(0, Math.ceil(samples.length / 3))),
        lastThird: median(samples.slice(-Math.ceil(samples.length / 3))),
      },
    }),
  );
  return missing > 0 || refused > 0 ? 1 : 0;
}

/** A form with an inbound endpoint and a webhook to that path of the sink. */
async function target(baseUrl, path) {
  const form = await post(`${baseUrl}/api/forms`, API_KEY, { name: path });
  const { token } = await post(`${baseUrl}/api/forms/${form.id}/inbound`, API_KEY, {});
  await post(`${baseUrl}/api/forms/${form.id}/webhooks`, API_KEY, {
    url: sinkUrl + path,
    events: ['form.submission.new'],
  });
  return { url: `${baseUrl}/api/inbound/${form.id}`, token };
}

async function leaveWaiting(baseUrl, pid) {
  const dead = await target(baseUrl, '/hang');
  let left = waiting;
  const lane = async () => {
    while (left-- > 0) await submit(dead, 'waiting');
  };
  await Promise.all(Array.from({ length: 32 }, lane));
  await pause(REST_MS);
  console.log(JSON.stringify({ waiting, memoryMiB: memoryMiBOf(pid), hanging }));
}

function send(where, mark) {
  sentAt.set(mark, performance.now());
  submit(where, mark).then(
    (status) => {
      if (status === 202) return;
      refused += 1;
      sentAt.delete(mark);
    },
    () => {
      refused += 1;
      sentAt.delete(mark);
    },
  );
}

/** Resolves with the status. About 1 KB, as in the other figures. */
function submit({ url, token }, mark) {
  const body = JSON.stringify({ mark, text: 'x'.repeat(900) });
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': body.length,
    };
    const outgoing = request(url, { method: 'POST', agent, headers }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode));
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

function report(facts, pid, samples) {
  const memoryMiB = memoryMiBOf(pid);
  samples.push(memoryMiB);
  console.log(JSON.stringify({ ...facts, onTheirWay: sentAt.size, memoryMiB, ...percentiles(latencies) }));
  for (const latency of latencies) allLatencies.push(latency);
  latencies = [];
}

/** Of the process, to a tenth. */
function memoryMiBOf(pid) {
  return Math.round(memoryKiBOf(pid) / 102.4) / 10;
}

/** User and system time. */
function cpuSecondsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function percentiles(durations) {
  const sorted = [...durations].sort((a, b) => a - b);
  const at = (part) => Math.round((sorted[Math.ceil(sorted.length * part) - 1] ?? 0) * 10) / 10;
  return { arrived: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}
