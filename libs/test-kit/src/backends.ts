import { GenericContainer, getContainerRuntimeClient, Wait, type StartedTestContainer } from 'testcontainers';
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
  /** Stops it until `resume`. */
  halt(): Promise<void>;
  resume(): Promise<void>;
  /** Freezes its processes with open connections (SIGSTOP) until `unpause`. */
  pause(): Promise<void>;
  unpause(): Promise<void>;
  /** Removes it with its data. */
  remove(): Promise<void>;
}

export const NATS_IMAGE = process.env['NATS_IMAGE'] ?? 'nats:2.12-alpine';
export const MONGO_IMAGE = process.env['MONGO_IMAGE'] ?? 'mongo:8';

/** The host port is fixed, so that the address survives a restart. */
function backendOf(container: StartedTestContainer, url: string): Backend {
  const docker = async () => (await getContainerRuntimeClient()).container.getById(container.getId());
  return {
    url,
    async crash() {
      await (await docker()).kill({ signal: 'SIGKILL' });
      await (await docker()).start();
    },
    restart: async () => (await docker()).restart({ t: 10 }),
    halt: async () => (await docker()).stop({ t: 10 }),
    resume: async () => (await docker()).start(),
    pause: async () => {
      const dockerContainer = await docker();
      // On a busy machine Docker may time out before every process has stopped; it then resumes all
      // of them.
      await poll(
        () =>
          dockerContainer.pause().then(
            () => true,
            (error: unknown) => {
              if (String(error).includes('unable to freeze')) return false;
              throw error;
            },
          ),
        { what: 'the pause of the container' },
      );
    },
    unpause: async () => (await docker()).unpause(),
    remove: async () => void (await container.stop({ remove: true, removeVolumes: true, timeout: 0 })),
  };
}

/**
 * Starts a NATS server with JetStream for this caller (about one second), with the additional
 * arguments `args`. It stores its data in `folder` of this machine if that is set.
 */
export async function startNats({
  args = [],
  folder,
}: { args?: readonly string[]; folder?: string } = {}): Promise<Backend> {
  const port = await freePort();
  const container = await new GenericContainer(NATS_IMAGE)
    .withCommand(['-js', '-sd', '/data', ...args])
    .withBindMounts(folder === undefined ? [] : [{ source: folder, target: '/data' }])
    .withExposedPorts({ container: 4222, host: port })
    .withWaitStrategy(Wait.forListeningPorts())
    .start();
  return backendOf(container, `nats://127.0.0.1:${port}`);
}

async function mongoContainer(): Promise<{ container: StartedTestContainer; url: string }> {
  const port = await freePort();
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
export async function startMongo(): Promise<Backend> {
  const { container, url } = await mongoContainer();
  return backendOf(container, url);
}

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
