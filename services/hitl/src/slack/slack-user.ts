import type { FormMember } from '@svcforms/contracts';
import { createCachedFinder, type DocumentStore } from '@svcforms/document-store';
import {
  ACCOUNTS,
  createFormAccess,
  hasScope,
  mustChangePassword,
  scopesOfSession,
  USERS,
  type AccountRecord,
  type UserRecord,
} from '@svcforms/identity';
import { DAY_MS, type Clock } from '@svcforms/primitives';
import type { SlackMembers } from '@svcforms/slack';

/**
 * A connection is confirmed with a login from time to time, because Slack doesn't say who still
 * works here.
 */
const CONNECTION_MS = 90 * DAY_MS;

/**
 * The user whom a Slack user of the app's workspace is connected to, with the groups that limit
 * them, or why the click doesn't count.
 */
export type SlackUser =
  | ({ user: UserRecord } & FormMember)
  | { refusal: 'foreign' | 'not_connected' | 'log_in' | 'may_not_decide' };

/**
 * Finds the user for a Slack user, with the rights that a login of theirs would have now. Reads the
 * store, so that a disconnected or deleted user is refused at once. ADR 0063
 */
export function createFindSlackUser({
  store,
  members,
  now,
}: {
  store: Pick<DocumentStore, 'collection'>;
  /** Knows the workspace of the app; `null` without an app. */
  members: Pick<SlackMembers, 'isOwn'> | null;
  now: Clock;
}) {
  const users = store.collection<UserRecord>(USERS);
  const findAccount = createCachedFinder(store.collection<AccountRecord>(ACCOUNTS), '_id');
  const formAccess = createFormAccess({ store });

  return async function findSlackUser(slackUser: string): Promise<SlackUser> {
    const origin = (await members?.isOwn(slackUser)) ?? { isOwn: false };
    if ('error' in origin) throw new Error(`Slack didn't name the workspace of the app: ${origin.error}`);
    if (!origin.isOwn) return { refusal: 'foreign' };
    const user = await users.findOne({ slackUser });
    if (!user) return { refusal: 'not_connected' };
    const account = await findAccount(user.accountId);
    if (!account || account.erasedAt !== undefined) return { refusal: 'not_connected' };
    const session = user.slackLinkedVia === undefined ? {} : { via: user.slackLinkedVia };
    const isOld = Date.parse(user.slackLinkedAt ?? '') + CONNECTION_MS <= now();
    // If the account requires single sign-on, only a connection made in such a session counts.
    if (isOld || (account.singleSignOnRequired === true && session.via !== 'oidc'))
      return { refusal: 'not_connected' };
    if (mustChangePassword(user, session)) return { refusal: 'log_in' };
    const scopes = scopesOfSession(user, account, session);
    if (scopes.length === 0) return { refusal: 'log_in' };
    if (!hasScope({ scopes: new Set(scopes) }, 'tasks:decide')) return { refusal: 'may_not_decide' };
    return { user, memberOf: await formAccess.groupsLimiting(user) };
  };
}
