import type { Collection, CollectionSpec, StoredDocument } from '@svcforms/document-store';
import { openTestStore } from '@svcforms/document-store/testing';
import { findPage, type PageOrder, type PageRequest } from './pagination.ts';

interface Thing extends StoredDocument {
  accountId: string;
  name: string;
  createdAt: string;
}
const THINGS: CollectionSpec<Thing> = {
  name: 'things',
  indexes: [{ keys: ['accountId', '-createdAt', '-_id'] }],
};
const BASE = Date.parse('2026-01-01T00:00:00.000Z');

const idOf = (n: number) => `frm_01J9ZC3V6M8K2Q4R5S7T9W${String(n).padStart(4, '0')}`;

let things: Collection<Thing>;
beforeEach(() => void (things = openTestStore().collection<Thing>(THINGS)));

/** Things 0 … count-1 in the order of their ids; `at` tells their times. */
const fill = (count: number, at: (n: number) => number = (n) => n) =>
  things.insertMany(
    Array.from({ length: count }, (_, n) => ({
      _id: idOf(n),
      accountId: 'a',
      name: n % 3 === 0 ? 'fizz' : 'other',
      createdAt: new Date(BASE + at(n)).toISOString(),
    })),
  );

type Request = Omit<PageRequest<Thing>, 'prefix'>;
const page = (request: Request) => findPage(things, { accountId: 'a' }, { prefix: 'frm', ...request });

/** All pages, as the numbers of their things. */
async function allPages(request: Request, between: () => Promise<unknown> = async () => {}) {
  const pages: number[][] = [];
  let cursor: string | undefined;
  for (;;) {
    const { items, pagination } = await page({ ...request, cursor });
    pages.push(items.map(({ _id }) => Number(_id.slice(-4))));
    if (pagination.nextCursor === null) return pages;
    cursor = pagination.nextCursor;
    await between();
  }
}

describe('the pages of a list', () => {
  it('come newest first and end with a null cursor', async () => {
    await fill(7);
    expect(await allPages({ limit: 3 })).toEqual([[6, 5, 4], [3, 2, 1], [0]]);
  });

  it('have no empty page at the end if the last one is full', async () => {
    await fill(6);
    expect(await allPages({ limit: 3 })).toEqual([
      [5, 4, 3],
      [2, 1, 0],
    ]);
  });

  it('lose and repeat nothing if many items have the same millisecond', async () => {
    await fill(10, (n) => Math.floor(n / 5));
    expect((await allPages({ limit: 3 })).flat()).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
  });

  it('continue at the same position if the item of the cursor was deleted', async () => {
    await fill(6);
    const pages = await allPages({ limit: 2 }, () => things.deleteOne({ _id: idOf(4) }));
    expect(pages).toEqual([
      [5, 4],
      [3, 2],
      [1, 0],
    ]);
  });

  it('are not shifted by items that are created meanwhile', async () => {
    await fill(4);
    const late = { _id: idOf(9), accountId: 'a', name: 'late', createdAt: new Date(BASE + 9).toISOString() };
    const pages = await allPages({ limit: 2 }, () => things.insertMany([late]));
    expect(pages).toEqual([
      [3, 2],
      [1, 0],
    ]);
  });

  it.each([1, 2, 3, 10])('of %d have only matching items, and all but the last are full', async (limit) => {
    await fill(14);
    const pages = await allPages({ limit, matches: ({ name }) => name === 'fizz' });
    expect(pages.flat()).toEqual([12, 9, 6, 3, 0]);
    expect(pages.slice(0, -1).every(({ length }) => length === limit)).toBe(true);
    expect(pages.at(-1)?.length).toBeGreaterThan(0);
  });

  it.each([1, 9, 10, 25, 30])('of %d are full if the documents are small', async (limit) => {
    await fill(30);
    const pages = await allPages({ limit, sizeOf: () => 100_000 });
    expect(pages.flat()).toEqual(Array.from({ length: 30 }, (_, n) => 29 - n));
    expect(pages.slice(0, -1).every(({ length }) => length === limit)).toBe(true);
    expect(pages.at(-1)?.length).toBeGreaterThan(0);
  });

  describe.each([undefined, () => true])('where documents are large (search: %s)', (matches) => {
    const MIB = 1024 * 1024;
    const numberOf = ({ _id }: Thing) => Number(_id.slice(-4));

    it.each<[string, (n: number) => number]>([
      ['all of them are', () => MIB],
      ['large ones follow small ones', (n) => (n < 53 ? MIB : 100)],
      ['one is larger than a page', (n) => (n === 40 ? 20 * MIB : 100)],
      ['each is larger than a page', () => 20 * MIB],
    ])('have 8 MiB or a single item: %s', async (_, sizeOf) => {
      await fill(80);
      const pages = await allPages({ limit: 100, matches, sizeOf: (thing) => sizeOf(numberOf(thing)) });
      expect(pages.flat()).toEqual(Array.from({ length: 80 }, (_item, n) => 79 - n));
      const sizes = pages.map((items) => items.reduce((sum, n) => sum + sizeOf(n), 0));
      expect(sizes.filter((size, n) => size > 8 * MIB && pages[n]?.length !== 1)).toEqual([]);
    });
  });

  it('have the requested order, and refuse a cursor of another order', async () => {
    await fill(7, (n) => Math.floor(n / 5));
    const order: PageOrder = { name: 'age', keys: ['createdAt', '_id'] };
    expect(await allPages({ limit: 3, order })).toEqual([[0, 1, 2], [3, 4, 5], [6]]);
    const ofBoth = [await page({ limit: 3, order }), await page({ limit: 3 })];
    const [ofAge, ofNewest] = ofBoth.map(({ pagination }) => pagination.nextCursor ?? '');
    const refused = { code: 'VALIDATION_FAILED', details: { issues: [{ pointer: '/cursor' }] } };
    await expect(page({ limit: 3, cursor: ofAge })).rejects.toMatchObject(refused);
    await expect(page({ limit: 3, order, cursor: ofNewest })).rejects.toMatchObject(refused);
    const otherOrder: PageOrder = { ...order, name: 'years' };
    await expect(page({ limit: 3, order: otherOrder, cursor: ofAge })).rejects.toMatchObject(refused);
  });

  it('are one empty page if there are no items', async () => {
    expect(await page({ limit: 25 })).toEqual({ items: [], pagination: { nextCursor: null, limit: 25 } });
  });
});

describe('a cursor', () => {
  const encoded = (text: string) => Buffer.from(text).toString('base64url');

  it.each([
    ['nothing', ''],
    ['a text', 'newest'],
    ['half of one', encoded('2026-01-01T00:00:00.000Z|')],
    ['another kind of time', encoded(`2026-01-01|${idOf(1)}`)],
    ['a time that is none', encoded(`2026-13-01T00:00:00.000Z|${idOf(1)}`)],
    ['another kind of id', encoded('2026-01-01T00:00:00.000Z|../../x')],
    ['an id that is none', encoded(`2026-01-01T00:00:00.000Z|${idOf(1).replace('J', 'U')}`)],
    ['another list', encoded(`2026-01-01T00:00:00.000Z|${idOf(1).replace('frm', 'key')}`)],
    ['one with something after it', `${encoded(`2026-01-01T00:00:00.000Z|${idOf(1)}`)}!`],
    ['more than one', encoded(`2026-01-01T00:00:00.000Z|${idOf(1)}|x`)],
  ])('that is %s is refused with its JSON pointer', async (_, cursor) => {
    await expect(page({ limit: 2, cursor })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { issues: [{ pointer: '/cursor' }] },
    });
  });
});
