import {
  isDuplicateKey,
  type Collection,
  type CollectionSpec,
  type StoredDocument,
} from '@svcforms/document-store';
import { DAY_MS, isoTime } from '@svcforms/primitives';

/** The number of emails of one kind that an account has sent on a day (UTC). */
export interface MailCounterRecord extends StoredDocument {
  /** Account, kind and day. */
  _id: string;
  count: number;
  expireAt: string;
}

export const MAIL_COUNTERS: CollectionSpec<MailCounterRecord> = {
  name: 'mail_counters',
  indexes: [],
  expireAt: 'expireAt',
};

const KEPT_MS = 2 * DAY_MS;

/**
 * Adds emails to an account's count of today, atomically over all processes. Returns the new count.
 */
export async function countMails(
  counters: Pick<Collection<MailCounterRecord>, 'findOneAndUpdate'>,
  { accountId, kind, amount, now }: { accountId: string; kind: string; amount: number; now: number },
): Promise<number> {
  const day = isoTime(now).slice(0, 10);
  const count = () =>
    counters.findOneAndUpdate(
      { _id: `${accountId}|${kind}|${day}` },
      {
        $inc: { count: amount },
        $setOnInsert: { expireAt: isoTime(now + KEPT_MS) },
      },
      { upsert: true, returning: 'after' },
    );
  const counted = await count().catch((error: unknown) => {
    // Two processes inserted the first document of the day concurrently.
    if (isDuplicateKey(error)) return count();
    throw error;
  });
  return counted?.count ?? amount;
}
