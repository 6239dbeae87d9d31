import type { Scenario } from 'k6/options';
import { scaled } from './product.ts';

/** The statistics of each duration in the summary. */
export const TREND_STATS = ['min', 'med', 'p(95)', 'p(99)', 'max'];

/**
 * Starts `perSecond` iterations each second for a minute, however long they take. VUs limit how
 * many run at once.
 */
export function steadily(
  perSecond: number,
  { preAllocatedVUs, maxVUs }: { preAllocatedVUs: number; maxVUs: number },
): Scenario {
  const duration = `${scaled(60, 5)}s`;
  return { executor: 'constant-arrival-rate', rate: perSecond, duration, preAllocatedVUs, maxVUs };
}
