import { AppError } from '../errors/errors.ts';

/** A submission is refused if at least this many deliveries in a row led to it. */
const MAX_HOPS = 5;

/**
 * The number of deliveries in a row that led to a request, from its `Svc-Hops` header; 0 without
 * one. Each delivery sends the count of its event plus one. If the header has several values, the
 * largest one applies, because a receiver that forwards requests may add to the header. Invalid
 * values are ignored: refusing them would protect nothing, since a sender can also omit the header.
 * @throws AppError `LOOP_DETECTED` at 5 or more. See docs/reference/webhooks.md#loop-protection.
 */
export function hopsOf(headers: Readonly<Record<string, string | string[] | undefined>>): number {
  const values = String(headers['svc-hops'] ?? '').split(',');
  const hops = Math.max(...values.map((value) => (/^\s*\d+\s*$/.test(value) ? Number(value) : 0)));
  if (hops < MAX_HOPS) return hops;
  throw new AppError(
    'LOOP_DETECTED',
    `A chain of at least ${MAX_HOPS} webhook deliveries led to this submission; change the webhook that leads back to a form`,
  );
}
