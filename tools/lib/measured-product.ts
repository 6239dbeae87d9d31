import {
  atEnd,
  newApiKey,
  poll,
  runToEnd,
  startProcess,
  tempFolder,
  type ProcessName,
} from '@svcforms/test-kit';
import { MongoClient } from 'mongodb';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** The key of the first account of every product that is measured. */
export const API_KEY = newApiKey();
const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');
/** As in the Dockerfile. */
export const MEMORY_ARGS = ['--max-semi-space-size=8'];

/** What a product can be measured on. */
export const PRODUCTS = ['embedded', 'backends'];

interface MeasuredService {
  baseUrl: string;
  pid: number;
  /** All settings of the process; the admin command needs them, too. */
  env: Record<string, string>;
  dataFolder: string;
  /** Ends the process in order: with its files closed, and its CPU profile written. */
  stop(): Promise<void>;
}

interface MeasuredProduct extends MeasuredService {
  /** The processes by name: the server and its backends. */
  pids: Record<string, number>;
}

interface Backends {
  env: Record<string, string>;
  pids: Record<string, number>;
  stop(): void;
}

interface ServiceOptions {
  /** Besides the settings that every measurement needs. */
  settings?: Record<string, string>;
  /** Where Node.js writes a CPU profile at the end. */
  profileFolder?: string | undefined;
}

/**
 * Starts the standalone on its embedded stores or on backends in containers, with rate limits off
 * and webhooks to this machine allowed.
 */
export async function startMeasuredProduct(
  name: string,
  { settings = {}, profileFolder }: ServiceOptions = {},
): Promise<MeasuredProduct> {
  const backends = name === 'backends' ? await startBackends() : null;
  const service = await startService('standalone', {
    settings: { ...backends?.env, ...settings },
    profileFolder,
  });
  return {
    ...service,
    pids: { server: service.pid, ...backends?.pids },
    async stop() {
      await service.stop();
      backends?.stop();
    },
  };
}

/** Starts one service on a data folder of its own. */
export async function startService(
  name: ProcessName,
  { settings = {}, profileFolder }: ServiceOptions = {},
): Promise<MeasuredService> {
  const dataFolder = tempFolder();
  const env = {
    SVC_DATA_DIR: dataFolder,
    SVC_BOOTSTRAP_PASSWORD: 'owner password',
    SVC_BOOTSTRAP_API_KEY: API_KEY,
    SVC_ENCRYPTION_KEY: ENCRYPTION_KEY,
    SVC_ALLOWED_TARGETS: '127.0.0.0/8',
    SVC_ALLOW_HTTP: 'true',
    SVC_RATE_LIMIT_KEY: '0',
    SVC_RATE_LIMIT_INBOUND: '0',
    SVC_RATE_LIMIT_PUBLIC: '0',
    LOG_LEVEL: 'info',
    ...settings,
  };
  const nodeArgs = profileFolder ? ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`] : [];
  const product = await startProcess(name, {
    env,
    nodeArgs: [...MEMORY_ARGS, ...nodeArgs],
    // Logs are a part of the work, and a terminal would slow them down.
    output: { file: join(tempFolder(), 'log') },
  });
  return {
    baseUrl: product.url,
    pid: product.pid,
    env,
    dataFolder,
    stop: async () => void (await product.stop()),
  };
}

/** Starts NATS and a MongoDB server in containers. */
export async function startBackends(): Promise<Backends> {
  const nats = startContainer(process.env['NATS_IMAGE'] ?? 'nats:2.12-alpine', '-js', '-sd', '/data');
  const mongo = startContainer(process.env['MONGO_IMAGE'] ?? 'mongo:8');
  const mongoUrl = `mongodb://${mongo.address}:27017/svcforms`;
  await poll(() => canConnect(mongoUrl), { what: 'the MongoDB server', timeoutMs: 60_000 });
  return {
    env: { NATS_URL: `nats://${nats.address}:4222`, MONGODB_URL: mongoUrl },
    pids: { nats: nats.pid, mongo: mongo.pid },
    stop() {
      nats.remove();
      mongo.remove();
    },
  };
}

/** Creates an account with the admin command; returns an API key with all scopes. */
export async function createAccount(env: Record<string, string>, plan?: string): Promise<string> {
  const admin = async (...args: string[]) => {
    const { code, stdout, stderr } = await runToEnd('admin', { args, env });
    if (code !== 0) throw new Error(`admin ${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout.split(/\s+/);
  };
  const planArgs = plan === undefined ? [] : ['--plan', plan];
  const [id = ''] = await admin('account', 'create', '--name', 'Measured', ...planArgs);
  const words = await admin('key', 'create', '--name', 'first', '--account', id);
  const key = words.find((word) => word.startsWith('svc_key_'));
  if (!key) throw new Error(`the admin command printed no key: ${words.join(' ')}`);
  return key;
}

async function canConnect(url: string): Promise<boolean> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 1000 });
  try {
    await client.db().command({ ping: 1 });
    return true;
  } catch {
    return false;
  } finally {
    await client.close();
  }
}

/**
 * Returns the process id of the container on the host, and its address in Docker's network: a proxy
 * of Docker copies every byte that goes through a published port.
 */
function startContainer(image: string, ...args: string[]): { pid: number; address: string; remove(): void } {
  const docker = (...words: string[]) =>
    execFileSync('docker', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  const id = docker('run', '-d', '--rm', image, ...args);
  const remove = () => {
    forget();
    execFileSync('docker', ['rm', '-f', '-v', id], { stdio: 'ignore' });
  };
  const forget = atEnd(remove);
  const facts = '{{.State.Pid}} {{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}';
  const [pid = '', address = ''] = docker('inspect', '-f', facts, id).split(' ');
  return { pid: Number(pid), address, remove };
}
