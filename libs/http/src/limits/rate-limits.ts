import { AppError } from '@svcforms/contracts';
import { clientNetwork } from './client-network.ts';
import { createLocalBuckets, type TakeToken } from './local-buckets.ts';
import type { SharedAccess } from './shared-access.ts';
import { createSharedBuckets } from './shared-buckets.ts';

/** Requests per minute; 0 means no limit. docs/reference/api.md#rate-limits */
export interface RateLimitSettings {
  /** Per API key, agent and user. */
  key: number;
  /** Per inbound endpoint. */
  inbound: number;
  /** Per client network and form, for public submissions. 0 disables all public limits. */
  public: number;
  /** Per client network across all forms: one limit for submissions, another for popup counters. */
  publicNetwork: number;
  /** Per client network and form, for popup counters. 0 disables all limits of counters. */
  counters: number;
  /**
   * A load balancer hides the clients' addresses: count per form or route instead of per network.
   */
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

/**
 * Counts a public request to the route `path`; `formId` is empty when the path has no well-formed
 * id.
 */
type PublicLimit = (request: { ip: string; formId: string; path: string }) => Promise<RateLimitHeaders>;

type RateLimitHeaders = Readonly<Record<string, string>>;

export const UNLIMITED: RateLimitSettings = {
  key: 0,
  inbound: 0,
  public: 0,
  publicNetwork: 0,
  counters: 0,
  addressesHidden: false,
};

/**
 * The limit of a form or route, in multiples of a client's limit, when clients can't be
 * distinguished.
 */
const HIDDEN_FACTOR = 10;

/** Creates the limit of that name: `whose` describes the caller in errors. */
type CreateLimit = (perMinute: number, name: string, whose: string) => RateLimit;

/**
 * The limits of the settings. The processes that share values count together; without `shared`,
 * this process counts alone. docs/adr/0050
 */
export function createRateLimits(settings: RateLimitSettings, shared?: SharedAccess): RateLimits {
  const { key, inbound, counters } = settings;
  const create: CreateLimit = (perMinute, name, whose) => {
    if (perMinute === 0) return async () => ({});
    const take = shared
      ? createSharedBuckets(perMinute, { name, access: shared })
      : createLocalBuckets(perMinute);
    return createRateLimit(perMinute, take, whose);
  };
  const publicLimit = (perForm: number, name: string) =>
    createPublicLimit(settings.public === 0 ? 0 : perForm, { ...settings, name, create });
  return {
    key: create(key, 'key', 'this API key or user'),
    inbound: create(inbound, 'inbound', 'this inbound endpoint'),
    public: publicLimit(settings.public, 'public'),
    counters: publicLimit(counters, 'counters'),
  };
}

/**
 * Combines the limit per network and form with the one per network across all forms. docs/adr/0033
 */
function createPublicLimit(
  perForm: number,
  {
    publicNetwork,
    addressesHidden,
    name,
    create,
  }: Pick<RateLimitSettings, 'publicNetwork' | 'addressesHidden'> & { name: string; create: CreateLimit },
): PublicLimit {
  if (perForm === 0) return async () => ({});
  if (addressesHidden) {
    const perMinute = perForm * HIDDEN_FACTOR;
    const form = create(perMinute, `${name} form`, 'this form');
    // With one bucket for all of them, requests to any route could block logins and password
    // resets.
    const withoutForm = create(perMinute, `${name} path`, 'this path');
    return ({ formId, path }) => (formId === '' ? withoutForm(path) : form(formId));
  }
  const acrossForms = create(publicNetwork, `${name} network`, 'your address');
  const perNetworkAndForm = create(perForm, `${name} network and form`, 'your address on this form');
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

/** Rounds up, but not for the rounding error of a clock with fractions of a millisecond. */
const wholeSeconds = (ms: number): number => Math.ceil(Math.round(ms) / 1000);

function createRateLimit(perMinute: number, take: TakeToken, whose: string): RateLimit {
  return async (who) => {
    const { isAllowed, remaining, untilFullMs, untilNextMs } = await take(who);
    const headers = {
      'RateLimit-Limit': String(perMinute),
      'RateLimit-Remaining': String(remaining),
      'RateLimit-Reset': String(wholeSeconds(untilFullMs)),
    };
    if (isAllowed) return headers;
    const retryAfter = String(Math.max(1, wholeSeconds(untilNextMs)));
    throw new AppError(
      'RATE_LIMITED',
      `More than ${perMinute} requests per minute for ${whose}. Try again in ${retryAfter} s.`,
      { headers: { ...headers, 'Retry-After': retryAfter } },
    );
  };
}
