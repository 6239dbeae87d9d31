import { GenericContainer, getContainerRuntimeClient, Wait, type StartedTestContainer } from 'testcontainers';
import { freePort } from './free-port.ts';
import { oncePerRun } from './once-per-run.ts';
import { poll } from './poll.ts';

/** A real engine that a test may stop, start and pull the plug of. */
export interface Backend {
  url: string;
  /** Ends it as a crash would (SIGKILL) and starts it again on the same address with the same data. */
  crash(): Promise<void>;
  /** Stops it in order and starts it again on the same address with the same data. */
  restart(): Promise<void>;
  /** Stops it until `resume`. */
  halt(): Promise<void>;
  resume(): Promise<void>;
  /** Has it stand still, with its connections open (SIGSTOP), until `unpause`. */
  pause(): Promise<void>;
  unpause(): Promise<void>;
  /** Removes it with its data. */
  remove(): Promise<void>;
}

const NATS_IMAGE = process.env['NATS_IMAGE'] ?? 'nats:2.12-alpine';
const MONGO_IMAGE = process.env['MONGO_IMAGE'] ?? 'mongo:8';

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
      // On a busy machine some process of it may not have been stopped in Docker's time, and then all go on.
      await poll(
        () =>
          dockerContainer.pause().then(
            () => true,
            (error: unknown) => {
              if (String(error).includes('unable to freeze')) return false;
              throw error;
            },
          ),
        { what: 'the container to stand still' },
      );
    },
    unpause: async () => (await docker()).unpause(),
    remove: async () => void (await container.stop({ remove: true, removeVolumes: true, timeout: 0 })),
  };
}

/**
 * A NATS server with JetStream of the caller's own (starts in about a second), told `args` beside the usual. Its data are in
 * `folder` of this machine where one is given.
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

/** A server that speaks MongoDB's wire protocol, of the caller's own. Prefer {@link sharedMongo}: it starts slowly. */
export async function startMongo(): Promise<Backend> {
  const { container, url } = await mongoContainer();
  return backendOf(container, url);
}

/**
 * The address of one MongoDB wire server that all suites of this test run share (a suite takes a database of its own
 * name). The first suite that asks starts it; `run-teardown` removes it.
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
