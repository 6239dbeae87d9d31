import type { GenericContainer, StartedTestContainer } from 'testcontainers';
import { freePort } from './free-port.ts';
import { oncePerRun } from './once-per-run.ts';
import { poll } from './poll.ts';

/** A real backend in a container that a test can stop, kill and restart. */
export interface Backend {
  url: string;
  /** Kills it (SIGKILL) and restarts it on the same address with the same data. */
  crash(): Promise<void>;
  /** Stops it gracefully and restarts it on the same address with the same data. */
  restart(): Promise<void>;
  /** Kills it (SIGKILL) until `resume`. */
  kill(): Promise<void>;
  /** Stops it until `resume`. */
  halt(): Promise<void>;
  resume(): Promise<void>;
  /** Freezes its processes with open connections (SIGSTOP) until `unpause`. */
  pause(): Promise<void>;
  unpause(): Promise<void>;
  /** Removes it with its data. */
  remove(): Promise<void>;
}

export interface MongoBackend extends Backend {
  /** Makes it refuse, or leave without a response, every write while it still serves reads. */
  setReadOnly(isReadOnly: boolean): Promise<void>;
}

export const NATS_IMAGE = process.env['NATS_IMAGE'] ?? 'nats:2.12-alpine';
export const MONGO_IMAGE = process.env['MONGO_IMAGE'] ?? 'mongo:8';

/**
 * Only where a test starts a container: loading takes 0.3 s of CPU, and most test files start none.
 */
const loadTestcontainers = () => import('testcontainers');

/** The host port is fixed, so that the address survives a restart. */
function backendOf(container: StartedTestContainer, url: string): Backend {
  const docker = async () => {
    const { getContainerRuntimeClient } = await loadTestcontainers();
    return (await getContainerRuntimeClient()).container.getById(container.getId());
  };
  const stop = async () => (await docker()).stop({ t: 10 });
  const start = async () => {
    const dockerContainer = await docker();
    // Docker may still hold the address of the run before.
    await whileRefused(() => dockerContainer.start(), 'address already in use', 'the start of the container');
  };
  return {
    url,
    async crash() {
      await (await docker()).kill({ signal: 'SIGKILL' });
      await start();
    },
    kill: async () => (await docker()).kill({ signal: 'SIGKILL' }),
    async restart() {
      await stop();
      await start();
    },
    halt: stop,
    resume: start,
    pause: async () => {
      const dockerContainer = await docker();
      // On a busy machine Docker may time out before every process has stopped; it then resumes all
      // of them.
      await whileRefused(() => dockerContainer.pause(), 'unable to freeze', 'the pause of the container');
    },
    unpause: async () => (await docker()).unpause(),
    remove: async () => void (await container.stop({ remove: true, removeVolumes: true, timeout: 0 })),
  };
}

/** Repeats an action for as long as Docker refuses it with this text. */
async function whileRefused(action: () => Promise<unknown>, refusal: string, what: string): Promise<void> {
  const attempt = () =>
    action().then(
      () => true,
      (error: unknown) => {
        if (String(error).includes(refusal)) return false;
        throw error;
      },
    );
  await poll(attempt, { what });
}

interface NatsOptions {
  args?: readonly string[];
  /** Files of the container, by path. */
  files?: Readonly<Record<string, string>>;
  /** Environment variables, which its configuration can name. */
  env?: Readonly<Record<string, string>>;
  /** The folder of this machine where it stores its data. Default: in the container. */
  folder?: string;
}

async function natsContainer(
  port: number,
  { args = [], files = {}, env = {}, folder }: NatsOptions,
): Promise<GenericContainer> {
  const { GenericContainer } = await loadTestcontainers();
  return new GenericContainer(NATS_IMAGE)
    .withCommand(['-js', '-sd', '/data', ...args])
    .withCopyContentToContainer(
      Object.entries(files).map(([target, content]) => ({ target, content, mode: 0o644 })),
    )
    .withEnvironment(env)
    .withBindMounts(folder === undefined ? [] : [{ source: folder, target: '/data' }])
    .withExposedPorts({ container: 4222, host: port });
}

/**
 * Starts a NATS server with JetStream for this caller (about one second), with the additional
 * arguments `args`.
 */
export async function startNats(options: NatsOptions = {}): Promise<Backend> {
  const port = await freePort();
  const { Wait } = await loadTestcontainers();
  const unstarted = await natsContainer(port, options);
  const container = await unstarted.withWaitStrategy(Wait.forListeningPorts()).start();
  return backendOf(container, `nats://127.0.0.1:${port}`);
}

