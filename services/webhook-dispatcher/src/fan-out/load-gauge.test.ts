import { createLoadGauge } from './load-gauge.ts';

describe('the load of the fan-out', () => {
  /** Returns for each batch `[at, events]`, in milliseconds, whether the fan-out was under load. */
  const loadOf = (...batches: [at: number, events: number][]) => {
    let time = 0;
    const isUnderLoad = createLoadGauge(() => time);
    return batches.map(([at, events]) => {
      time = 1_000_000 + at;
      return isUnderLoad(events);
    });
  };

  it('is light for single events and for small bursts', () => {
    expect(loadOf([0, 1], [20, 1], [220, 1], [1_000, 8])).toEqual([false, false, false, false]);
  });

  it('is high from the event that exceeds the limit of a window, in one batch or in several', () => {
    expect(loadOf([0, 9])).toEqual([true]);
    expect(loadOf([0, 5], [50, 3], [100, 1])).toEqual([false, false, true]);
  });

  it('stays high in the next window, and ends after a window with few events', () => {
    expect(loadOf([0, 40], [210, 1], [410, 1])).toEqual([true, true, false]);
    expect(loadOf([0, 40], [410, 1])).toEqual([true, false]);
  });
});
