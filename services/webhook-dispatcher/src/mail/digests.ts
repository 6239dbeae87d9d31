import type { Collection } from '@svcforms/document-store';
import { HOUR_MS, type Clock } from '@svcforms/primitives';
import { newMail, type MailRecord } from './mail-record.ts';

/** An email about one submission. */
export type SubmissionMail = MailRecord & { subject: { kind: 'submission' } };

/** By then, emails that were queued just before the end of the hour or day are usually stored. */
const GRACE_MS = 5_000;

/** Creates the digest that counts an email: the same one for the same `key`, form and address. */
export function digestOf(
  { accountId, to, subject: { formId } }: SubmissionMail,
  { key, now, dueAt }: { key: string; now: number; dueAt: number },
): MailRecord {
  return newMail(
    { accountId, to, subject: { kind: 'digest', formId } },
    { key: `digest|${formId}|${key}`, now, dueAt: dueAt + GRACE_MS },
  );
}

/**
 * Counts the emails of a digest that this process has leased, and marks them, so that none of them
 * moves to another digest anymore.
 */
export async function countDigested(
  mails: Pick<Collection<MailRecord>, 'count' | 'updateMany'>,
  digest: string,
): Promise<number> {
  await mails.updateMany({ digest, isCounted: false }, { $set: { isCounted: true } });
  return mails.count({ digest, status: 'digested', isCounted: { $ne: false } });
}

interface MoveLateMailsDeps {
  mails: Pick<Collection<MailRecord>, 'findOne' | 'insertMany' | 'updateMany'>;
  now: Clock;
}

/**
 * Moves stored emails to a digest an hour later if theirs may have been composed before they were
 * stored. A digest is leased before it counts its emails. So if it isn't leased after an email was
 * stored, it will count the email; otherwise the email is either marked there or moved here. The id
 * of the next digest is derived from that of the last one, so doing this again changes nothing.
 */
export function createMoveLateMails({
  mails,
  now,
}: MoveLateMailsDeps): (stored: readonly SubmissionMail[]) => Promise<void> {
  return async function moveLateMails(stored) {
    // Emails that older versions stored have no mark.
    const byDigest = new Map<string, SubmissionMail[]>();
    for (const mail of stored)
      if (mail.digest !== undefined && mail.isCounted === false)
        byDigest.set(mail.digest, [...(byDigest.get(mail.digest) ?? []), mail]);
    await Promise.all([...byDigest].map(([digest, uncounted]) => moveIfLate(digest, uncounted)));
  };

  async function moveIfLate(digest: string, uncounted: readonly SubmissionMail[]): Promise<void> {
    const [first] = uncounted;
    // The digest of an imported account is `failed` without an attempt.
    const isOpen = (await mails.findOne({ _id: digest, status: 'pending', attempts: 0 })) !== null;
    if (!first || isOpen) return;
    const next = digestOf(first, { key: `after ${digest}`, now: now(), dueAt: now() + HOUR_MS });
    await mails.insertMany([next]);
    await mails.updateMany(
      { _id: { $in: uncounted.map(({ _id }) => _id) }, digest, isCounted: false },
      { $set: { digest: next._id } },
    );
    await moveIfLate(next._id, uncounted);
  }
}
