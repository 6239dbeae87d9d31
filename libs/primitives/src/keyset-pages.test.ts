import { keysetPages } from './keyset-pages.ts';

const PAGE_SIZE = 3;

/** The pages of these numbers, and the keys after which they were read. */
async function pagesOf(rows: number[]): Promise<{ pages: number[][]; readAfter: (number | undefined)[] }> {
  const readAfter: (number | undefined)[] = [];
  const pages: number[][] = [];
  const walk = keysetPages<number, number>({
    pageSize: PAGE_SIZE,
    keyOf: (row) => row,
    async read(after) {
      readAfter.push(after);
      return rows.filter((row) => after === undefined || row > after).slice(0, PAGE_SIZE);
    },
  });
  for await (const page of walk) {
    pages.push([...page]);
    // Rows that change during the walk: one before the last key, one after it.
    if (pages.length === 1) rows.splice(0, 1, 0.5);
  }
  return { pages, readAfter };
}

describe('a keyset walk', () => {
  it('reads each page after the last key of the page before', async () => {
    expect(await pagesOf([1, 2, 3, 4, 5, 6, 7])).toEqual({
      pages: [[1, 2, 3], [4, 5, 6], [7]],
      readAfter: [undefined, 3, 6],
    });
  });

  it('ends after a last page that is full', async () => {
    expect(await pagesOf([1, 2, 3])).toEqual({ pages: [[1, 2, 3]], readAfter: [undefined, 3] });
  });

  it('reads pages of the size that the page before suggests', async () => {
    const sizes: number[] = [];
    const walk = keysetPages<number, number>({
      pageSize: 1,
      nextSize: (page) => 2 * page.length,
      keyOf: (row) => row,
      async read(after = 0, limit) {
        sizes.push(limit);
        return [1, 2, 3, 4, 5].filter((row) => row > after).slice(0, limit);
      },
    });
    const pages: number[][] = [];
    for await (const page of walk) pages.push([...page]);
    expect({ sizes, pages }).toEqual({ sizes: [1, 2, 4], pages: [[1], [2, 3], [4, 5]] });
  });

  it('yields no page of an empty collection', async () => {
    expect(await pagesOf([])).toEqual({ pages: [], readAfter: [undefined] });
  });

  it('reads no further than its caller', async () => {
    let reads = 0;
    const endless = keysetPages<number, number>({
      pageSize: 1,
      keyOf: (row) => row,
      read: async (after = 0) => [after + ++reads],
    });
    for await (const page of endless) if (page[0]) break;
    expect(reads).toBe(1);
  });
});
