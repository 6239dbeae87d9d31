import type { Closing } from './closing.ts';

/**
 * Whether the form is closed by its switch or its date. Whether it is full, only the store knows.
 * In a file without schemas, which the dashboard would load at first.
 * @param now in milliseconds since the epoch
 */
export function isClosedAt({ isClosed, closesAt }: Closing = {}, now: number): boolean {
  return isClosed === true || (closesAt !== undefined && Date.parse(closesAt) <= now);
}
