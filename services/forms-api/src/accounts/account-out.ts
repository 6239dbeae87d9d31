import type { AccountOut, InvitationOut, KeyOut, SessionOut, UserOut } from '@svcforms/contracts';
import {
  publicSessionId,
  scopesOfKey,
  type AccountRecord,
  type ApiKeyRecord,
  type InvitationRecord,
  type SessionRecord,
  type UserRecord,
} from '@svcforms/identity';

export function accountOut(record: AccountRecord): AccountOut {
  const { _id, name, plan, retentionDays = null, secondFactorRequired = false, createdAt } = record;
  const { singleSignOnRequired = false, slackChannel = null } = record;
  return {
    id: _id,
    name,
    plan,
    retentionDays,
    secondFactorRequired,
    singleSignOnRequired,
    slackChannel,
    createdAt,
  };
}

/** Without the password and its hash. */
export function userOut({ _id, email, name, role, totp, taskEmails = false }: UserRecord): UserOut {
  return { id: _id, email, name, role, hasSecondFactor: totp !== undefined, taskEmails };
}

/** Without its links. @param at in ISO 8601 */
export function invitationOut(record: InvitationRecord, at: string): InvitationOut {
  const { _id, email, role, invitedBy, createdAt, expiresAt } = record;
  return {
    id: _id,
    email,
    role,
    status: expiresAt > at ? 'pending' : 'expired',
    invitedBy,
    createdAt,
    expiresAt,
  };
}

/** Without the key and its hash. */
export function keyOut(record: ApiKeyRecord): KeyOut {
  const { _id, name, last4, expiresAt, createdAt, createdBy = null, lastUsedAt = null } = record;
  return { id: _id, name, last4, scopes: scopesOfKey(record), expiresAt, createdAt, createdBy, lastUsedAt };
}

/** Without the token and its hash. */
export function sessionOut(record: SessionRecord, currentSessionId: string): SessionOut {
  const { _id, createdAt, lastSeenAt = null, expireAt, ip = null, userAgent = null } = record;
  return {
    id: publicSessionId(record),
    createdAt,
    lastSeenAt,
    expiresAt: expireAt,
    ip,
    userAgent,
    isCurrent: _id === currentSessionId,
  };
}
