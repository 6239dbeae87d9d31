import { describeWith, poll, root, startNats, type Backend } from '@svcforms/test-kit';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { readFileSync } from 'node:fs';
import { anEvent } from '../test/conformance/events.ts';
import { twoEvents } from '../test/conformance/publish-together.ts';
import { connectNatsBus } from './nats.ts';
import type { EventBus } from './port/port.ts';

const USERS = [
  'forms-api',
  'inbound-gateway',
  'hitl',
  'webhook-dispatcher',
  'embed-cdn',
  'admin',
  'backup',
] as const;
/** Backups change nothing, so they have nothing to announce. */
const ANNOUNCING = USERS.filter((user) => user !== 'backup');
type User = (typeof USERS)[number];

const CONFIG = readFileSync(`${root}k8s/nats/authorization.conf`, 'utf8');
const passwordOf = (user: User) => `secret-of-${user}`;
const PASSWORDS = Object.fromEntries(
  USERS.map((user) => [`NATS_${user.toUpperCase().replaceAll('-', '_')}_PASSWORD`, passwordOf(user)]),
);
const ACCOUNT = 'acc_01J9ZC3V6M8K2Q4R5S7T9W1X3Y';
/** Never a reply of the server. */
const ALLOWED = 'allowed';

describeWith(['nats'], 'the NATS users of k8s/nats/authorization.conf', () => {
  jest.setTimeout(60_000);
  let nats: Backend;
  const buses = new Map<User, EventBus>();
  const connections: NatsConnection[] = [];

  const busOf = (user: User): EventBus => {
    const bus = buses.get(user);
    if (!bus) throw new Error(`${user} has no bus`);
    return bus;
  };
  const urlOf = (user: User) => nats.url.replace('nats://', `nats://${user}:${passwordOf(user)}@`);

  beforeAll(async () => {
    const files = { '/etc/authorization.conf': CONFIG };
    nats = await startNats({ args: ['-c', '/etc/authorization.conf'], files, env: PASSWORDS });
    // The first one creates the stream, and every other one would resize it if it could.
    for (const [index, name] of USERS.entries()) {
      const maxBytes = 1024 ** 2 * (index + 1);
      buses.set(name, await connectNatsBus({ url: urlOf(name), name, maxBytes }));
    }
  }, 60_000);

  afterAll(async () => {
    await Promise.all([...buses.values()].map((bus) => bus.close()));
    await Promise.all(connections.map((connection) => connection.close()));
    await nats?.remove();
  });

  it.each<[User, Parameters<typeof anEvent>[0]]>([
    ['forms-api', { type: 'form.submission.new' }],
    ['inbound-gateway', { type: 'submission.created' }],
    ['hitl', { type: 'hitl.task.created' }],
    ['hitl', { type: 'decision.approved' }],
    ['admin', { type: 'decision.requested' }],
  ])('let %s publish %j, and find it in the log', async (user, overrides) => {
    const event = anEvent({ ...overrides, accountId: ACCOUNT });
    await busOf(user).publish(event);
    const since = new Date(Date.now() - 60_000).toISOString();
    expect(await busOf(user).publishedSince(ACCOUNT, since)).toContain(event.id);
  });

  it('let hitl, the admin command and backups read the log', async () => {
    for (const user of ['hitl', 'admin', 'backup'] as const) {
      const stop = new AbortController();
      const after = await busOf(user).oldest();
      await busOf('forms-api').publish(anEvent());
      const [first] = await take(busOf(user).tail({ after, signal: stop.signal }));
      expect(first?.event.id).toMatch(/./);
      stop.abort();
      await busOf(user).position();
    }
  });

  it('let forms-api, the admin command and backups read the clock of the server', async () => {
    for (const user of ['forms-api', 'admin', 'backup'] as const) {
      const before = Date.now();
      const time = await busOf(user).serverTime();
      // The server runs on this machine.
      expect(time).toBeGreaterThan(before - 5_000);
      expect(time).toBeLessThan(Date.now() + 5_000);
    }
  });

  it('let the dispatcher, the admin command and backups find the first event that the dispatcher has not read', async () => {
    const dispatcher = busOf('webhook-dispatcher');
    const consumption = await dispatcher.consume(
      'dispatcher',
      { batch: 100, ackWaitMs: 5_000 },
      async () => {},
    );
    await poll(async () => (await dispatcher.unread()) === (await dispatcher.position()));
    await consumption.stop();
    const read = await dispatcher.position();
    await busOf('forms-api').publish(anEvent());
    for (const user of ['webhook-dispatcher', 'admin', 'backup'] as const) {
      expect(await busOf(user).unread()).toBe(read);
      expect(await busOf(user).hasEventAfter(read)).toBe(true);
    }
  });

  it('let the dispatcher consume, trim and erase the log', async () => {
    const dispatcher = busOf('webhook-dispatcher');
    const erased = anEvent({ accountId: 'acc_01J9ZC3V6M8K2Q4R5S7T9W1X3Z' });
    await busOf('forms-api').publish(erased);
    const seen: string[] = [];
    const all = new Promise<void>((resolve) => {
      void Promise.all(
        ['dispatcher', 'notifier'].map((durable) =>
          dispatcher.consume(durable, { batch: 100, ackWaitMs: 5_000 }, async (batch) => {
            seen.push(...batch.map(({ event }) => event.id));
            if (seen.filter((id) => id === erased.id).length === 2) resolve();
          }),
        ),
      );
    });
    await all;
    expect(await dispatcher.erase(erased.accountId, 'all')).toBe(1);
    await dispatcher.trim({ maxAgeMs: 3600_000, maxBytes: 1024 ** 3 });
    for (const user of ['webhook-dispatcher', 'forms-api'] as const) {
      expect(await busOf(user).lag('dispatcher')).toBeGreaterThanOrEqual(0);
    }
  });

  it.each([false, true])(
    'let every service that accepts submissions publish both events as one message (quiet: %s)',
    async (quiet) => {
      const seqNow = async () => Number((await busOf('hitl').position()).split('-')[1]);
      for (const user of ['forms-api', 'inbound-gateway', 'hitl'] as const) {
        // The consumers have existed since the previous test. Each bus finds that out first.
        await poll(async () => {
          const before = await seqNow();
          await busOf(user).publishTogether(twoEvents({ accountId: ACCOUNT, ...(quiet && { quiet }) }));
          return (await seqNow()) === before + 1;
        });
      }
    },
  );

  it('let every service that limits requests share its counters', async () => {
    for (const user of ['forms-api', 'inbound-gateway', 'hitl'] as const) {
      const values = busOf(user).sharedValues;
      const revision = await values?.replace(user, 'counted', { revision: null, ttlMs: 60_000 });
      expect(await values?.read(user)).toEqual({ text: 'counted', revision });
    }
  });

  it('let every service broadcast to all others', async () => {
    for (const sender of ANNOUNCING) {
      const message = `changed by ${sender}`;
      const heard = USERS.map(
        (user) =>
          new Promise<void>((resolve) => {
            busOf(user).listen({
              onMessage: (text) => text === message && resolve(),
              onGap: () => {},
            });
          }),
      );
      await busOf(sender).broadcast(message);
      await Promise.all(heard);
    }
  });

  it.each<[User, string]>([
    ['forms-api', `svc.evt.${ACCOUNT}.decision.approved`],
    ['forms-api', `svc.evt.${ACCOUNT}.hitl.task.created`],
    ['forms-api', '$JS.API.STREAM.UPDATE.SVC_EVENTS'],
    ['forms-api', '$JS.API.STREAM.DELETE.SVC_EVENTS'],
    ['forms-api', '$JS.API.CONSUMER.DELETE.SVC_EVENTS.dispatcher'],
    ['inbound-gateway', `svc.evt.${ACCOUNT}.decision.approved`],
    ['inbound-gateway', '$JS.API.CONSUMER.MSG.NEXT.SVC_EVENTS.dispatcher'],
    ['inbound-gateway', '$JS.API.STREAM.PURGE.SVC_EVENTS'],
    ['inbound-gateway', '$JS.API.CONSUMER.DURABLE.CREATE.SVC_EVENTS.mine'],
    ['inbound-gateway', '$JS.API.CONSUMER.CREATE.SVC_EVENTS.mine'],
    ['hitl', '$JS.API.STREAM.MSG.DELETE.SVC_EVENTS'],
    ['hitl', '$JS.ACK.SVC_EVENTS.dispatcher.1.1.1.1.0'],
    ['webhook-dispatcher', `svc.evt.${ACCOUNT}.form.submission.new`],
    ['webhook-dispatcher', '$JS.API.STREAM.DELETE.SVC_EVENTS'],
    ['webhook-dispatcher', '$JS.API.STREAM.CREATE.OTHER'],
    ['admin', '$JS.API.STREAM.DELETE.SVC_EVENTS'],
    ['backup', 'svc.broadcast'],
    ['backup', `svc.evt.${ACCOUNT}.form.submission.new`],
    ['backup', '$JS.API.STREAM.UPDATE.SVC_EVENTS'],
    ['backup', '$JS.API.STREAM.MSG.DELETE.SVC_EVENTS'],
    ['backup', '$JS.API.CONSUMER.DELETE.SVC_EVENTS.dispatcher'],
    ...USERS.map((user) => [user, 'elsewhere'] as [User, string]),
    ...USERS.map((user) => [user, '_INBOX.another.service'] as [User, string]),
  ])('refuse a publish of %s to %s', async (user, subject) => {
    const connection = await connectAs(user);
    await expect(publishTo(connection, subject)).resolves.toMatch(
      new RegExp(`Permissions Violation for Publish to "${escaped(subject)}"`, 'i'),
    );
  });

  it.each<[User, string]>([
    ...USERS.map((user) => [user, 'svc.evt.>'] as [User, string]),
    ...USERS.map((user) => [user, '_INBOX.>'] as [User, string]),
    ['inbound-gateway', '_INBOX.forms-api.>'],
    ['hitl', '$JS.API.>'],
  ])('refuse a subscription of %s to %s', async (user, subject) => {
    const connection = await connectAs(user);
    const outcome = await new Promise<string>((resolve) => {
      connection.subscribe(subject, {
        callback: (error) => resolve(error ? error.message : ALLOWED),
      });
      void connection.flush().then(() => setImmediate(() => resolve(ALLOWED)));
    });
    expect(outcome).toMatch(/Permissions Violation for Subscription/i);
  });

  it('refuse everyone else', async () => {
    for (const url of [nats.url, nats.url.replace('nats://', 'nats://forms-api:wrong@')]) {
      await expect(connectNatsBus({ url, name: 'forms-api' })).rejects.toMatchObject({ code: 'DENIED' });
    }
  });

  async function connectAs(user: User): Promise<NatsConnection> {
    const { port } = new URL(nats.url);
    const connection = await connect({
      servers: `127.0.0.1:${port}`,
      user,
      pass: passwordOf(user),
      noAsyncTraces: true,
    });
    connections.push(connection);
    return connection;
  }
});

/** Returns the error that the server reports for the publish, or `ALLOWED`. */
async function publishTo(connection: NatsConnection, subject: string): Promise<string> {
  const reported = (async () => {
    for await (const status of connection.status()) if (status.type === 'error') return status.error.message;
    return ALLOWED;
  })();
  connection.publish(subject, '{}');
  // The server handles requests in order, so its error precedes the response.
  const flushed = connection
    .flush()
    .then(() => new Promise<string>((resolve) => setImmediate(() => resolve(ALLOWED))));
  return Promise.race([reported, flushed]);
}

const escaped = (text: string) => text.replace(/[$.*]/g, '\\$&');

async function take<T>(items: AsyncIterable<T>): Promise<T[]> {
  for await (const item of items) return [item];
  return [];
}
