// Products that are measured: each on a folder, engines and a port of its own, with rate limits off and loopback allowed.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProduct, until } from './product.mjs';

export const API_KEY = `svc_key_${'bench'.repeat(8)}key`;
const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');
/** What a product can be measured on. */
export const PRODUCTS = ['embedded', 'engines'];
const undo = [];

/**
 * Starts the standalone on its `embedded` stores or on `engines` in containers, with its data under `folder` and with `settings`
 * besides those that every measurement needs. `env` is all that it was started with, for the admin command; `groups` names the
 * process ids for whbench. With `profile`, `stopAll` leaves a `.cpuprofile` in that folder.
 */
export async function startMeasured(name, { folder, settings = {}, profile }) {
  const engines = name === 'engines' ? await startEngines() : { env: {}, groups: [] };
  const server = await startService('standalone', folder, { ...engines.env, ...settings }, { profile });
  return { ...server, groups: [`server=${server.pid}`, ...engines.groups].join() };
}

/** Ends the process where a word of the command line is none of those that it takes there. */
export function checkWord(tool, what, word, known) {
  if (known.includes(word)) return;
  console.error(`${tool}: "${word}" is no ${what}; there are ${known.join(', ')}. Nothing was measured`);
  process.exit(1);
}

/** Resolves when every process is gone, so that nobody writes to its folder any more. */
export async function stopAll() {
  for (const step of undo.splice(0).reverse()) await step();
}

/** KiB that the process has of its own, with its part of what it shares (PSS). */
export function memoryKiBOf(pid) {
  return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]);
}

export async function startService(name, folder, settings, { profile } = {}) {
  const env = {
    SVC_DATA_DIR: mkdtempSync(join(folder, 'data-')),
    SVC_BOOTSTRAP_API_KEY: API_KEY,
    SVC_ENCRYPTION_KEY: ENCRYPTION_KEY,
    SVC_ALLOWED_TARGETS: '127.0.0.0/8',
    SVC_ALLOW_HTTP: 'true',
    SVC_RATE_LIMIT_KEY: '0',
    SVC_RATE_LIMIT_INBOUND: '0',
    SVC_RATE_LIMIT_PUBLIC: '0',
    ...settings,
  };
  const nodeArgs = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [];
  const { child, baseUrl } = await startProduct(name, { env, nodeArgs, stdio: ['ignore', 'ignore', 2] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  undo.push(async () => {
    // A profile is written when the process ends by itself.
    child.kill(profile ? 'SIGTERM' : 'SIGKILL');
    await exited;
  });
  return { baseUrl, pid: child.pid, env };
}

export async function startEngines() {
  const nats = startContainer(process.env.NATS_IMAGE ?? 'nats:2.12-alpine', '-js', '-sd', '/data');
  const mongo = startContainer(process.env.MONGO_IMAGE ?? 'mongo:8');
  const env = {
    NATS_URL: `nats://${nats.address}:4222`,
    MONGODB_URL: `mongodb://${mongo.address}:27017/svcforms`,
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
  return { env, groups: [`nats=${nats.pid}`, `mongo=${mongo.pid}`] };
}

/**
 * Gives the process id that the host knows the container by, and its address in Docker's network: a published port would have
 * a proxy of Docker's copy every byte.
 */
function startContainer(image, ...args) {
  const docker = (...words) => execFileSync('docker', words, { encoding: 'utf8' }).trim();
  const id = docker('run', '-d', '--rm', image, ...args);
  undo.push(() => void execFileSync('docker', ['rm', '-f', '-v', id], { stdio: 'ignore' }));
  const facts = '{{.State.Pid}} {{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}';
  const [pid, address] = docker('inspect', '-f', facts, id).split(' ');
  return { pid, address };
}
