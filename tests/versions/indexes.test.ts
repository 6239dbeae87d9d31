import { atEnd, describeWith, runToEnd, sharedMongo } from '@svcforms/test-kit';
import { MongoClient } from 'mongodb';
import { randomUUID } from 'node:crypto';

const PROCESSES = 8;
/** Two busy cores need half a minute for all of them. */
const TIMEOUT_MS = 120_000;

jest.setTimeout(TIMEOUT_MS + 10_000);

/**
 * Indexes as an earlier version might have defined them: sparse, with another sort order, or
 * shorter.
 */
const EARLIER = [
  { collection: 'webhooks', now: 'failingSince', key: { failingSince: 1 }, sparse: true },
  { collection: 'deliveries', now: 'dueAt_partial', key: { dueAt: 1 } },
  { collection: 'tasks', now: 'dedupe_unique_sparse', key: { dedupe: 1 } },
  { collection: 'submissions', now: 'formId_-createdAt_-_id', key: { formId: 1, createdAt: -1 } },
] as const;

/** Every process of the product starts with this step; `indexes ensure` runs nothing else. */
describeWith(['mongo'], `${PROCESSES} processes that create the indexes in parallel`, () => {
  let url: string;
  let client: MongoClient;

  beforeAll(async () => {
    url = `${await sharedMongo()}/indexes_${randomUUID().slice(0, 8)}`;
    client = await new MongoClient(url).connect();
    atEnd(() => client.close());
  });

  const makeAtOnce = () =>
    Promise.all(
      Array.from({ length: PROCESSES }, () =>
        runToEnd('admin', {
          args: ['indexes', 'ensure'],
          env: { MONGODB_URL: url },
          timeoutMs: TIMEOUT_MS,
        }),
      ),
    );
  const succeeded = Array.from(
    { length: PROCESSES },
    () => expect.objectContaining({ code: 0, stderr: '' }) as object,
  );

  async function namesOf(collection: string): Promise<string[]> {
    const indexes = await client.db().collection(collection).indexes();
    return indexes.map(({ name = '' }) => name).toSorted();
  }

  it('create them in an empty database', async () => {
    expect(await makeAtOnce()).toEqual(succeeded);
    for (const { collection, now } of EARLIER) expect(await namesOf(collection)).toContain(now);
    expect(await namesOf('deliveries')).toContain('_expireAt');
  });

  it('change nothing when they exist', async () => {
    const before = await Promise.all(EARLIER.map(({ collection }) => namesOf(collection)));
    expect(await makeAtOnce()).toEqual(succeeded);
    expect(await Promise.all(EARLIER.map(({ collection }) => namesOf(collection)))).toEqual(before);
  });

  it('create those with a changed definition next to those of an earlier version', async () => {
    for (const { collection, now, ...earlier } of EARLIER) {
      await client.db().collection(collection).dropIndex(now);
      await client
        .db()
        .collection(collection)
        .createIndexes([{ ...earlier, name: `earlier_${now}` }]);
    }
    expect(await makeAtOnce()).toEqual(succeeded);
    for (const { collection, now } of EARLIER) {
      expect(await namesOf(collection)).toEqual(expect.arrayContaining([now, `earlier_${now}`]));
    }
  });

  it('replace sparse indexes of an earlier version with partial ones', async () => {
    const deliveries = client.db().collection('deliveries');
    await deliveries.dropIndex('waiting_partial');
    await deliveries.createIndex({ waiting: 1 }, { name: 'waiting_sparse', sparse: true });
    expect(await makeAtOnce()).toEqual(succeeded);
    const names = await namesOf('deliveries');
    expect(names).toContain('waiting_partial');
    expect(names).not.toContain('waiting_sparse');
  });
});
