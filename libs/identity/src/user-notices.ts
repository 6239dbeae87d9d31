import type { Update } from '@svcforms/document-store';
import { randomUUID } from 'node:crypto';
import type { UserNotice, UserRecord } from './records.ts';

/** An unsent backlog beyond this tells nothing new. */
const MAX_NOTICES = 20;

/**
 * Adds to a change of a user what the user is to be told of it by email: one write, so that a crash can't separate them. The
 * dispatcher turns notices into mails, as it does for webhooks (docs/adr/0015).
 */
export function withNotices(
  update: Pick<Update<UserRecord>, '$set' | '$unset'>,
  notices: readonly UserNotice[],
): Pick<Update<UserRecord>, '$set' | '$unset' | '$push'> {
  const [first] = notices;
  if (!first) return update;
  return {
    ...update,
    $set: { ...update.$set, noticesAt: `${first.at}|${randomUUID()}` },
    $push: { notices: { $each: [...notices], $slice: -MAX_NOTICES } },
  };
}

/** The notices that a change of email address or password calls for. Both addresses hear of a new address. */
export function noticesOfChange(
  before: { email: string },
  change: { email?: string | undefined; passwordHash?: string | undefined },
  at: string,
): UserNotice[] {
  const notices: UserNotice[] = [];
  if (change.email !== undefined && change.email !== before.email) {
    notices.push({ kind: 'email_changed', at, to: [before.email, change.email] });
  }
  // To the address that the owner of the old password reads.
  if (change.passwordHash !== undefined) notices.push({ kind: 'password_changed', at, to: [before.email] });
  return notices;
}
