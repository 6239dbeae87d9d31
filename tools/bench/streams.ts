// npm run bench:streams: the memory that idle event streams cost one process, and the time that a
// decision takes to reach them. Prints JSON.
import { poll } from '@svcforms/test-kit';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { post } from '../lib/api.ts';
import { API_KEY, createAccount, startMeasuredProduct } from '../lib/measured-product.ts';
import { memoryKiBOf } from '../lib/process-usage.ts';
import { percentile, rounded } from '../lib/statistics.ts';
import { runTool } from '../lib/tool.ts';
import { buildProduct } from '../setup/install.mjs';

const STREAMS = 2_000;
const PER_KEY = 10;
const PER_ACCOUNT = 100;
const DECISIONS = 500;
const EVERY_MS = 20;

let frames: { at: number; text: string }[] = [];

await runTool(async () => {
  buildProduct();
  const { baseUrl, pid, env } = await startMeasuredProduct('embedded', { settings: { LOG_LEVEL: 'warn' } });
  const keys: string[] = [];
  for (let account = 0; account < STREAMS / PER_ACCOUNT; account++) {
    const firstKey = await createAccount(env);
    for (let n = 0; n < PER_ACCOUNT / PER_KEY; n++) {
      const input = { name: 'k', scopes: ['events:read'] };
      keys.push((await post<{ key: string }>(baseUrl, firstKey, '/api/keys', input)).key);
    }
  }
  await openStream(baseUrl, API_KEY);
  const before = await stableMemoryKiBOf(pid);
  for (const key of keys) {
    await Promise.all(Array.from({ length: PER_KEY }, () => openStream(baseUrl, key)));
  }
  const after = await stableMemoryKiBOf(pid);
  const delays = await measureDecisions(baseUrl);
  const at = (share: number) => rounded(percentile(delays, share), 1);
  console.log(
    JSON.stringify({
      streams: STREAMS,
      memoryBeforeMiB: Math.round(before / 1024),
      memoryAfterMiB: Math.round(after / 1024),
      kibPerStream: rounded((after - before) / STREAMS, 1),
      decisionToFrameMs: { p50: at(0.5), p99: at(0.99), max: at(1) },
    }),
  );
});

/** Resolves when the stream is open; its frames go to `frames`. */
function openStream(baseUrl: string, key: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    request(`${baseUrl}/api/mcp/events/hitl.task.completed`, { agent: false, headers })
      .on('error', reject)
      .on('response', (response) => {
        if (response.statusCode !== 200) reject(new Error(`a stream returned ${response.statusCode}`));
        response.on('data', (bytes) => {
          const at = performance.timeOrigin + performance.now();
          const text = String(bytes);
          if (text.includes('event: ')) frames.push({ at, text });
        });
        response.once('data', () => resolve());
      })
      .end();
  });
}

/** Milliseconds from each decision of a task to its frame on the first stream. */
async function measureDecisions(baseUrl: string): Promise<number[]> {
  const form = await post(baseUrl, API_KEY, '/api/forms', { name: 'Bench' });
  const delays: number[] = [];
  for (let n = 0; n < DECISIONS; n++) {
    const task = await post(baseUrl, API_KEY, '/api/mcp/tasks', { templateId: form.id });
    const path = `/api/mcp/tasks/${task.id}/decision`;
    const { settledAt } = await post<{ settledAt: string }>(baseUrl, API_KEY, path, { outcome: 'approved' });
    const frame = await poll(() => frames.find(({ text }) => text.includes(task.id)), { what: 'the frame' });
    delays.push(frame.at - Date.parse(settledAt));
    frames = [];
    await pause(EVERY_MS);
  }
  return delays;
}

/** Waits until the memory changes by less than half a MiB within a second. */
async function stableMemoryKiBOf(pid: number): Promise<number> {
  let last = Infinity;
  return poll(
    () => {
      const now = memoryKiBOf(pid);
      const isStable = Math.abs(now - last) < 512;
      last = now;
      return isStable && now;
    },
    { what: 'stable memory', everyMs: 1_000, timeoutMs: 60_000 },
  );
}
