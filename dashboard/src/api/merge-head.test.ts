import type { Page } from '@svcforms/contracts';
import { mergeHead, type Listed, type ListData } from './merge-head.ts';

const page = (numbers: readonly number[], nextCursor: string | null): Page<Listed> => ({
  success: true,
  data: numbers.map((n) => ({ id: `sub_${n}`, createdAt: `2026-03-14T09:26:${n}.000Z` })),
  pagination: { nextCursor, limit: 3 },
});
const known: ListData<Listed> = {
  pages: [page([29, 28, 27], 'after 27'), page([26, 25, 24], 'after 24')],
  pageParams: [undefined, 'after 27'],
};
const numbersOf = ({ pages }: ListData<Listed>) =>
  pages.map(({ data }) => data.map(({ id }) => Number(id.slice(4))));

describe('the first page of a list that is read again', () => {
  it.each([
    [
      'nothing',
      [29, 28, 27],
      [
        [29, 28, 27],
        [26, 25, 24],
      ],
    ],
    [
      'one that is new',
      [30, 29, 28],
      [
        [30, 29, 28, 27],
        [26, 25, 24],
      ],
    ],
    [
      'one that is gone',
      [29, 27, 26],
      [
        [29, 27, 26],
        [25, 24],
      ],
    ],
    [
      'one that is new, and one that is gone',
      [30, 29, 27],
      [
        [30, 29, 27],
        [26, 25, 24],
      ],
    ],
    ['so many that some between may be missing', [39, 38, 37], [[39, 38, 37]]],
    ['just as many as fit', [32, 31, 30], [[32, 31, 30]]],
  ])('brings %s.', (_, head, expected) => {
    const merged = mergeHead(known, page(head, `after ${head.at(-1)}`));
    expect(numbersOf(merged)).toEqual(expected);
    expect(merged.pageParams).toHaveLength(expected.length);
  });

  it('that is the only one is the whole list.', () => {
    expect(numbersOf(mergeHead(known, page([29], null)))).toEqual([[29]]);
    expect(numbersOf(mergeHead(known, page([], null)))).toEqual([[]]);
  });

  it('that is empty, with more behind it, leaves the list as it is', () => {
    expect(mergeHead(known, page([], 'after 31'))).toBe(known);
  });

  it('goes on where the list went on.', () => {
    const merged = mergeHead(known, page([30, 29, 28], 'after 28'));
    expect(merged.pages.map(({ pagination }) => pagination.nextCursor)).toEqual(['after 27', 'after 24']);
    const anew = mergeHead(known, page([39, 38, 37], 'after 37'));
    expect(anew.pages.map(({ pagination }) => pagination.nextCursor)).toEqual(['after 37']);
  });
});
