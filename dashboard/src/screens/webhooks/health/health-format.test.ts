import { hourTicks, latencyText, rateText } from './health-format.ts';

describe('a success rate', () => {
  it.each([
    [null, '–'],
    [0, '0%'],
    [0.57, '57%'],
    [0.9849, '98.4%'],
    [0.99999, '99.9%'],
    [1, '100%'],
  ])('of %j is %s', (rate, text) => {
    expect(rateText(rate)).toBe(text);
  });
});

describe('a latency', () => {
  it.each([
    [null, '–'],
    [1, '1 ms'],
    [999, '999 ms'],
    [1000, '1.00 s'],
    [12_345, '12.3 s'],
    [120_000, '120 s'],
  ])('of %j is %s', (ms, text) => {
    expect(latencyText(ms)).toBe(text);
  });
});

describe('the axis of a chart of hours', () => {
  it.each([
    [24, 4],
    [168, 4],
  ])('labels the last of %d hours and others at equal distances', (count, labels) => {
    const hours = Array.from({ length: count }, (_, n) => new Date(n * 3600_000).toISOString());
    const positions = hourTicks(hours).map((hour) => hours.indexOf(hour));
    expect(positions).toHaveLength(labels);
    expect(positions.at(-1)).toBe(count - 1);
    expect(new Set(positions.slice(1).map((position, n) => position - (positions[n] ?? 0))).size).toBe(1);
  });
});
