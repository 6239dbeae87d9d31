import { readFileSync } from 'node:fs';
import { root } from '@svcforms/test-kit';

/** A column in all rounds; null if it wasn't measured. */
export interface Medians {
  value: (scenario: string, product: string, column: string) => number | null;
  /** To the skeleton's median. */
  ratio: (scenario: string, product: string, column: string) => number | null;
  /** Ratio of the lowest values, for metrics that other load can only worsen. */
  lowestRatio: (scenario: string, product: string, column: string) => number | null;
}

/** What the embedded product must reach. */
interface Goal {
  what: string;
  atMost?: number;
  atLeast?: number;
  read: (medians: Medians) => number | null;
}

const EMBEDDED = 'embedded';
/** A goal may be missed by this share, because a machine is never quiet. */
const TOLERANCE = 0.15;
/** The CPU time may exceed the recorded one by this share. Both are ratios to the skeleton. */
const MAX_REGRESSION = 0.25;
const BASELINE_FILE = 'tests/bench/baseline.json';

const GOALS: readonly Goal[] = [
  {
    what: 'CPU time, × skeleton',
    atMost: 1.5,
    read: ({ ratio }) => ratio('throughput', EMBEDDED, 'CPU-s per 1 000'),
  },
  {
    what: 'delivered/s, × skeleton',
    atLeast: 0.7,
    read: ({ ratio }) => ratio('throughput', EMBEDDED, 'Delivered/s'),
  },
  {
    what: 'p99 under load, ms',
    atMost: 50,
    read: ({ value }) => value('throughput', EMBEDDED, 'p99, ms'),
  },
  {
    what: 'memory when idle, MiB',
    atMost: 110,
    read: ({ value }) => value('memory', EMBEDDED, 'Memory idle, MiB'),
  },
  {
    what: 'memory after 60 000 events, MiB',
    atMost: 200,
    read: ({ value }) => value('memory', EMBEDDED, 'Memory after, MiB'),
  },
];

/** Prints each goal that was measured; returns whether one is missed by more than the tolerance. */
export function missesGoals(medians: Medians): boolean {
  const failed = GOALS.map((goal) => {
    const measured = goal.read(medians);
    if (measured === null) return false;
    // How many times the limit it is, in the direction that is worse.
    const excess = goal.atMost === undefined ? (goal.atLeast ?? 0) / measured : measured / goal.atMost;
    const fails = excess > 1 + TOLERANCE;
    const miss = `MISSED by ${percent(excess - 1)}${fails ? '' : ', tolerated'}`;
    const limit = goal.atMost === undefined ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`;
    console.log(`goal: ${goal.what}: ${measured.toFixed(2)} (${limit}): ${excess <= 1 ? 'reached' : miss}`);
    return fails;
  });
  return failed.includes(true);
}

/** Compares the CPU time with the recorded one; returns whether it is too much. */
export function isRegression(medians: Medians): boolean {
  const measured = medians.lowestRatio('throughput', EMBEDDED, 'CPU-s per 1 000');
  if (measured === null) return false;
  const { cpuRatio } = JSON.parse(readFileSync(`${root}${BASELINE_FILE}`, 'utf8')) as { cpuRatio: number };
  const change = measured / cpuRatio - 1;
  const isWorse = change > MAX_REGRESSION;
  console.log(
    `CPU time, × skeleton: ${measured.toFixed(2)}, ${change < 0 ? '−' : '+'}${percent(Math.abs(change))} ` +
      `against the ${cpuRatio} of ${BASELINE_FILE}${isWorse ? `: more than +${percent(MAX_REGRESSION)}` : ''}`,
  );
  return isWorse;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
