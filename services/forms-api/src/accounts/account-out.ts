import type { AccountOut, KeyOut, UserOut } from '@svcforms/contracts';
import type { AccountRecord, ApiKeyRecord, UserRecord } from '@svcforms/identity';

export function accountOut({ _id, name, plan, createdAt }: AccountRecord): AccountOut {
  return { id: _id, name, plan, createdAt };
}

/** Never the password, nor its hash. */
export function userOut({ _id, email, name, role, taskEmails = false }: UserRecord): UserOut {
  return { id: _id, email, name, role, taskEmails };
}

/** Never the key, nor its hash. */
export function keyOut({ _id, name, last4, scopes, expiresAt, createdAt }: ApiKeyRecord): KeyOut {
  return { id: _id, name, last4, scopes, expiresAt, createdAt };
}
