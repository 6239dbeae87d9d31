import fc from 'fast-check';
import {
  addLatencies,
  latencyBucket,
  latencyPercentile,
  type LatencyHistogram,
} from './latency-histogram.ts';

const MAX_TIMEOUT_MS = 120_000;

function histogramOf(durations: readonly number[]): LatencyHistogram {
  const histogram: LatencyHistogram = {};
  for (const durationMs of durations) addLatencies(histogram, { [latencyBucket(durationMs)]: 1 });
  return histogram;
}

/** The nearest rank, from all durations. */
function exact(durations: readonly number[], part: number): number {
  return durations.toSorted((a, b) => a - b)[Math.ceil(durations.length * part) - 1] ?? NaN;
}

/** 5 %, or 1 ms below 20 ms. docs/reference/webhooks.md#health */
const allowed = (durationMs: number) => Math.max(1, durationMs * 0.05);

/** As many short ones as long ones. */
const duration = fc
  .double({ min: 0, max: Math.log(MAX_TIMEOUT_MS), noNaN: true })
  .map((log) => Math.round(Math.exp(log) - 1));

describe('the percentiles of a histogram of latencies', () => {
  it('are within 5 %, or 1 ms, for every duration that an attempt can have', () => {
    const off: number[] = [];
    for (let ms = 0; ms <= MAX_TIMEOUT_MS; ms += ms < 2_000 ? 1 : 7) {
      const estimate = latencyPercentile({ [latencyBucket(ms)]: 1 }, 0.5) ?? NaN;
      if (!(Math.abs(estimate - ms) <= allowed(ms))) off.push(ms);
    }
    expect(off).toEqual([]);
  });

  it('are those of the exact durations, within the error', () => {
    fc.assert(
      fc.property(
        fc.array(duration, { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 1, max: 100 }),
        (all, percent) => {
          const part = percent / 100;
          const estimate = latencyPercentile(histogramOf(all), part) ?? NaN;
          expect(Math.abs(estimate - exact(all, part))).toBeLessThanOrEqual(allowed(exact(all, part)));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('are the same however the durations are split among processes and hours', () => {
    fc.assert(
      fc.property(fc.array(duration, { minLength: 1 }), fc.array(duration), (some, others) => {
        const sum = histogramOf(some);
        addLatencies(sum, histogramOf(others));
        expect(sum).toEqual(histogramOf([...some, ...others]));
      }),
    );
  });

  it('are null without attempts, and finite beyond the longest timeout', () => {
    expect(latencyPercentile({}, 0.95)).toBeNull();
    expect(latencyPercentile({ b3: 0 }, 0.5)).toBeNull();
    expect(latencyPercentile(histogramOf([10 * MAX_TIMEOUT_MS]), 0.5)).toBeLessThan(3 * MAX_TIMEOUT_MS);
  });
});
