import type { Collection, IndexSpec, SortKeys } from '../../src/port/port.ts';
import { idsOf, numbered, type AnyDocument, type StoreContext } from './context.ts';

/** Five groups of three documents, in which the other fields repeat. */
const GRID = numbered(15, (i) => ({ group: 'vwxyz'.charAt((i * 7) % 5), n: (i % 4) - 1.5, t: `t${i % 3}` }));

const ORDERS: { sort: SortKeys }[] = [
  { sort: ['_id'] },
  { sort: ['-_id'] },
  { sort: ['group', '_id'] },
  { sort: ['group', '-_id'] },
  { sort: ['-group', '_id'] },
  { sort: ['-group', '-_id'] },
  { sort: ['group', '-n', '_id'] },
  { sort: ['-group', 'n', '-t', '_id'] },
  { sort: ['n', '-group', 't', '-_id'] },
];

const INDEXES: [title: string, indexes: IndexSpec[]][] = [
  ['without indexes', []],
  ['with indexes', [{ keys: ['group', '-_id'] }, { keys: ['-group', 'n', '-t', '_id'] }, { keys: ['n'] }]],
];

const pathOf = (key: string) => key.replace('-', '');

function sorted(docs: AnyDocument[], sort: SortKeys): AnyDocument[] {
  return docs.toSorted((a, b) => {
    for (const key of sort) {
      const [x, y] = [a[pathOf(key)] ?? '', b[pathOf(key)] ?? ''];
      if (x !== y) return x < y === key.startsWith('-') ? 1 : -1;
    }
    return 0;
  });
}

async function pages(
  collection: Collection<AnyDocument>,
  sort: SortKeys,
  limit: number,
): Promise<AnyDocument[][]> {
  const found: AnyDocument[][] = [];
  let page = await collection.find({ group: { $ne: 'w' } }, { sort, limit });
  while (page.length > 0) {
    found.push(page);
    const after = sort.map((key) => page.at(-1)?.[pathOf(key)] as string | number);
    page = await collection.find({ group: { $ne: 'w' } }, { sort, limit, after });
  }
  return found;
}

export function describeQueries(context: StoreContext): void {
  describe.each(INDEXES)('a query %s', (_, indexes) => {
    let grid: Collection<AnyDocument>;
    beforeAll(async () => {
      grid = await context.newCollection({ indexes });
      await grid.insertMany(GRID);
    });

    it.each(ORDERS)('sorts by $sort', async ({ sort }) => {
      expect(await grid.find({}, { sort })).toEqual(sorted(GRID, sort));
    });

    it.each(ORDERS)('returns each document on one page, sorted by $sort', async ({ sort }) => {
      const wanted = sorted(GRID, sort).filter(({ group }) => group !== 'w');
      const found = await pages(grid, sort, 5);
      expect(found.map(({ length }) => length)).toEqual([5, 5, 2]);
      expect(found.flat()).toEqual(wanted);
    });

    it('finds nothing after the last document, and all documents after a lower value than any', async () => {
      expect(await idsOf(grid, {}, { sort: ['_id'], after: ['d014'] })).toEqual([]);
      expect(await idsOf(grid, {}, { sort: ['_id'], after: ['a'] })).toHaveLength(15);
    });

    it('finds the first document of the order', async () => {
      expect(await grid.findOne({ group: 'x' }, { sort: ['-_id'] })).toMatchObject({ _id: 'd011' });
      expect(await grid.findOne({ group: 'x' })).toMatchObject({ group: 'x' });
      expect(await grid.findOne({ group: 'none' })).toBeNull();
    });
  });

  it('sorts documents without the field or with null first, and text by code point', async () => {
    const collection = await context.newCollection();
    const values = ['', 'A', 'a', 'é', '\u{ffee}', '🙂'];
    await collection.insertMany(values.map((v, i) => ({ _id: `v${i}`, v })).toReversed());
    await collection.insertMany([{ _id: 'absent' }, { _id: 'null', v: null }]);
    const ascending = ['absent', 'null', ...values.map((_, i) => `v${i}`)];
    expect(await idsOf(collection, {}, { sort: ['v', '_id'] })).toEqual(ascending);
    expect(await idsOf(collection, {}, { sort: ['-v', '-_id'] })).toEqual(ascending.toReversed());
  });

  it('finds with after no document that lacks the field or has a value of another type', async () => {
    const collection = await context.newCollection({ indexes: [{ keys: ['v'] }] });
    const values = [1, 2, 'a', 'b', null, true];
    await collection.insertMany(values.map((v, i) => ({ _id: `${i}`, v })));
    await collection.insertOne({ _id: 'absent' });
    expect(await idsOf(collection, {}, { sort: ['v'], after: [1] })).toEqual(['1']);
    expect(await idsOf(collection, {}, { sort: ['-v'], after: [2] })).toEqual(['0']);
    expect(await idsOf(collection, {}, { sort: ['v'], after: ['a'] })).toEqual(['3']);
    expect(await idsOf(collection, {}, { sort: ['-v'], after: ['b'] })).toEqual(['2']);
  });

  it('sorts by fields of nested objects', async () => {
    const collection = await context.newCollection({ indexes: [{ keys: ['p.n', '_id'] }] });
    await collection.insertMany([3, 1, 2].map((n) => ({ _id: `${n}`, p: { n } })));
    expect(await idsOf(collection, {}, { sort: ['p.n', '_id'] })).toEqual(['1', '2', '3']);
    expect(await idsOf(collection, {}, { sort: ['-p.n'], limit: 2 })).toEqual(['3', '2']);
  });

  it('returns thousands of documents', async () => {
    const collection = await context.newCollection();
    await collection.insertMany(numbered(2_500));
    expect(await collection.find({})).toHaveLength(2_500);
    expect(await collection.find({}, { sort: ['_id'], limit: 2_100 })).toHaveLength(2_100);
    expect(await collection.count({})).toBe(2_500);
  });

  it('finds by thousands of ids', async () => {
    const collection = await context.newCollection();
    await collection.insertMany(numbered(10));
    const ids = numbered(5_000).map(({ _id }) => _id);
    expect(await collection.count({ _id: { $in: ids } })).toBe(10);
  });
}
