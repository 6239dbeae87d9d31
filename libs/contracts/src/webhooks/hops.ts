import { AppError } from '../errors/errors.ts';

/** Submissions after this many consecutive deliveries are rejected. */
const MAX_HOPS = 5;

/**
 * Returns the number of consecutive deliveries that led to a request, from its `Svc-Hops` header; 0
 * without one. Each delivery sends the count of its event plus one. The largest value of a repeated
 * header counts, because systems that forward requests may append to it; invalid values are
 * ignored, like a missing header. docs/reference/webhooks.md#loop-protection
 * @throws AppError `LOOP_DETECTED` from 5 on
 */
export function hopsOf(headers: Readonly<Record<string, string | string[] | undefined>>): number {
  const values = String(headers['svc-hops'] ?? '').split(',');
  const hops = Math.max(...values.map((value) => (/^\s*\d+\s*$/.test(value) ? Number(value) : 0)));
  if (hops < MAX_HOPS) return hops;
  throw new AppError(
    'LOOP_DETECTED',
    `The submission was caused by ${MAX_HOPS} webhook deliveries in a row; change the webhook that leads back to a form`,
  );
}
