import type { Plan, Role, Scope } from '@svcforms/contracts';
import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

export interface AccountRecord extends StoredDocument {
  name: string;
  plan: Plan;
  createdAt: string;
  /** Days after which submissions are erased unless their form sets a value; absent: never. */
  retentionDays?: number;
  /** Set on the first account when the first start is complete. */
  bootstrappedAt?: string;
  /** Set on the first account when it is deleted and only this record remains. ISO 8601. */
  erasedAt?: string;
}

export interface UserRecord extends StoredDocument {
  accountId: string;
  /** Lower case. Unique over all accounts, because people log in with the email alone. */
  email: string;
  name: string;
  role: Role;
  /** See `hashPassword`. */
  passwordHash: string;
  /**
   * Set while an owner is being deleted or given another role: `<time>|<random>`. Such an owner
   * doesn't count as a remaining owner; see `createOwners`.
   */
  leaving?: string;
  /** Emails to this user that aren't queued yet; see `withNotices`. */
  notices?: UserNotice[];
  /** Changes with every notice and sorts by time; absent if there is none. */
  noticesAt?: string;
  /** When the last notice about failed logins was added. ISO 8601. */
  toldOfFailuresAt?: string;
  /** Whether the user gets emails about new tasks; absent: no. */
  taskEmails?: boolean;
  createdAt: string;
}

/** The session of a logged-in user. */
export interface SessionRecord extends StoredDocument {
  /** SHA-256 of the token in the cookie, hex, so that a reader of the store can't use it. */
  _id: string;
  accountId: string;
  userId: string;
  createdAt: string;
  /** When the password was last entered. Absent in sessions of older versions: `createdAt`. */
  authenticatedAt?: string;
  /**
   * Rounded: see `createSessions`. Absent in sessions of older versions until their next request.
   */
  lastSeenAt?: string;
  /** The client address of the login. */
  ip?: string;
  userAgent?: string;
  expireAt: string;
}

/**
 * A counter of login attempts (of an account on a network, an account, or a network), or a known
 * network of an account. See `createLoginLimits`.
 */
export interface LoginFailuresRecord extends StoredDocument {
  /**
   * SHA-256 of the key, hex, so that the store has neither addresses nor emails of failed attempts.
   */
  _id: string;
  /** Attempts since the last success, including those in progress. Absent for a known network. */
  count?: number;
  /** No attempt is allowed before this time. ISO 8601. Absent for a known network. */
  nextAt?: string;
  expireAt: string;
}

export interface ApiKeyRecord extends StoredDocument {
  accountId: string;
  name: string;
  /** SHA-256 of the key, hex. */
  hash: string;
  last4: string;
  scopes: Scope[];
  expiresAt: string | null;
  /**
   * The user or key that created it; null for the operator. Absent in keys of older versions:
   * unknown.
   */
  createdBy?: string | null;
  /**
   * The authority by which a key with `*` acts as an owner: the operator (first start, admin
   * command), or the id of a user, while that user is an owner. Absent: none. ADR 0024
   */
  authority?: string;
  /**
   * 2: its `keys:manage` doesn't include `users:manage`. Absent in keys of older versions, where it
   * does.
   */
  scopesVersion?: 2;
  createdAt: string;
  /** To the minute. Absent if the key wasn't used since versions that record it. */
  lastUsedAt?: string;
}

/** An email to a user about their own account. */
// A type, because interfaces aren't assignable to JSON values.
export type UserNotice = {
  kind: 'password_changed' | 'email_changed' | 'login_failures';
  /** ISO 8601. */
  at: string;
  /** The addresses at the time of the change; both if the address changed. */
  to: string[];
};

/** The key that the first start creates. */
export const FIRST_KEY_ID = 'key_00000000000000000000000001';
/** The `authority` of keys that the operator of the installation created. */
export const OPERATOR = 'operator';

export const ACCOUNTS: CollectionSpec<AccountRecord> = {
  name: 'accounts',
  indexes: [{ keys: ['-createdAt', '-_id'] }],
  cached: { by: ['_id'], volatile: [] },
};
export const USERS: CollectionSpec<UserRecord> = {
  name: 'users',
  indexes: [
    { keys: ['email'], unique: true },
    { keys: ['accountId', '-createdAt', '-_id'] },
    { keys: ['noticesAt'], sparse: true },
  ],
  cached: { by: ['_id'], volatile: ['notices', 'noticesAt', 'toldOfFailuresAt'] },
};
export const API_KEYS: CollectionSpec<ApiKeyRecord> = {
  name: 'api_keys',
  indexes: [{ keys: ['hash'], unique: true }, { keys: ['accountId', '-createdAt', '-_id'] }],
  cached: { by: ['hash'], volatile: ['lastUsedAt'] },
};
export const SESSIONS: CollectionSpec<SessionRecord> = {
  name: 'sessions',
  indexes: [{ keys: ['userId'] }],
  expireAt: 'expireAt',
  cached: { by: ['_id'], volatile: [] },
};
export const LOGIN_FAILURES: CollectionSpec<LoginFailuresRecord> = {
  name: 'login_failures',
  indexes: [],
  expireAt: 'expireAt',
};
