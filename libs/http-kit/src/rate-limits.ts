import { AppError } from '@svcforms/contracts';
import { RateLimiterMemory } from 'rate-limiter-flexible';

const MINUTE_MS = 60_000;

/** Requests a minute; 0 is no limit. contract: api.md §1, Rate limit */
export interface RateLimitSettings {
  /** For each API key. */
  key: number;
  /** For each inbound endpoint. */
  inbound: number;
  /** For each client address and form on public calls. */
  public: number;
}

/** By what the requests of a call are counted. */
export type RateLimitKind = keyof RateLimitSettings;

export type RateLimits = Readonly<Record<RateLimitKind, RateLimit>>;

/**
 * Takes one request out of `who`'s bucket; gives the headers of the answer.
 * @throws AppError `RATE_LIMITED`, with these headers and `Retry-After`, when the bucket is empty.
 */
export type RateLimit = (who: string) => Promise<Readonly<Record<string, string>>>;

export const UNLIMITED: RateLimitSettings = { key: 0, inbound: 0, public: 0 };

/** The buckets of this process. docs/adr/0008: each replica counts by itself. */
export function createRateLimits(settings: RateLimitSettings): RateLimits {
  return {
    key: createRateLimit(settings.key, 'this API key'),
    inbound: createRateLimit(settings.inbound, 'this inbound endpoint'),
    public: createRateLimit(settings.public, 'your address on this form'),
  };
}

/**
 * A token bucket that holds a minute's requests and fills evenly. What is kept of a bucket is when it will be full again:
 * one entry that expires then, so a full bucket costs nothing.
 */
function createRateLimit(perMinute: number, whose: string): RateLimit {
  if (perMinute === 0) return async () => ({});
  const full = new RateLimiterMemory({ points: 1, duration: MINUTE_MS / 1000 });
  const tokenMs = MINUTE_MS / perMinute;
  let turn: Promise<unknown> = Promise.resolve();

  async function takeOne(who: string) {
    const untilFullMs = Math.max(0, (await full.get(who))?.msBeforeNext ?? 0);
    const afterMs = untilFullMs + tokenMs;
    // A millisecond, because the last of many sums of fractions may be a little more than the minute.
    const missingMs = afterMs - MINUTE_MS - 1;
    if (missingMs <= 0) await full.set(who, 1, afterMs / 1000);
    const takenMs = missingMs <= 0 ? afterMs : untilFullMs;
    return { missingMs, remaining: Math.floor((MINUTE_MS - takenMs + 1) / tokenMs), untilFullMs: takenMs };
  }

  return async function take(who) {
    // One after the other: two that read the same bucket at once would take the same token.
    const taking = turn.then(() => takeOne(who));
    turn = taking.catch(() => {});
    const { missingMs, remaining, untilFullMs } = await taking;
    const headers = {
      'RateLimit-Limit': String(perMinute),
      'RateLimit-Remaining': String(Math.max(0, remaining)),
      'RateLimit-Reset': String(Math.ceil(untilFullMs / 1000)),
    };
    if (missingMs <= 0) return headers;
    const retryAfter = String(Math.max(1, Math.ceil(missingMs / 1000)));
    throw new AppError(
      'RATE_LIMITED',
      `More than ${perMinute} requests a minute came for ${whose}; try again in ${retryAfter} s`,
      { headers: { ...headers, 'Retry-After': retryAfter } },
    );
  };
}
