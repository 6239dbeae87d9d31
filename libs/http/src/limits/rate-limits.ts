import { AppError } from '@svcforms/contracts';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { clientNetwork } from './client-network.ts';

const MINUTE_MS = 60_000;

/** Requests a minute; 0 is no limit. contract: api.md §1, Rate limit */
export interface RateLimitSettings {
  /** For each API key. */
  key: number;
  /** For each inbound endpoint. */
  inbound: number;
  /** For each client network and form on public submissions. 0 turns off every public limit. */
  public: number;
  /** For each client network over all forms: once for submissions, once for popup counters. */
  publicNetwork: number;
  /** For each client network and form on popup counters. 0 turns off every limit of counters. */
  counters: number;
  /** All clients appear under the addresses of a load balancer: count whole forms, not networks. */
  addressesHidden: boolean;
}

export interface RateLimits {
  readonly key: RateLimit;
  readonly inbound: RateLimit;
  readonly public: PublicLimit;
  readonly counters: PublicLimit;
}

/**
 * Takes one request out of `who`'s bucket; gives the headers of the answer.
 * @throws AppError `RATE_LIMITED`, with these headers and `Retry-After`, when the bucket is empty.
 */
export type RateLimit = (who: string) => Promise<RateLimitHeaders>;

/** Counts a public request; `formId` is empty where the path holds no well-formed id. */
export type PublicLimit = (request: { ip: string; formId: string }) => Promise<RateLimitHeaders>;

type RateLimitHeaders = Readonly<Record<string, string>>;

export const UNLIMITED: RateLimitSettings = {
  key: 0,
  inbound: 0,
  public: 0,
  publicNetwork: 0,
  counters: 0,
  addressesHidden: false,
};

/** How many times the limit of one client a whole form gets where clients can't be told apart. */
const HIDDEN_FACTOR = 10;

/** The buckets of this process. docs/adr/0008: each replica counts by itself. */
export function createRateLimits(settings: RateLimitSettings): RateLimits {
  const { key, inbound, counters } = settings;
  const publicLimit = (perForm: number) => createPublicLimit(settings.public === 0 ? 0 : perForm, settings);
  return {
    key: createRateLimit(key, 'this API key'),
    inbound: createRateLimit(inbound, 'this inbound endpoint'),
    public: publicLimit(settings.public),
    counters: publicLimit(counters),
  };
}

/** The limit per network and form, and the one per network over all forms. docs/adr/0033 */
function createPublicLimit(
  perForm: number,
  { publicNetwork, addressesHidden }: RateLimitSettings,
): PublicLimit {
  if (perForm === 0) return async () => ({});
  if (addressesHidden) {
    const form = createRateLimit(perForm * HIDDEN_FACTOR, 'this form');
    return ({ formId }) => form(formId);
  }
  const everywhere = createRateLimit(publicNetwork, 'your address');
  const here = createRateLimit(perForm, 'your address on this form');
  return async ({ ip, formId }) => {
    const network = clientNetwork(ip);
    // The wider one first: it also counts ids that don't exist.
    return tighter(await everywhere(network), await here(`${network} ${formId}`));
  };
}

/** Of two buckets, the one that has fewer requests left. */
function tighter(wide: RateLimitHeaders, narrow: RateLimitHeaders): RateLimitHeaders {
  const left = (headers: RateLimitHeaders) => Number(headers['RateLimit-Remaining'] ?? Infinity);
  return left(wide) < left(narrow) ? wide : narrow;
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
