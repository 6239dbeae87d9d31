import { chunksOf } from './chunks-of.ts';

describe('the chunks of a list', () => {
  it.each([
    [[], []],
    [[1], [[1]]],
    [[1, 2], [[1, 2]]],
    [
      [1, 2, 3, 4, 5],
      [[1, 2], [3, 4], [5]],
    ],
  ])('of %j, two at a time, are %j', (items, chunks) => {
    expect(chunksOf<number>(items, 2)).toEqual(chunks);
  });
});