export interface NatsCluster {
  /** The URLs of all servers, as `NATS_URL` takes them. */
  url: string;
  /** Returns the server that leads the stream. */
  leaderOf(stream: string): Promise<Backend>;
  /** Removes all servers with their data. */
  remove(): Promise<void>;
}

interface JetStreamReport {
  account_details?: { stream_detail: { name: string; cluster: { leader?: string } }[] }[];
}

/** Starts three NATS servers that form a JetStream cluster (about three seconds). */
export async function startNatsCluster(): Promise<NatsCluster> {
  const names = ['one', 'two', 'three'];
  const routes = names.map((name) => `nats://${name}:6222`).join(',');
  const { Network, Wait } = await loadTestcontainers();
  const network = await new Network().start();
  const started = await Promise.all(
    names.map(async (name) => {
      const port = await freePort();
      const cluster = ['--cluster_name', 'test', '--cluster', 'nats://0.0.0.0:6222', '--routes', routes];
      const unstarted = await natsContainer(port, { args: ['-n', name, '-m', '8222', ...cluster] });
      const container = await unstarted
        .withNetwork(network)
        .withNetworkAliases(name)
        // Healthy means that the cluster has elected a leader.
        .withHealthCheck({
          test: ['CMD', 'wget', '-qO-', 'http://127.0.0.1:8222/healthz'],
          interval: 500,
          timeout: 1_000,
          retries: 120,
        })
        .withWaitStrategy(Wait.forHealthCheck())
        .start();
      return { name, container, backend: backendOf(container, `nats://127.0.0.1:${port}`) };
    }),
  );
  const servers = new Map(started.map(({ name, backend }) => [name, backend]));
  return {
    url: started.map(({ backend }) => backend.url).join(','),
    async leaderOf(stream) {
      const url = 'http://127.0.0.1:8222/jsz?streams=true';
      for (const { container } of started) {
        const { output } = await container.exec(['wget', '-qO-', url]);
        const { account_details: accounts = [] } = JSON.parse(output) as JetStreamReport;
        const streams = accounts.flatMap(({ stream_detail: detail }) => detail);
        const leader = servers.get(streams.find(({ name }) => name === stream)?.cluster.leader ?? '');
        if (leader) return leader;
      }
      throw new Error(`no server leads the stream ${stream}`);
    },
    async remove() {
      await Promise.all([...servers.values()].map((server) => server.remove()));
      await network.stop();
    },
  };
}

async function mongoContainer(): Promise<{ container: StartedTestContainer; url: string }> {
  const port = await freePort();
  const { GenericContainer, Wait } = await loadTestcontainers();
  const container = await new GenericContainer(MONGO_IMAGE)
    .withExposedPorts({ container: 27017, host: port })
    .withWaitStrategy(Wait.forListeningPorts())
    .withStartupTimeout(120_000)
    .start();
  return { container, url: `mongodb://127.0.0.1:${port}` };
}

/**
 * Starts a server with MongoDB's wire protocol for this caller. Prefer {@link sharedMongo}, because
 * it starts slowly.
 */
export async function startMongo(): Promise<MongoBackend> {
  const { container, url } = await mongoContainer();
  return {
    ...backendOf(container, url),
    async setReadOnly(isReadOnly) {
      const { exitCode, output } = await container.exec(['sh', '-c', readOnlyScript(isReadOnly)]);
      if (exitCode !== 0) throw new Error(`the server didn't change its mode: ${output}`);
    },
  };
}

/** The stand-in for MongoDB stores its documents in PostgreSQL. */
const readOnlyScript = (isReadOnly: boolean) => `
  if command -v psql; then
    psql -h 127.0.0.1 -U postgres -c 'SET default_transaction_read_only = off' \\
      -c 'ALTER SYSTEM SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}' -c 'SELECT pg_reload_conf()'
  else
    mongosh --quiet --eval 'db.${isReadOnly ? 'fsyncLock' : 'fsyncUnlock'}()'
  fi`;

/**
 * Returns the URL of the MongoDB server that all suites of this test run share; each suite uses its
 * own database name. The first caller starts the server; `run-teardown` removes it.
 */
export async function sharedMongo(): Promise<string> {
  const given = process.env['MONGODB_URL'];
  if (given) return given;
  const { url } = await oncePerRun('mongo', async () => {
    const { container, url } = await mongoContainer();
    return { id: container.getId(), url };
  });
  return url;
}
