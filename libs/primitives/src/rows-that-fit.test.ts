import { rowsThatFit } from './rows-that-fit.ts';

const LIMITS = { maxRows: 200, maxCharacters: 1_000 };
const next = (sizes: number[]) => rowsThatFit(sizes, (size) => size, LIMITS);

it.each([
  ['as many as fit', [100, 100, 100, 100, 100], 10],
  ['fewer after large rows', [400, 600, 500, 500, 500], 2],
  ['at least one', [5_000, 5_000], 1],
  ['at most twice as many, because the next may be large', [1, 1, 1, 1, 1, 1, 1, 1], 16],
  ['at most twice as many after empty rows', [0, 0], 4],
  ['at most maxRows', Array.from({ length: 150 }, () => 1), 200],
])('the next rows are %s', (_, sizes, expected) => {
  expect(next(sizes)).toBe(expected);
});
