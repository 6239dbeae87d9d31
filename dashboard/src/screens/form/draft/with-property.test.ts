import { numberOf } from './with-property.ts';

describe('the number of an input', () => {
  it.each([
    [1.5, 1.5],
    ['1.', 1],
    ['0.', 0],
    ['1.0', 1],
    ['-0.5', -0.5],
    ['007', 7],
    ['', undefined],
    [' ', undefined],
    ['-', undefined],
    ['.', undefined],
    ['-.', undefined],
  ])('that has %j is %j', (typed, number) => {
    expect(numberOf(typed)).toBe(number);
  });
});
