import type { Page } from '@svcforms/contracts';
import { mergeHead, type ListEntry, type ListData } from './merge-head.ts';

const page = (numbers: readonly number[], nextCursor: string | null): Page<ListEntry> => ({
  success: true,
  data: numbers.map((n) => ({ id: `sub_${n}`, createdAt: `2026-03-14T09:26:${n}.000Z` })),
  pagination: { nextCursor, limit: 3 },
});
const known: ListData<ListEntry> = {
  pages: [page([29, 28, 27], 'after 27'), page([26, 25, 24], 'after 24')],
  pageParams: [undefined, 'after 27'],
};
const numbersOf = ({ pages }: ListData<ListEntry>) =>
  pages.map(({ data }) => data.map(({ id }) => Number(id.slice(4))));

describe('mergeHead', () => {
  it.each([
    [
      'no change',
      [29, 28, 27],
      [
        [29, 28, 27],
        [26, 25, 24],
      ],
    ],
    [
      'a new entry',
      [30, 29, 28],
      [
        [30, 29, 28, 27],
        [26, 25, 24],
      ],
    ],
    [
      'a deleted entry',
      [29, 27, 26],
      [
        [29, 27, 26],
        [25, 24],
      ],
    ],
    [
      'a new and a deleted entry',
      [30, 29, 27],
      [
        [30, 29, 27],
        [26, 25, 24],
      ],
    ],
    ['so many new entries that some may be missing', [39, 38, 37], [[39, 38, 37]]],
    ['a page of new entries next to the known ones', [32, 31, 30], [[32, 31, 30]]],
  ])('merges %s', (_, head, expected) => {
    const merged = mergeHead(known, page(head, `after ${head.at(-1)}`));
    expect(numbersOf(merged)).toEqual(expected);
    expect(merged.pageParams).toHaveLength(expected.length);
  });

  it('replaces the list if the first page is the only one', () => {
    expect(numbersOf(mergeHead(known, page([29], null)))).toEqual([[29]]);
    expect(numbersOf(mergeHead(known, page([], null)))).toEqual([[]]);
  });

  it('keeps the list if the first page is empty and not the last', () => {
    expect(mergeHead(known, page([], 'after 31'))).toBe(known);
  });

  it('keeps the cursor of the last page', () => {
    const merged = mergeHead(known, page([30, 29, 28], 'after 28'));
    expect(merged.pages.map(({ pagination }) => pagination.nextCursor)).toEqual(['after 27', 'after 24']);
    const replaced = mergeHead(known, page([39, 38, 37], 'after 37'));
    expect(replaced.pages.map(({ pagination }) => pagination.nextCursor)).toEqual(['after 37']);
  });
});
