import { connect } from 'node:net';
import { poll, TEST_TIMEOUT_MS } from '@svcforms/test-kit';
import { ConnectionPool, type Lane } from './connection-pool.ts';
import type { Dial } from './dial.ts';
import type { Target } from './judge-url.ts';
import { startAnswering, stopServers, type TestServer } from './testing.ts';

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
  return { url: new URL(`http://127.0.0.1:${port}/`), unlessAllowed: null };
}

const dialDirectly: Dial = async ({ url }) => connect(Number(url.port), url.hostname);

async function startWebhookEndpoint(): Promise<TestServer> {
  return startAnswering((socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'));
}

async function use(lane: Lane): Promise<void> {
  const { body } = await lane.client.request({ method: 'POST', path: '/', body: 'END' });
  await body.dump();
}

describe('ConnectionPool', () => {
  it('hands out again what was given back, the last one first', async () => {
    const target = targetAt((await startWebhookEndpoint()).port);
    const pool = poolWith(dialDirectly);
    const lanes = [pool.take(target, USE), pool.take(target, USE)];
    for (const lane of lanes) {
      await use(lane);
      pool.giveBack(lane);
    }

    expect([pool.take(target, USE), pool.take(target, USE)]).toEqual(lanes.reverse());
  });

  it('forgets an idle connection that the other side closed', async () => {
    const server = await startWebhookEndpoint();
    const pool = poolWith(dialDirectly);
    const lane = pool.take(targetAt(server.port), USE);
    await use(lane);
    pool.giveBack(lane);
    const disconnected = new Promise((resolve) => lane.client.once('disconnect', resolve));
    for (const socket of server.sockets) socket.destroy();
    await disconnected;

    expect(pool.take(targetAt(server.port), USE)).not.toBe(lane);
  });

  it('closes a connection that is a minute old instead of handing it out again', async () => {
    const server = await startWebhookEndpoint();
    const pool = poolWith(dialDirectly);
    const openedAt = performance.now();
    const lane = pool.take(targetAt(server.port), USE);
    await use(lane);
    pool.giveBack(lane);
    jest.spyOn(performance, 'now').mockReturnValue(openedAt + 61_000);

    expect(pool.take(targetAt(server.port), USE)).not.toBe(lane);
    jest.restoreAllMocks();
    await poll(() => server.sockets.size === 0);
  });

  it('stops dialling for a lane that is dropped', async () => {
    const signals: AbortSignal[] = [];
    const pool = poolWith((_target, { signal }) => {
      signals.push(signal);
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    const lane = pool.take(targetAt(9), USE);
    const used = use(lane);
    pool.drop(lane, new Error('given up'));

    await expect(used).rejects.toThrow('given up');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});
