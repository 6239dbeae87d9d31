import { atEnd, createGate } from '@svcforms/test-kit';
import { startReplicaSet } from '../test/replica-set.ts';
import { connectMongoStore } from './mongo.ts';

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
