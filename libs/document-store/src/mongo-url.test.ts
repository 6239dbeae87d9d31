import { atEnd } from '@svcforms/test-kit';
import { startReplicaSet } from '../test/replica-set.ts';
import { connectMongoStore } from './mongo.ts';

describe('the options of MONGODB_URL', () => {
  it.each([
    'readPreference=secondary',
    'readPreference=secondary&maxStalenessSeconds=120&readPreferenceTags=dc:near',
    'readConcernLevel=available',
    'w=1&Journal=false&appName=forms',
    'j=false',
    'w=0',
  ])('%s doesn’t weaken reads and writes', async (options) => {
    const { hosts, primary, secondary } = await startReplicaSet();
    const url = `mongodb://${hosts.join(',')}/forms?replicaSet=rs&${options}`;
    const store = await connectMongoStore({ url });
    atEnd(() => store.close());
    const entries = store.collection({ name: 'entries', indexes: [] });
    await entries.insertOne({ _id: 'a' });
    for (let i = 0; i < 10; i++) await entries.findOne({ _id: 'a' });

    const withName = (name: string) => primary.commands.filter((command) => name in command);
    expect(withName('insert')).toMatchObject([{ writeConcern: { w: 'majority', j: true } }]);
    const reads = withName('find');
    expect(reads).toHaveLength(10);
    for (const read of reads) expect(read).not.toHaveProperty('readConcern');
    expect(secondary.commands.filter((command) => 'find' in command || 'insert' in command)).toEqual([]);
  });
});
