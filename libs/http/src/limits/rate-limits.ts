import { AppError } from '@svcforms/contracts';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { clientNetwork } from './client-network.ts';

const MINUTE_MS = 60_000;

/** Requests per minute; 0 means no limit. docs/reference/api.md#rate-limits */
export interface RateLimitSettings {
  /** Per API key. */
  key: number;
  /** Per inbound endpoint. */
  inbound: number;
  /** Per client network and form, for public submissions. 0 disables all public limits. */
  public: number;
  /** Per client network across all forms: one limit for submissions, another for popup counters. */
  publicNetwork: number;
  /** Per client network and form, for popup counters. 0 disables all limits of counters. */
  counters: number;
  /** A load balancer hides the clients' addresses: count per form instead of per network. */
  addressesHidden: boolean;
}

export interface RateLimits {
  readonly key: RateLimit;
  readonly inbound: RateLimit;
  readonly public: PublicLimit;
  readonly counters: PublicLimit;
}

/**
 * Takes one token from `who`'s bucket and returns the headers of the response.
 * @throws AppError `RATE_LIMITED`, with these headers and `Retry-After`, when the bucket is empty.
 */
type RateLimit = (who: string) => Promise<RateLimitHeaders>;

/** Counts a public request; `formId` is empty when the path has no well-formed id. */
type PublicLimit = (request: { ip: string; formId: string }) => Promise<RateLimitHeaders>;

type RateLimitHeaders = Readonly<Record<string, string>>;

export const UNLIMITED: RateLimitSettings = {
  key: 0,
  inbound: 0,
  public: 0,
  publicNetwork: 0,
  counters: 0,
  addressesHidden: false,
};

/** The limit of a form, in multiples of a client's limit, when clients can't be distinguished. */
const HIDDEN_FACTOR = 10;

/** The buckets of this process. Each replica counts separately. docs/adr/0008 */
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

/** Combines the limit per network and form with the one per network across all forms. docs/adr/0033 */
function createPublicLimit(
  perForm: number,
  { publicNetwork, addressesHidden }: RateLimitSettings,
): PublicLimit {
  if (perForm === 0) return async () => ({});
  if (addressesHidden) {
    const form = createRateLimit(perForm * HIDDEN_FACTOR, 'this form');
    return ({ formId }) => form(formId);
  }
  const acrossForms = createRateLimit(publicNetwork, 'your address');
  const perNetworkAndForm = createRateLimit(perForm, 'your address on this form');
  return async ({ ip, formId }) => {
    const network = clientNetwork(ip);
    // The wider limit comes first, because it also counts ids that don't exist.
    return tighter(await acrossForms(network), await perNetworkAndForm(`${network} ${formId}`));
  };
}

/** Returns the headers of the bucket with fewer requests left. */
function tighter(wide: RateLimitHeaders, narrow: RateLimitHeaders): RateLimitHeaders {
  const left = (headers: RateLimitHeaders) => Number(headers['RateLimit-Remaining'] ?? Infinity);
  return left(wide) < left(narrow) ? wide : narrow;
}

/**
 * A token bucket that holds a minute's requests and refills evenly. It stores only when a bucket will be full again, in an
 * entry that expires at that time, so a full bucket uses no memory.
 */
function createRateLimit(perMinute: number, whose: string): RateLimit {
  if (perMinute === 0) return async () => ({});
  const full = new RateLimiterMemory({ points: 1, duration: MINUTE_MS / 1000 });
  const tokenMs = MINUTE_MS / perMinute;
  let previous: Promise<unknown> = Promise.resolve();

  async function takeOne(who: string) {
    const untilFullMs = Math.max(0, (await full.get(who))?.msBeforeNext ?? 0);
    const afterMs = untilFullMs + tokenMs;
    // The millisecond absorbs rounding errors: the sum of many fractions can exceed the minute slightly.
    const missingMs = afterMs - MINUTE_MS - 1;
    if (missingMs <= 0) await full.set(who, 1, afterMs / 1000);
    const takenMs = missingMs <= 0 ? afterMs : untilFullMs;
    return { missingMs, remaining: Math.floor((MINUTE_MS - takenMs + 1) / tokenMs), untilFullMs: takenMs };
  }

  return async function take(who) {
    // One at a time: two concurrent requests that read the same bucket would take the same token.
    const taking = previous.then(() => takeOne(who));
    previous = taking.catch(() => {});
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
      `More than ${perMinute} requests per minute for ${whose}. Try again in ${retryAfter} s.`,
      { headers: { ...headers, 'Retry-After': retryAfter } },
    );
  };
}
