import fc from 'fast-check';
import { openTestStore } from '../../test/testing.ts';
import type { CollectionSpec, Filter } from '../port/port.ts';
import { after, upTo, within } from './scan.ts';

interface Doc {
  _id: string;
  owner: string;
  status?: string;
  at?: string;
  rank?: number;
  isOpen?: boolean;
  kind: string;
}

const JOBS: CollectionSpec<Doc> = {
  name: 'jobs',
  indexes: [
    { keys: ['owner', '-at', '-_id'] },
    { keys: ['owner', 'status', '-at', '-_id'] },
    { keys: ['owner', '-rank', '-at', '-_id'] },
    { keys: ['owner', 'isOpen', '_id'] },
  ],
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
      rank: fc.constantFrom(0, 1, 2),
      isOpen: fc.boolean(),
      kind: fc.constantFrom('x', ...Array.from({ length: 7 }, () => 'y')),
    }),
    { minLength: 20, maxLength: 60 },
  )
  .map((docs) => docs.map((doc, n): Doc => ({ ...doc, _id: `d${n}` })));
const OF_KIND = { owner: 'a', kind: 'x' };
const aFilter: fc.Arbitrary<Filter<Doc>> = fc.oneof(
  fc.constant(OF_KIND),
  fc.constant({ ...OF_KIND, status: 'open' }),
  fc.constant({ ...OF_KIND, rank: 1 }),
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
        fc.constantFrom(['-at', '-_id'] as const, ['at', '_id'] as const, ['-rank', '-at', '-_id'] as const),
        fc.integer({ min: 1, max: 8 }),
        async (docs, filter, sort, limit) => {
          const jobs = await storeWith(docs);
          // Without a limit, it is one statement.
          const all = await jobs.find(filter, { sort });
          expect(await jobs.find(filter, { sort, limit })).toEqual(all.slice(0, limit));
          const [first] = all;
          if (first?.at === undefined) return;
          const after = sort.length === 3 ? [first.rank ?? 0, first.at, first._id] : [first.at, first._id];
          const rest = await jobs.find(filter, { sort, after });
          expect(await jobs.find(filter, { sort, after, limit })).toEqual(rest.slice(0, limit));
        },
      ),
    );
  });

  it('finds what one statement finds in the order of booleans', async () => {
    const docs = Array.from({ length: 50 }, (_, n) => ({
      _id: `d${n}`,
      owner: 'a',
      isOpen: n > 20,
      kind: 'x',
    }));
    const jobs = await storeWith(docs);
    const sort = ['isOpen', '_id'] as const;
    const all = await jobs.find(OF_KIND, { sort });
    expect(all).toHaveLength(50);
    expect(await jobs.find(OF_KIND, { sort, limit: 3 })).toEqual(all.slice(0, 3));
  });

  it.each([
    [{ owner: 'a', kind: 'y' }, ['-at', '-_id']],
    [{ owner: 'a', kind: 'y', rank: 1 }, ['-rank', '-at', '-_id']],
    [{ owner: 'a', kind: 'y', rank: 1 }, ['-at', '-_id']],
  ] as const)('lets other work run while it finds nothing: %j by %j', async (filter, sort) => {
    const jobs = await storeWith(
      Array.from({ length: 9_000 }, (_, n) => ({
        _id: `d${n}`,
        owner: 'a',
        at: String(10_000 + n),
        rank: 1,
        kind: 'x',
      })),
    );
    const { found, turns } = await countTurns(() => jobs.find(filter, { sort, limit: 10 }));
    expect(found).toEqual([]);
    expect(turns).toBeGreaterThan(3);
  });

  it('lets other work run while it searches all documents by id', async () => {
    const jobs = await storeWith(Array.from({ length: 9_000 }, (_, n) => ({ ...doc(n), owner: `o${n}` })));
    const find = () => jobs.find({ kind: 'z' }, { sort: ['_id'], limit: 10 });
    const { found, turns } = await countTurns(find);
    expect(found).toEqual([]);
    expect(turns).toBeGreaterThan(3);
  });
});

describe('a count or deletion of few among many documents', () => {
  const MANY = 9_000;
  // Among them are documents at the same time, and some without a time.
  const docs = Array.from({ length: MANY }, (_, n) => doc(n));
  const FILTERS: Filter<Doc>[] = [
    OF_KIND,
    { ...OF_KIND, at: { $gte: '1200', $lt: '3500' } },
    { ...OF_KIND, at: { $gte: '1200' }, rank: { $in: [0, 1] } },
  ];

  it.each(FILTERS)('lets other work run and finds all of them: %j', async (filter) => {
    const jobs = await storeWith(docs);
    // Without a limit, it is one statement.
    const matching = new Set((await jobs.find(filter)).map(({ _id }) => _id));
    expect(matching.size).toBeGreaterThan(100);

    const counted = await countTurns(() => jobs.count(filter));
    expect(counted.found).toBe(matching.size);
    expect(counted.turns).toBeGreaterThan(2);
    const deleted = await countTurns(() => jobs.deleteMany(filter));
    expect(deleted.found).toBe(matching.size);
    expect(deleted.turns).toBeGreaterThan(2);
    const left = (await jobs.find({})).map(({ _id }) => _id);
    expect(left.toSorted()).toEqual(docs.flatMap(({ _id }) => (matching.has(_id) ? [] : _id)).toSorted());
  });
});

function doc(n: number): Doc {
  const at = n % 50 === 0 ? {} : { at: String(1_000 + Math.floor(n / 3)) };
  return { _id: `d${n}`, owner: n % 10 === 0 ? 'b' : 'a', ...at, rank: n % 4, kind: n % 7 === 0 ? 'x' : 'y' };
}

/** How often other work could run until the call resolved. */
async function countTurns<T>(call: () => Promise<T>): Promise<{ found: T; turns: number }> {
  let turns = 0;
  const count = () => {
    turns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const found = await call();
  clearImmediate(counting);
  return { found, turns };
}
