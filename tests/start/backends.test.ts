import {
  atEnd,
  describeWith,
  freePort,
  sharedMongo,
  startNats,
  type Backend,
  type ProcessName,
} from '@svcforms/test-kit';
import { MongoClient, type Collection, type Document } from 'mongodb';
import { randomUUID } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import { EXIT, expectFailedStart } from './failed-start.ts';
import { serviceSettings } from './service-settings.ts';

jest.setTimeout(60_000);

const SERVICES = ['forms-api', 'inbound-gateway', 'webhook-dispatcher', 'hitl'] as const;

/** Returns an address that accepts connections and never responds. */
async function silentAddress(): Promise<string> {
  const sockets = new Set<{ destroy(): void }>();
  const server = createServer((socket) => void sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const closedAddress = async () => `127.0.0.1:${await freePort()}`;

describe('a process whose backend does not respond', () => {
  it.concurrent.each<[ProcessName, string, () => Promise<string>]>([
    ['standalone', 'is unreachable', closedAddress],
    ['forms-api', 'is unreachable', closedAddress],
    ['inbound-gateway', 'is unreachable', closedAddress],
    ['webhook-dispatcher', 'is unreachable', closedAddress],
    ['standalone', 'does not respond', silentAddress],
  ])('exits when it is %s and its MongoDB server %s', async (name, _, addressOf) => {
    const address = await addressOf();
    const env = {
      ...(name === 'standalone' ? {} : { NATS_URL: 'nats://127.0.0.1:1' }),
      MONGODB_URL: `mongodb://user:secret@${address}/svcforms?authSource=admin`,
      SVC_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
    };
    const message = `MongoDB at ${address} doesn't respond`;
    await expectFailedStart(name, env, { code: EXIT.unavailable, message, secret: 'secret' });
  });

  it.concurrent.each<[string, () => Promise<string>]>([
    ['is unreachable', closedAddress],
    ['does not respond', silentAddress],
  ])('exits when it is the standalone and its NATS server %s', async (_, addressOf) => {
    const address = await addressOf();
    const env = { NATS_URL: `nats://user:secret@${address}` };
    const message = `NATS at ${address}`;
    await expectFailedStart('standalone', env, { code: EXIT.unavailable, message, secret: 'secret' });
  });
});

describeWith(['mongo'], 'a process with a reachable MongoDB server', () => {
  it('exits when MongoDB denies access', async () => {
    const { host } = new URL(await sharedMongo());
    const env = { MONGODB_URL: `mongodb://nobody:secret@${host}/svcforms?authSource=admin` };
    const message = `MongoDB at ${host} responded with error AuthenticationFailed`;
    await expectFailedStart('standalone', env, { code: EXIT.unavailable, message, secret: 'secret' });
  });

  it.each([
    {
      why: 'another one has its name',
      code: EXIT.configuration,
      reason: 'an existing index differs; drop it',
      prepare: (users: Collection<Document>) => users.createIndex({ name: 1 }, { name: 'email_unique' }),
    },
    {
      why: 'two documents have the same key',
      code: 1,
      reason: 'several documents have the same key; leave one of them',
      prepare: (users: Collection<Document>) =>
        users.insertMany([{ email: 'ada@secret' }, { email: 'ada@secret' }]),
    },
  ])(
    'exits and says which collection, and what to do, if MongoDB refuses an index because $why',
    async (refused) => {
      const url = `${await sharedMongo()}/test_${randomUUID().slice(0, 8)}`;
      const client = new MongoClient(url);
      atEnd(() => client.close());
      await refused.prepare(client.db().collection('users'));
      const message = `can't create the indexes of the collection users: ${refused.reason} (`;
      const expected = { code: refused.code, message, secret: 'secret' };
      await expectFailedStart('standalone', { MONGODB_URL: url }, expected);
    },
  );
});

describeWith(['nats', 'mongo'], 'a process with a reachable NATS server', () => {
  let nats: Backend;

  beforeAll(async () => {
    nats = await startNats({ args: ['--user', 'somebody', '--pass', 'right'] });
    atEnd(() => nats.remove());
  });

  const withUser = (user: string) => nats.url.replace('//', `//${user}@`);

  it.each<ProcessName>(['standalone', ...SERVICES])(
    'exits when it is %s and NATS denies access',
    async (name) => {
      const url = withUser('somebody:secret');
      const env = name === 'standalone' ? { NATS_URL: url } : await serviceSettings(url);
      const expected = { code: EXIT.unavailable, message: 'Authorization Violation', secret: 'secret' };
      await expectFailedStart(name, env, expected);
    },
  );

  it.each<ProcessName>(['standalone', 'inbound-gateway'])(
    'exits when it is %s and a single NATS server has to store several replicas',
    async (name) => {
      const settings = await serviceSettings(withUser('somebody:right'));
      const env = { ...settings, SVC_STREAM_REPLICAS: '3' };
      await expectFailedStart(name, env, { code: EXIT.configuration, message: 'SVC_STREAM_REPLICAS=3' });
    },
  );

  it('exits when NATS has no room for the events', async () => {
    const env = { NATS_URL: withUser('somebody:right'), SVC_STREAM_MAX_BYTES: `${2 ** 52}` };
    await expectFailedStart('standalone', env, { code: EXIT.noRoom, message: 'SVC_STREAM_MAX_BYTES' });
  });
});
