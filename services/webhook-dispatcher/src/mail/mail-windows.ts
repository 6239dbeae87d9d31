import {
  isDuplicateKey,
  type Collection,
  type CollectionSpec,
  type StoredDocument,
} from '@svcforms/document-store';
import { HOUR_MS, isoTime } from '@svcforms/primitives';
import { createHash } from 'node:crypto';

/**
 * How many emails about a form were queued for an address in the hour that began with the first of
 * them.
 */
export interface MailWindowRecord extends StoredDocument {
  /** SHA-256 of form and address, hex. */
  _id: string;
  startedAt: string;
  count: number;
  expireAt: string;
}

export const MAIL_WINDOWS: CollectionSpec<MailWindowRecord> = {
  name: 'mail_windows',
  indexes: [],
  expireAt: 'expireAt',
};

export const WINDOW_MS = HOUR_MS;
/**
 * An hour that begins later than this ahead is of a clock that was set back since: the clocks of
 * processes differ.
 */
const CLOCK_SKEW_MS = 60_000;

export const windowId = (formId: string, email: string): string =>
  createHash('sha256')
    .update(JSON.stringify([formId, email]))
    .digest('hex');

/**
 * Counts emails in the current hour of a form and an address, or starts a new hour if the last one
 * is over or in the future. All processes share the count.
 *
 * @returns when the hour began (milliseconds since the epoch), and the count before these emails
 */
export async function countInWindow(
  windows: Collection<MailWindowRecord>,
  { id, amount, now }: { id: string; amount: number; now: number },
): Promise<{ startedAt: number; before: number }> {
  const startedAt = isoTime(now);
  const oldest = isoTime(now - WINDOW_MS);
  const newest = isoTime(now + CLOCK_SKEW_MS);
  const fresh = { startedAt, count: amount, expireAt: isoTime(now + 2 * WINDOW_MS) };
  for (;;) {
    const current = await windows.findOneAndUpdate(
      { _id: id, startedAt: { $gt: oldest, $lte: newest } },
      { $inc: { count: amount } },
    );
    if (current) return { startedAt: Date.parse(current.startedAt), before: current.count - amount };
    const renewed = await windows.findOneAndUpdate(
      { _id: id, $or: [{ startedAt: { $lte: oldest } }, { startedAt: { $gt: newest } }] },
      { $set: fresh },
    );
    if (renewed) return { startedAt: now, before: 0 };
    try {
      await windows.insertOne({ _id: id, ...fresh });
      return { startedAt: now, before: 0 };
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
}
