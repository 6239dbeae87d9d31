import { connectMongoStore } from '@svcforms/document-store/mongo';
import {
  atEnd,
  createClient,
  createFormWithWebhook,
  describeWith,
  newApiKey,
  startMongo,
  startNats,
  startProcess,
} from '@svcforms/test-kit';
import { EVENT_TYPES, collectEvidence, type Evidence } from '../loss/evidence.ts';
import { lossScenarios } from '../loss/loss-scenarios.ts';
import { sendWhile } from '../loss/send-while.ts';
import { mountSmallDisk } from '../outages/small-disk.ts';
import { serviceSettings } from '../start/service-settings.ts';
import { faultsOf } from './faults.ts';
import { seededRandom, shuffled } from './random.ts';
import { startRecordingEndpoint, type Overlap } from './recording-endpoint.ts';
import { openLink } from './unsteady-link.ts';

/**
 * `npm run chaos` sets both. Each round runs every kind of fault once, in an order derived from
 * the seed.
 */
const SEED = Number(process.env['SVC_TEST_CHAOS_SEED'] ?? 1);
const ROUNDS = Number(process.env['SVC_TEST_CHAOS_ROUNDS'] ?? 1);
const REQUESTS_PER_FAULT = 80;
const MIB = 1024 ** 2;
/** Retries outlast every fault, and no webhook is disabled because of them. */
const CHAOS_SETTINGS = {
  SVC_DELIVERY_TIMEOUT_MS: '2000',
  SVC_STREAM_MAX_BYTES: String(32 * MIB),
  SVC_RETRY_SCHEDULE: Array.from({ length: 30 }, () => '0.5').join(),
};

describeWith(['nats', 'mongo', 'root'], `services and backends that fail repeatedly (seed ${SEED})`, () => {
  let evidence: Evidence;
  let overlaps: readonly Overlap[];

  beforeAll(
    async () => {
      const random = seededRandom(SEED);
      const apiKey = newApiKey();
      const disk = mountSmallDisk(64 * MIB);
      const [nats, mongo] = await Promise.all([startNats({ folder: disk.folder }), startMongo()]);
      atEnd(() => Promise.all([nats.remove(), mongo.remove()]));
      const [toNats, toMongo] = await Promise.all(
        [nats, mongo].map(({ url }) => openLink(hostAndPortOf(url))),
      );
      if (!toNats || !toMongo) throw new Error('no links');
      const env = {
        ...(await serviceSettings(`nats://127.0.0.1:${toNats.port}`, apiKey)),
        ...CHAOS_SETTINGS,
        MONGODB_URL: `mongodb://127.0.0.1:${toMongo.port}/chaos`,
      };
      const formsApi = await startProcess('forms-api', { env });
      const gateway = await startProcess('inbound-gateway', { env });
      const dispatchers = [
        await startProcess('webhook-dispatcher', { env }),
        await startProcess('webhook-dispatcher', { env }),
      ] as const;
      const { url, accepted, overlaps: recorded, webhookEndpoint } = await startRecordingEndpoint(random);
      const client = createClient({ baseUrl: formsApi.url, token: apiKey });
      const { inbound } = await createFormWithWebhook(client, url, { events: EVENT_TYPES });
      const store = await connectMongoStore({ url: `${mongo.url}/chaos` });
      atEnd(() => store.close());

      const kinds = faultsOf({ gateway, dispatchers, nats, mongo, disk, toNats, toMongo }, random);
      const order = Array.from({ length: ROUNDS }, () => shuffled(kinds, random)).flat();
      const load = await sendWhile({
        count: REQUESTS_PER_FAULT * (order.length + 1),
        baseUrl: gateway.url,
        inbound,
        faults: order.map(({ name, run }) => async () => {
          process.stderr.write(`chaos: ${name}\n`);
          await run();
        }),
        mayBeUnavailable: true,
      });
      const found = await collectEvidence(load, { store, webhookEndpoint, kills: order.length });
      evidence = { ...found, received: accepted };
      overlaps = recorded;
    },
    240_000 + ROUNDS * 240_000,
  );

  lossScenarios(() => evidence);

  it('make no overlapping attempts of one delivery', () => {
    expect(overlaps).toEqual([]);
  });

  it('repeat only deliveries that were in progress during a failure', () => {
    const distinct = new Set(evidence.received.map(({ headers }) => headers['svc-event-id'])).size;
    expect(evidence.received.length - distinct).toBeLessThanOrEqual(evidence.kills * 2 * 64);
  });

  it('record attempts in order, with the success last', () => {
    const wrong = evidence.deliveries.filter(({ attempts }) => {
      const times = attempts.map(({ at }) => at);
      const successes = attempts.filter(({ status }) => status === 200);
      return (
        times.join() !== times.toSorted().join() || successes.length !== 1 || attempts.at(-1)?.status !== 200
      );
    });
    expect(wrong).toEqual([]);
  });

  it('leave no lease and an empty queue', () => {
    expect(evidence.deliveries.filter(({ owner, dueAt, waiting }) => owner ?? dueAt ?? waiting)).toEqual([]);
  });
});

function hostAndPortOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}
