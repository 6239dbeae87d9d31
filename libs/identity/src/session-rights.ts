import type { Scope } from '@svcforms/contracts';
import { scopesOfRole } from './caller.ts';
import type { AccountRecord } from './records/account.ts';
import type { SessionRecord } from './records/session.ts';
import type { UserRecord } from './records/user.ts';

/**
 * Whether the account accepts the session: one that requires single sign-on accepts only those that
 * the identity provider opened. Checked at each use, so a login that runs while the owner switches
 * it on opens nothing. ADR 0062
 */
export function isSessionAccepted(
  account: Pick<AccountRecord, 'singleSignOnRequired'> | null,
  session: Pick<SessionRecord, 'via'>,
): boolean {
  return account?.singleSignOnRequired !== true || session.via === 'oidc';
}

/**
 * Whether the account requires a second factor that the user hasn't set up yet. The identity
 * provider checks those of its sessions.
 */
export function mustSetUpTotp(
  user: Pick<UserRecord, 'totp'>,
  account: Pick<AccountRecord, 'secondFactorRequired'> | null,
  session: Pick<SessionRecord, 'via'>,
): boolean {
  return account?.secondFactorRequired === true && user.totp === undefined && session.via === undefined;
}

/**
 * Whether the user must replace a generated password first. Single sign-on sessions are exempt,
 * because nobody entered the password.
 */
export function mustChangePassword(
  user: Pick<UserRecord, 'mustChangePassword'>,
  session: Pick<SessionRecord, 'via'>,
): boolean {
  return user.mustChangePassword === true && session.via === undefined;
}

/**
 * Returns the scopes of a user's session: those of the role, but none until the user has set up the
 * second factor that the account requires.
 */
export function scopesOfSession(
  user: Pick<UserRecord, 'role' | 'totp'>,
  account: Pick<AccountRecord, 'secondFactorRequired'> | null,
  session: Pick<SessionRecord, 'via'>,
): readonly Scope[] {
  return mustSetUpTotp(user, account, session) ? [] : scopesOfRole(user.role);
}
