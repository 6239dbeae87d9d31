// npm run soak [-- embedded|backends] [--minutes 15] [--rate 200] [--backlog 0]: publishes by
// inbound POST at a steady rate to a webhook endpoint that responds, and watches memory and
// latency. `--backlog` first builds one of this many deliveries to an endpoint that never
// responds. Prints one JSON line a minute and a summary; exits with 1 when an accepted event wasn't
// delivered.
import { createClient, createFormWithWebhook } from '@svcforms/test-kit';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { serve } from '../lib/http-load.ts';
import { API_KEY, PRODUCTS, startMeasuredProduct } from '../lib/measured-product.ts';
import { cpuSecondsOf, memoryKiBOf } from '../lib/process-usage.ts';
import { median, percentile, rounded } from '../lib/statistics.ts';
import { checkWord, runTool } from '../lib/tool.ts';
import { buildProduct } from '../setup/install.mjs';

interface InboundEndpoint {
  url: string;
  token: string;
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '15' },
    rate: { type: 'string', default: '200' },
    backlog: { type: 'string', default: '0' },
  },
});
const mode = positionals[0] ?? 'embedded';
checkWord('soak', 'product', mode, PRODUCTS);
const minutes = Number(values.minutes);
const rate = Number(values.rate);
const backlog = Number(values.backlog);
const REST_MS = 10_000;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** When each undelivered event was sent, ms. */
const sentAt = new Map<string, number>();
/** Of the events that were delivered since the last report, ms. */
let latencies: number[] = [];
const allLatencies: number[] = [];
let refused = 0;
let hanging = 0;

await runTool(async () => {
  buildProduct();
  const endpointUrl = await serve((message, response) => {
    void text(message).then((body) => {
      if (message.url === '/hang') {
        hanging += 1;
        return;
      }
      response.end();
      const { mark } = (JSON.parse(body) as { data: { mark: string } }).data;
      const sent = sentAt.get(mark);
      if (sent === undefined) return;
      sentAt.delete(mark);
      latencies.push(performance.now() - sent);
    });
  });
  const exitCode = await soak(endpointUrl);
  agent.destroy();
  return exitCode;
});

async function soak(endpointUrl: string): Promise<number> {
  const { baseUrl, pid } = await startMeasuredProduct(mode);
  const good = await openEndpoint(baseUrl, `${endpointUrl}/good`);
  const atRest = memoryMiBOf(pid);
  if (backlog > 0) await buildBacklog(await openEndpoint(baseUrl, `${endpointUrl}/hang`), pid);

  const memorySamples: number[] = [];
  const cpuBefore = cpuSecondsOf(pid);
  const startedAt = performance.now();
  const endsAt = startedAt + minutes * 60_000;
  let sent = 0;
  let reportAt = startedAt + 60_000;
  while (performance.now() < endsAt) {
    // Open loop: the rate doesn't depend on the responses.
    const due = Math.floor(((performance.now() - startedAt) / 1000) * rate);
    while (sent < due) publish(good, `mark ${sent++}`);
    if (performance.now() >= reportAt) {
      report(Math.round((reportAt - startedAt) / 60_000), sent, pid, memorySamples);
      reportAt += 60_000;
    }
    await pause(5);
  }
  report(minutes, sent, pid, memorySamples);
  for (const until = Date.now() + REST_MS; sentAt.size > 0 && Date.now() < until;) await pause(100);

  allLatencies.push(...latencies.splice(0));
  const missing = sentAt.size;
  const third = Math.ceil(memorySamples.length / 3);
  console.log(
    JSON.stringify({
      mode,
      minutes,
      rate,
      backlog,
      sent,
      refused,
      missing,
      hanging,
      ...summaryOf(allLatencies),
      cpuSecondsPer1000: rounded(((cpuSecondsOf(pid) - cpuBefore) / sent) * 1000, 3),
      memoryMiB: {
        atRest,
        most: Math.max(...memorySamples),
        firstThird: median(memorySamples.slice(0, third)),
        lastThird: median(memorySamples.slice(-third)),
      },
    }),
  );
  return missing > 0 || refused > 0 ? 1 : 0;
}

/** Creates a form with an inbound endpoint and a webhook. */
async function openEndpoint(baseUrl: string, webhookUrl: string): Promise<InboundEndpoint> {
  const client = createClient({ baseUrl, token: API_KEY });
  const input = { form: { name: 'Soak', fields: [] } };
  const { form, inbound } = await createFormWithWebhook(client, webhookUrl, input);
  return { url: `${baseUrl}/api/inbound/${form.id}`, token: inbound.token };
}

async function buildBacklog(endpoint: InboundEndpoint, pid: number): Promise<void> {
  let left = backlog;
  const work = async () => {
    while (left-- > 0) await submit(endpoint, 'backlog');
  };
  await Promise.all(Array.from({ length: 32 }, work));
  await pause(REST_MS);
  console.log(JSON.stringify({ backlog, memoryMiB: memoryMiBOf(pid), hanging }));
}

function publish(endpoint: InboundEndpoint, mark: string): void {
  sentAt.set(mark, performance.now());
  submit(endpoint, mark)
    .then((status) => status === 202)
    .catch(() => false)
    .then((isAccepted) => {
      if (isAccepted) return;
      refused += 1;
      sentAt.delete(mark);
    })
    .catch(() => {});
}

/** Resolves with the status. The body has about 1 KB, as in the benchmarks. */
function submit({ url, token }: InboundEndpoint, mark: string): Promise<number | undefined> {
  const body = JSON.stringify({ mark, text: 'x'.repeat(900) });
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': body.length,
    };
    const outgoing = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

function report(minute: number, sent: number, pid: number, memorySamples: number[]): void {
  const memoryMiB = memoryMiBOf(pid);
  memorySamples.push(memoryMiB);
  console.log(JSON.stringify({ minute, sent, inFlight: sentAt.size, memoryMiB, ...summaryOf(latencies) }));
  for (const latency of latencies) allLatencies.push(latency);
  latencies = [];
}

function memoryMiBOf(pid: number): number {
  return rounded(memoryKiBOf(pid) / 1024, 1);
}

function summaryOf(durations: readonly number[]): Record<string, number> {
  const at = (share: number) => rounded(percentile(durations, share), 1);
  return { arrived: durations.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}
