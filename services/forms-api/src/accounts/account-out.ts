import type { AccountOut, KeyOut, SessionOut, UserOut } from '@svcforms/contracts';
import {
  publicSessionId,
  scopesOfKey,
  type AccountRecord,
  type ApiKeyRecord,
  type SessionRecord,
  type UserRecord,
} from '@svcforms/identity';

export function accountOut({ _id, name, plan, retentionDays, createdAt }: AccountRecord): AccountOut {
  return { id: _id, name, plan, retentionDays: retentionDays ?? null, createdAt };
}

/** Without the password and its hash. */
export function userOut({ _id, email, name, role, taskEmails = false }: UserRecord): UserOut {
  return { id: _id, email, name, role, taskEmails };
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
