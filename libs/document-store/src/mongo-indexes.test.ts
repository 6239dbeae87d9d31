import { atEnd, createGate } from '@svcforms/test-kit';
import { startReplicaSet } from '../test/replica-set.ts';
import { connectMongoStore } from './mongo.ts';
import type { Filter } from './port/port.ts';

describe('ensureIndexes', () => {
  it('waits for an index that takes longer to build than other calls may take', async () => {
    const built = createGate();
    const { hosts } = await startReplicaSet(async (command) => {
      if (command === 'createIndexes') await built.passed;
      if (command === 'find') await new Promise(() => {});
    });
    const url = `mongodb://${hosts.join(',')}/forms?replicaSet=rs`;
    const store = await connectMongoStore({ url, socketTimeoutMs: 200 });
    atEnd(() => store.close());
    const entries = store.collection({ name: 'entries', indexes: [{ keys: ['n'] }] });
    const ensuring = store.ensureIndexes();
    ensuring.catch(() => {});
    await expect(entries.findOne({ _id: 'a' })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    built.open();
    await expect(ensuring).resolves.toBeUndefined();
  });
});

describe('a range of a field with a sparse index', () => {
  const range = { $gte: '2026-01', $lt: '2026-02' };
  const stated = { $exists: true, ...range };

  async function sentFilter(filter: Filter): Promise<unknown> {
    const { hosts, primary } = await startReplicaSet();
    const store = await connectMongoStore({ url: `mongodb://${hosts.join(',')}/forms?replicaSet=rs` });
    atEnd(() => store.close());
    const entries = store.collection({ name: 'entries', indexes: [{ keys: ['due'], sparse: true }] });
    await entries.find(filter);
    return primary.commands.find((command) => 'find' in command)?.['filter'];
  }

  it('is sent with the statement that the field exists, which DocumentDB needs to use the index', async () => {
    expect(await sentFilter({ due: range })).toEqual({ due: stated });
    expect(await sentFilter({ $or: [{ due: range }, { $and: [{ due: range, at: range }] }] })).toEqual({
      $or: [{ due: stated }, { $and: [{ due: stated, at: range }] }],
    });
  });

  it('is sent as it is if the filter says that the field is absent', async () => {
    const filter = { due: { $exists: false, ...range } };
    expect(await sentFilter(filter)).toEqual(filter);
  });

  it.each([{ due: null }, { due: 'a' }, { due: { $ne: 'a' } }])(
    'is the only comparison that is sent with it, unlike %j',
    async (filter) => {
      expect(await sentFilter(filter)).toEqual(filter);
    },
  );
});
