import {
  atEnd,
  createClient,
  describeWith,
  newApiKey,
  poll,
  readEvents,
  startNats,
  startProcess,
  type EventReader,
  type ProductProcess,
} from '@svcforms/test-kit';
import { openLink, type UnsteadyLink } from '../chaos/unsteady-link.ts';
import { serviceSettings } from '../start/service-settings.ts';
import { hostAndPortOf } from './start-replica.ts';

const MAX_PER_KEY = 10;
const MAX_PER_ACCOUNT = 100;

describeWith(['nats', 'mongo'], 'stream limits of three processes', () => {
  jest.setTimeout(120_000);
  let links: UnsteadyLink[];
  let replicas: ProductProcess[];
  let apiKey: string;
  let open: EventReader[] = [];

  beforeAll(async () => {
    const nats = await startNats();
    atEnd(() => nats.remove());
    apiKey = newApiKey();
    const settings = await serviceSettings(nats.url, apiKey);
    const target = hostAndPortOf(nats.url);
    links = await Promise.all([1, 2, 3].map(() => openLink(target)));
    // The first account is created by the standalone, which serves hitl's streams too.
    replicas = [];
    for (const { port } of links) {
      const env = { ...settings, NATS_URL: `nats://127.0.0.1:${port}` };
      replicas.push(await startProcess('standalone', { env }));
    }
  }, 120_000);
  afterEach(() => {
    for (const reader of open) reader.close();
    open = [];
  });

  async function aKey(): Promise<string> {
    const client = createClient({ baseUrl: replicas[0]?.url ?? '', token: apiKey });
    const body = { name: 'Reader', scopes: ['events:read'] };
    return (await client.post<{ key: string }>('/api/keys', { body, expect: 201 })).body.data.key;
  }

  /** Opens a stream at that process; returns its status. */
  async function openAt(replica: number, token: string): Promise<number> {
    const reader = await readEvents(`${replicas[replica]?.url}/api/mcp/events/*`, { token });
    if (reader.status === 200) open.push(reader);
    return reader.status;
  }

  const openAll = (token: string, at: readonly number[]) =>
    Promise.all(at.map((replica) => openAt(replica, token)));

  const accepted = (statuses: readonly number[]) => statuses.filter((status) => status === 200).length;

  const accepts = (replica: number, token: string) => async () => (await openAt(replica, token)) === 200;

  it('allow ten streams per key in total, even at the same moment, and a new one for each that ends', async () => {
    const key = await aKey();
    const statuses = await openAll(
      key,
      Array.from({ length: 18 }, (_, n) => n % 3),
    );

    expect(accepted(statuses)).toBe(MAX_PER_KEY);
    expect(statuses.filter((status) => status === 429)).toHaveLength(18 - MAX_PER_KEY);
    open.shift()?.close();
    await poll(accepts(1, key), { what: 'a stream in place of the closed one' });
    expect(await openAll(key, [0, 1, 2])).toEqual([429, 429, 429]);
  });

  it('allow a hundred streams per account in total', async () => {
    const keys = await Promise.all(Array.from({ length: 12 }, () => aKey()));
    const statuses = (
      await Promise.all(
        keys.map((key, n) =>
          openAll(
            key,
            Array.from({ length: 9 }, (_, m) => (n + m) % 3),
          ),
        ),
      )
    ).flat();

    expect(accepted(statuses)).toBe(MAX_PER_ACCOUNT);
    for (const reader of open) reader.close();
    open = [];
    await poll(accepts(2, keys[0] ?? ''), { what: 'a stream after all have ended' });
  });

  it('forget the streams of a process that was killed', async () => {
    const key = await aKey();
    expect(accepted(await openAll(key, [0, 0, 0, 0, 1, 1, 1, 2, 2, 2]))).toBe(MAX_PER_KEY);
    await replicas[2]?.kill('SIGKILL');

    expect(await openAt(0, key)).toBe(429);
    await poll(accepts(0, key), { timeoutMs: 15_000, what: 'a stream in place of one that was killed' });

    const more = await openAll(key, [0, 1, 0, 1]);
    expect(accepted(more)).toBe(2);
    await replicas[2]?.restart();
    expect(await openAt(2, key)).toBe(429);
  });

  it('are counted by each process alone while NATS is cut off, and together again afterwards', async () => {
    const key = await aKey();
    expect(accepted(await openAll(key, [0, 0, 0, 0, 1, 1, 1, 1]))).toBe(8);
    for (const link of links) link.cut();

    expect(await openAll(key, [0, 0, 2, 2])).toEqual([200, 200, 200, 200]);
    const own = await openAll(key, Array<number>(8).fill(0));
    expect(accepted(own)).toBe(MAX_PER_KEY - 6);

    for (const link of links) link.mend();
    // A stream that is accepted meanwhile is closed, so that the process doesn't reach the limit
    // alone.
    const isRefused = async () => {
      if ((await openAt(1, key)) === 429) return true;
      open.pop()?.close();
      return false;
    };
    await poll(isRefused, { timeoutMs: 60_000, what: 'the streams of the other processes' });
    expect(await openAll(key, [0, 1, 2])).toEqual([429, 429, 429]);
  });
});
