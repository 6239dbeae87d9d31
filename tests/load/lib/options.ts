import type { Scenario } from 'k6/options';
import { scaled } from './product.ts';

/** What the summary tells of each duration. */
export const TREND_STATS = ['min', 'med', 'p(95)', 'p(99)', 'max'];

/** So many iterations begin each second of a minute, however long they take. VUs: how many may be under way at once. */
export function steadily(
  perSecond: number,
  { preAllocatedVUs, maxVUs }: { preAllocatedVUs: number; maxVUs: number },
): Scenario {
  const duration = `${scaled(60, 5)}s`;
  return { executor: 'constant-arrival-rate', rate: perSecond, duration, preAllocatedVUs, maxVUs };
}
