import { AppError } from '../errors/errors.ts';

/** A submission that this many deliveries in a row led to is refused. */
const MAX_HOPS = 5;

/**
 * How many deliveries in a row led to a request, by its `Svc-Hops` header; 0 without one. Each delivery sends the count of its
 * event plus one. Of a repeated header the largest value counts, and text that is no count is ignored: a receiver that forwards
 * requests may add to the header, and leaving it out is as easy as garbling it.
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
