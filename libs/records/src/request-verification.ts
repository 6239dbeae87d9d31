import type { Collection } from '@svcforms/document-store';
import { DAY_MS, HOUR_MS, isoTime, type Clock } from '@svcforms/primitives';
import { countMails, type MailCounterRecord } from './collections/mail-counter.ts';
import type { NotificationAddressRecord } from './collections/notification-address.ts';

/** Limits of verification emails to one address. */
const PER_ADDRESS = [
  { count: 1, withinMs: HOUR_MS },
  { count: 3, withinMs: DAY_MS },
  { count: 6, withinMs: 30 * DAY_MS },
];
/** Limit of one account per day (UTC). */
const PER_ACCOUNT = 50;
const KEPT = 10;

interface RequestVerificationDeps {
  addresses: Pick<Collection<NotificationAddressRecord>, 'updateOne'>;
  counters: Pick<Collection<MailCounterRecord>, 'findOneAndUpdate'>;
  now: Clock;
}

/**
 * Requests a verification email to the address, which the dispatcher sends. The limits keep
 * accounts from flooding strangers.
 *
 * @returns 0, or the milliseconds until the next request is allowed
 */
export type RequestVerification = (address: NotificationAddressRecord) => Promise<number>;

export function createRequestVerification(deps: RequestVerificationDeps): RequestVerification {
  const { addresses, counters, now } = deps;

  return async function requestVerification({ _id, accountId, requestedAt = [] }) {
    const waitMs = Math.max(0, ...PER_ADDRESS.map((limit) => remaining(requestedAt, limit)));
    if (waitMs > 0) return waitMs;
    const today = await countMails(counters, { accountId, kind: 'verifications', amount: 1, now: now() });
    if (today > PER_ACCOUNT) return DAY_MS - (now() % DAY_MS);
    const at = isoTime(now());
    const latest = requestedAt.at(-1);
    const isFirst = await addresses.updateOne(
      // The second of two concurrent requests doesn't match.
      { _id, ...(latest === undefined ? { requestedAt: { $exists: false } } : { lastRequestedAt: latest }) },
      {
        $push: { requestedAt: { $each: [at], $slice: -KEPT } },
        $set: { lastRequestedAt: at, mailOwedAt: at },
      },
    );
    return isFirst ? 0 : HOUR_MS;
  };

  /** The milliseconds until one more is allowed. */
  function remaining(
    requestedAt: readonly string[],
    { count, withinMs }: (typeof PER_ADDRESS)[number],
  ): number {
    const oldest = requestedAt.at(-count);
    return oldest === undefined ? 0 : Date.parse(oldest) + withinMs - now();
  }
}
