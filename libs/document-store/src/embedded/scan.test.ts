import fc from 'fast-check';
import { openTestStore } from '../../test/testing.ts';
import type { CollectionSpec, Filter } from '../port/port.ts';
import { after, upTo, within } from './scan.ts';

interface Doc {
  _id: string;
  owner: string;
  status?: string;
  at?: string;
  kind: string;
}

const JOBS: CollectionSpec<Doc> = {
  name: 'jobs',
  indexes: [{ keys: ['owner', '-at', '-_id'] }, { keys: ['owner', 'status', '-at', '-_id'] }],
};

async function storeWith(docs: readonly Doc[]) {
  const store = openTestStore();
  const jobs = store.collection<Doc>(JOBS);
  await store.ensureIndexes();
  await jobs.insertMany(docs);
  return jobs;
}

const aTime = fc.integer({ min: 10, max: 20 }).map(String);
// Many of one owner, but few of a kind; some at the same time, and some without a time.
const someDocs = fc
  .array(
    fc.record({
      owner: fc.constantFrom('a', 'a', 'a', 'b'),
      status: fc.constantFrom('open', 'done'),
      at: fc.option(aTime, { freq: 4, nil: undefined }),
      kind: fc.constantFrom('x', ...Array.from({ length: 7 }, () => 'y')),
    }),
    { minLength: 20, maxLength: 60 },
  )
  .map((docs) => docs.map((doc, n): Doc => ({ ...doc, _id: `d${n}` })));
const OF_KIND = { owner: 'a', kind: 'x' };
const aFilter: fc.Arbitrary<Filter<Doc>> = fc.oneof(
  fc.constant(OF_KIND),
  fc.constant({ ...OF_KIND, status: 'open' }),
  aTime.map((from) => ({ ...OF_KIND, at: { $gte: from } })),
  aTime.map((to) => ({ ...OF_KIND, at: { $lt: to } })),
);

describe('a part of a scan', () => {
  it('has both ends in one condition', () => {
    const key = { path: 'at', descending: true };
    expect(within(key, [after(key, '5'), upTo(key, '3')])).toEqual([
      { kind: 'field', path: 'at', comparison: { $lt: '5', $gte: '3' } },
    ]);
  });
});

describe('a scan that is read in parts', () => {
  it('finds what one statement finds, in its order', async () => {
    await fc.assert(
      fc.asyncProperty(
        someDocs,
        aFilter,
        fc.constantFrom(['-at', '-_id'] as const, ['at', '_id'] as const),
        fc.integer({ min: 1, max: 8 }),
        async (docs, filter, sort, limit) => {
          const jobs = await storeWith(docs);
          // Without a limit, it is one statement.
          const all = await jobs.find(filter, { sort });
          expect(await jobs.find(filter, { sort, limit })).toEqual(all.slice(0, limit));
          const [first] = all;
          if (first?.at === undefined) return;
          const after = [first.at, first._id];
          const rest = await jobs.find(filter, { sort, after });
          expect(await jobs.find(filter, { sort, after, limit })).toEqual(rest.slice(0, limit));
        },
      ),
    );
  });

  it('lets other work run while it finds nothing', async () => {
    const jobs = await storeWith(
      Array.from({ length: 9_000 }, (_, n) => ({
        _id: `d${n}`,
        owner: 'a',
        at: String(10_000 + n),
        kind: 'x',
      })),
    );
    let turns = 0;
    const count = () => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    expect(await jobs.find({ owner: 'a', kind: 'y' }, { sort: ['-at', '-_id'], limit: 10 })).toEqual([]);
    clearImmediate(counting);
    expect(turns).toBeGreaterThan(3);
  });
});
