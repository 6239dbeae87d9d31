// npm run bench:streams: what idle event streams cost one process, and how long a decision takes to reach them. Prints JSON.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { API_KEY, memoryKiBOf, startMeasured, stopAll } from './measured-product.mjs';
import { post, until } from './product.mjs';
import { ensureInstalled, root, runTool } from './setup.mjs';

const STREAMS = 2_000;
const PER_KEY = 10;
const PER_ACCOUNT = 100;
const DECISIONS = 500;
const EVERY_MS = 20;

ensureInstalled();
runTool('build');

const folder = mkdtempSync(join(tmpdir(), 'svcforms-streams-'));
const settings = { LOG_LEVEL: 'warn' };
const { baseUrl, pid, env } = await startMeasured('embedded', { folder, settings });
const memory = () => memoryKiBOf(pid);

const admin = (...args) =>
  execFileSync(process.execPath, [`${root}dist/admin.cjs`, ...args], {
    env: { PATH: process.env.PATH, ...env },
  })
    .toString()
    .split(/\s+/);

let frames = [];

/** Resolves when the stream is open; its frames go to `frames`. */
function openStream(key) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    request(`${baseUrl}/api/mcp/events/hitl.task.completed`, { agent: false, headers })
      .on('error', reject)
      .on('response', (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`a stream was answered with ${answer.statusCode}`));
        answer.on('data', (text) => {
          const at = performance.timeOrigin + performance.now();
          if (String(text).includes('event: ')) frames.push({ at, text: String(text) });
        });
        answer.once('data', resolve);
      })
      .end();
  });
}

async function settled(probe) {
  let last = Infinity;
  await until(async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const now = probe();
    const isStill = Math.abs(now - last) < 512;
    last = now;
    return isStill;
  }, 'the memory to settle');
  return last;
}

try {
  const keys = [API_KEY];
  for (let account = 0; account < STREAMS / PER_ACCOUNT; account++) {
    const [id] = admin('account', 'create', '--name', 'Streams');
    const args = ['key', 'create', '--name', 'first', '--account', id];
    const first = admin(...args).find((word) => word.startsWith('svc_key_'));
    for (let n = 0; n < PER_ACCOUNT / PER_KEY; n++) {
      const { key } = await post(`${baseUrl}/api/keys`, first, { name: 'k', scopes: ['events:read'] });
      keys.push(key);
    }
  }
  await openStream(API_KEY);
  const before = await settled(memory);
  for (const key of keys.slice(1)) await Promise.all(Array.from({ length: PER_KEY }, () => openStream(key)));
  const after = await settled(memory);

  const form = await post(`${baseUrl}/api/forms`, API_KEY, { name: 'Bench' });
  const delays = [];
  for (let n = 0; n < DECISIONS; n++) {
    const task = await post(`${baseUrl}/api/mcp/tasks`, API_KEY, { templateId: form.id });
    const path = `${baseUrl}/api/mcp/tasks/${task.id}/decision`;
    const { settledAt } = await post(path, API_KEY, { outcome: 'approved' });
    await until(() => frames.some(({ text }) => text.includes(task.id)), 'the frame');
    delays.push(frames.find(({ text }) => text.includes(task.id)).at - Date.parse(settledAt));
    frames = [];
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
  delays.sort((a, b) => a - b);
  const percentile = (share) => Number(delays[Math.ceil(delays.length * share) - 1].toFixed(1));
  console.log(
    JSON.stringify({
      streams: STREAMS,
      memoryBeforeMiB: Math.round(before / 1024),
      memoryAfterMiB: Math.round(after / 1024),
      kibPerStream: Number(((after - before) / STREAMS).toFixed(1)),
      settleToFrameMs: { p50: percentile(0.5), p99: percentile(0.99), max: percentile(1) },
    }),
  );
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
