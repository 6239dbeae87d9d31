export const MINUTE_MS = 60_000;

/**
 * A token bucket that holds a minute's requests and refills evenly, stored as the time at which it
 * is full again. A time before `now` stands for a full bucket.
 */
export type FullAt = number;

/** The outcome of taking one token. */
export interface Taken {
  isAllowed: boolean;
  /** The tokens that are left. */
  remaining: number;
  untilFullMs: number;
  /** How long until there is another token; 0 or less if one is left. */
  untilNextMs: number;
}

/** The arithmetic of buckets of this size. */
export function bucketsOf(perMinute: number) {
  const tokenMs = MINUTE_MS / perMinute;
  // Absorbs rounding errors: the sum of many fractions can exceed the minute slightly.
  const slackMs = Math.min(1, tokenMs / 2);
  const free = (fullAt: FullAt, now: number) =>
    Math.max(0, Math.floor((MINUTE_MS - Math.max(0, fullAt - now) + slackMs) / tokenMs));
  return {
    /** The number of whole tokens in the bucket. */
    free,
    /** The bucket without this number of tokens; with more, if it is negative. */
    without: (count: number, fullAt: FullAt, now: number): FullAt =>
      (count < 0 ? fullAt : Math.max(fullAt, now)) + count * tokenMs,
    /** @param leased tokens that aren't in the bucket and still available */
    taken: (isAllowed: boolean, fullAt: FullAt, now: number, leased = 0): Taken => {
      const untilFullMs = Math.max(0, fullAt - now - leased * tokenMs);
      const untilNextMs = untilFullMs + tokenMs - MINUTE_MS - slackMs;
      return { isAllowed, remaining: free(fullAt, now) + leased, untilFullMs, untilNextMs };
    },
  };
}
