import { dateTicks } from './date-ticks.ts';

const datesOf = (count: number) =>
  Array.from({ length: count }, (_, n) => new Date(Date.UTC(2026, 1, 1 + n)).toISOString().slice(0, 10));

describe('dateTicks', () => {
  it.each([1, 2, 5, 7, 14, 30, 90, 365])(
    'labels the last of %d days and others at equal distances',
    (count) => {
      const dates = datesOf(count);
      const ticks = dateTicks(dates);
      const positions = ticks.map((date) => dates.indexOf(date));
      const distances = positions.slice(1).map((position, n) => position - (positions[n] ?? 0));
      expect(ticks.at(-1)).toBe(dates.at(-1));
      expect(new Set(distances).size).toBeLessThanOrEqual(1);
      expect(ticks.length).toBeLessThanOrEqual(5);
      expect(ticks.length).toBeGreaterThanOrEqual(Math.min(count, 3));
    },
  );

  it('labels nothing without days', () => {
    expect(dateTicks([])).toEqual([]);
  });
});
