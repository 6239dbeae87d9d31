import type { Update } from '@svcforms/document-store';
import { randomUUID } from 'node:crypto';
import type { UserNotice, UserRecord } from './records/user.ts';

/** Older notices of a long backlog are dropped. */
const MAX_NOTICES = 20;

/**
 * Adds email notices to an update of a user: one write, so that a crash can't separate the change
 * from its notices. The dispatcher sends the emails. ADR 0015
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

/** What disconnects a user from their Slack user, for `$unset`. */
export const SLACK_CONNECTION = { slackUser: true, slackLinkedAt: true, slackLinkedVia: true } as const;

/**
 * Returns the update for a change of a user, with its notices. A new email or password invalidates
 * links that reset the password. A new email disconnects the Slack user, which has the old one. A
 * new password that the change doesn't mark as generated is one that somebody chose.
 */
export function updateOfUser(
  before: { email: string },
  change: Partial<UserRecord>,
  at: string,
): ReturnType<typeof withNotices> {
  const isChosen = change.passwordHash !== undefined && !change.mustChangePassword;
  const hasNewEmail = change.email !== undefined && change.email !== before.email;
  const $unset: Update<UserRecord>['$unset'] = {
    ...(hasNewEmail && SLACK_CONNECTION),
    ...((change.email !== undefined || change.passwordHash !== undefined) && { resets: true as const }),
    ...(isChosen && { mustChangePassword: true as const }),
  };
  const update = { $set: change, ...(Object.keys($unset).length > 0 && { $unset }) };
  return withNotices(update, noticesOfChange(before, change, at));
}

/**
 * Returns the notices for a change of email or password. A change of email is sent to both
 * addresses.
 */
function noticesOfChange(
  before: { email: string },
  change: { email?: string | undefined; passwordHash?: string | undefined },
  at: string,
): UserNotice[] {
  const notices: UserNotice[] = [];
  if (change.email !== undefined && change.email !== before.email) {
    notices.push({ kind: 'email_changed', at, to: [before.email, change.email] });
  }
  // Sent to the old address, which the previous owner of the password reads.
  if (change.passwordHash !== undefined) notices.push({ kind: 'password_changed', at, to: [before.email] });
  return notices;
}
