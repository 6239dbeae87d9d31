import type { Collection } from '@svcforms/document-store';
import { countMails, type MailCounterRecord, type NotificationAddressRecord } from '@svcforms/records';

const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;

/** Verification emails to one address: so many within so long. */
const PER_ADDRESS = [
  { count: 1, withinMs: HOUR_MS },
  { count: 3, withinMs: DAY_MS },
  { count: 6, withinMs: 30 * DAY_MS },
];
/** Of one account on one day (UTC). */
const PER_ACCOUNT = 50;
const KEPT = 10;

export interface RequestVerificationDeps {
  addresses: Collection<NotificationAddressRecord>;
  counters: Collection<MailCounterRecord>;
  now: () => number;
}

/**
 * Has a verification email sent to the address, unless there were too many: nobody can have us flood a stranger. The dispatcher
 * sends it.
 *
 * @returns 0, or in how many milliseconds it may be requested again.
 */
export type RequestVerification = (address: NotificationAddressRecord) => Promise<number>;

export function createRequestVerification(deps: RequestVerificationDeps): RequestVerification {
  const { addresses, counters, now } = deps;

  return async function requestVerification({ _id, accountId, requestedAt = [] }) {
    const waitMs = Math.max(0, ...PER_ADDRESS.map((limit) => remaining(requestedAt, limit)));
    if (waitMs > 0) return waitMs;
    const today = await countMails(counters, { accountId, kind: 'verifications', amount: 1, now: now() });
    if (today > PER_ACCOUNT) return DAY_MS - (now() % DAY_MS);
    const at = new Date(now()).toISOString();
    const latest = requestedAt.at(-1);
    const isFirst = await addresses.updateOne(
      // Of two requests at once, the second finds another length.
      { _id, ...(latest === undefined ? { requestedAt: { $exists: false } } : { lastRequestedAt: latest }) },
      {
        $push: { requestedAt: { $each: [at], $slice: -KEPT } },
        $set: { lastRequestedAt: at, mailOwedAt: at },
      },
    );
    return isFirst ? 0 : HOUR_MS;
  };

  /** Until one more is allowed. */
  function remaining(
    requestedAt: readonly string[],
    { count, withinMs }: (typeof PER_ADDRESS)[number],
  ): number {
    const oldest = requestedAt.at(-count);
    return oldest === undefined ? 0 : Date.parse(oldest) + withinMs - now();
  }
}
