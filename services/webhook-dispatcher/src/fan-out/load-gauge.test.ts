import { createLoadGauge } from './load-gauge.ts';

describe('the load of the fan-out', () => {
  /** Batches as `[at, events]`, milliseconds; whether each came under load. */
  const loadOf = (...batches: [at: number, events: number][]) => {
    let time = 0;
    const isUnderLoad = createLoadGauge(() => time);
    return batches.map(([at, events]) => {
      time = 1_000_000 + at;
      return isUnderLoad(events);
    });
  };

  it('is light for one after the other, and for some at once.', () => {
    expect(loadOf([0, 1], [20, 1], [220, 1], [1_000, 16])).toEqual([false, false, false, false]);
  });

  it('begins with the event that is too many in a short time, in one batch or in several.', () => {
    expect(loadOf([0, 17])).toEqual([true]);
    expect(loadOf([0, 10], [50, 6], [100, 1])).toEqual([false, false, true]);
  });

  it('goes on without a gap, and ends when a while has brought little.', () => {
    expect(loadOf([0, 40], [210, 1], [410, 1])).toEqual([true, true, false]);
    expect(loadOf([0, 40], [410, 1])).toEqual([true, false]);
  });
});
