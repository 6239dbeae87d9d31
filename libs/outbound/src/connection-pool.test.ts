import { connect } from 'node:net';
import { poll, TEST_TIMEOUT_MS } from '@svcforms/test-kit';
import { ConnectionPool, type PooledConnection } from './connection-pool.ts';
import type { Dial } from './dial.ts';
import type { Target } from './check-url.ts';
import { startResponding, stopServers, type TestServer } from '../test/servers.ts';

jest.setTimeout(TEST_TIMEOUT_MS);

const TIMEOUT_MS = 5000;
const USE = { connectTimeoutMs: TIMEOUT_MS, accountId: undefined };

const pools: ConnectionPool[] = [];
function poolWith(dial: Dial): ConnectionPool {
  const pool = new ConnectionPool(dial);
  pools.push(pool);
  return pool;
}
afterEach(async () => {
  jest.restoreAllMocks();
  for (const pool of pools.splice(0)) pool.close(new Error('the test is over'));
  await stopServers();
});

function targetAt(port: number): Target {
  return { url: new URL(`http://127.0.0.1:${port}/`), refusalUnlessAllowed: null };
}

const dialDirectly: Dial = async ({ url }) => connect(Number(url.port), url.hostname);

async function startWebhookEndpoint(): Promise<TestServer> {
  return startResponding((socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'));
}

async function use(connection: PooledConnection): Promise<void> {
  const { body } = await connection.client.request({ method: 'POST', path: '/', body: 'END' });
  await body.dump();
}

describe('ConnectionPool', () => {
  it('reuses released connections, the last one first', async () => {
    const target = targetAt((await startWebhookEndpoint()).port);
    const pool = poolWith(dialDirectly);
    const connections = [pool.acquire(target, USE), pool.acquire(target, USE)];
    for (const connection of connections) {
      await use(connection);
      pool.release(connection);
    }

    expect([pool.acquire(target, USE), pool.acquire(target, USE)]).toEqual(connections.reverse());
  });

  it('removes an idle connection that the server closes', async () => {
    const server = await startWebhookEndpoint();
    const pool = poolWith(dialDirectly);
    const connection = pool.acquire(targetAt(server.port), USE);
    await use(connection);
    pool.release(connection);
    const disconnected = new Promise((resolve) => connection.client.once('disconnect', resolve));
    for (const socket of server.sockets) socket.destroy();
    await disconnected;

    expect(pool.acquire(targetAt(server.port), USE)).not.toBe(connection);
  });

  it('closes an idle connection before a server does that waits for 2 seconds', async () => {
    let closedBy = '';
    const server = await startResponding((socket) => {
      socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      socket.setTimeout(2000, () => (closedBy ||= 'server'));
      socket.once('end', () => (closedBy ||= 'client'));
    });
    const pool = poolWith(dialDirectly);
    const connection = pool.acquire(targetAt(server.port), USE);
    await use(connection);
    pool.release(connection);

    expect(await poll(() => closedBy !== '' && closedBy)).toBe('client');
  });

  it('replaces a connection after a minute', async () => {
    const server = await startWebhookEndpoint();
    const pool = poolWith(dialDirectly);
    const openedAt = performance.now();
    const connection = pool.acquire(targetAt(server.port), USE);
    await use(connection);
    pool.release(connection);
    jest.spyOn(performance, 'now').mockReturnValue(openedAt + 61_000);

    expect(pool.acquire(targetAt(server.port), USE)).not.toBe(connection);
    jest.restoreAllMocks();
    await poll(() => server.sockets.size === 0);
  });

  it('stops dialing when a connection is discarded', async () => {
    const signals: AbortSignal[] = [];
    const pool = poolWith((_target, { signal }) => {
      signals.push(signal);
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    const connection = pool.acquire(targetAt(9), USE);
    const used = use(connection);
    pool.discard(connection, new Error('given up'));

    await expect(used).rejects.toThrow('given up');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});
