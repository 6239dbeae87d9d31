import type { Plan, Role, Scope } from '@svcforms/contracts';
import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

export interface AccountRecord extends StoredDocument {
  name: string;
  plan: Plan;
  createdAt: string;
  /** Days after which submissions are erased, where their form sets nothing; absent: never. */
  retentionDays?: number;
  /** Set on the first account when all that the first start makes is there. */
  bootstrappedAt?: string;
  /** Set on the first account when it was deleted: nothing else is left of it. ISO 8601. */
  erasedAt?: string;
}

export interface UserRecord extends StoredDocument {
  accountId: string;
  /** Lower case; unique over all accounts, because it alone is what people log in with. */
  email: string;
  name: string;
  role: Role;
  /** See `hashPassword`. */
  passwordHash: string;
  /**
   * Set while an owner is being deleted or given another role: `<time>|<random>`. Such an owner doesn't count as one who is
   * left; see `createOwners`.
   */
  leaving?: string;
  /** Emails to this person that nobody has queued yet, with `noticesAt`; see `withNotices`. */
  notices?: UserNotice[];
  /** Changes with every notice; absent when there is none. Sorts by time. */
  noticesAt?: string;
  /** When the user was last told of failed logins. ISO 8601. */
  toldOfFailuresAt?: string;
  /** Wants an e-mail about new tasks; absent: no. */
  taskEmails?: boolean;
  createdAt: string;
}

/** A user who has logged in. */
export interface SessionRecord extends StoredDocument {
  /** SHA-256 of the token in the cookie, hex: `_id` is what is looked up, and who reads the store can't use it. */
  _id: string;
  accountId: string;
  userId: string;
  createdAt: string;
  /** When the password was last given. Absent in sessions of older versions: at `createdAt`. */
  authenticatedAt?: string;
  /** Rounded: see `createSessions`. Absent in sessions of older versions until their next request. */
  lastSeenAt?: string;
  /** Where the login came from. */
  ip?: string;
  userAgent?: string;
  expireAt: string;
}

/**
 * Login attempts counted under one name (account and network, account, or network), or a network that an account has logged in
 * from. See `createLoginLimits`.
 */
export interface LoginFailuresRecord extends StoredDocument {
  /** SHA-256 of what it counts, hex: the store has neither addresses nor emails of those who failed. */
  _id: string;
  /** Attempts since the last success, those under way included. Absent for a known network. */
  count?: number;
  /** No attempt is taken before. ISO 8601. Absent for a known network. */
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
  /** The user or key that created it; null for the operator. Absent in keys of older versions: unknown. */
  createdBy?: string | null;
  /**
   * On whose authority a key with `*` acts as an owner: the operator's (first start, admin command), or that of a user, for as
   * long as the user is an owner. Absent: nobody's. docs/adr/0024
   */
  authority?: string;
  /** 2: its `keys:manage` doesn't include `users:manage`. Absent in keys of older versions, where it does. */
  scopesVersion?: 2;
  createdAt: string;
  /** To the minute; absent: never since versions that note it. */
  lastUsedAt?: string;
}

/** An email that a user is owed about their own account. */
// Not an interface: those aren't taken for JSON.
export type UserNotice = {
  kind: 'password_changed' | 'email_changed' | 'login_failures';
  /** ISO 8601. */
  at: string;
  /** Addresses at the time of the change: the old and the new one where it changed. */
  to: string[];
};

/** The key that the first start creates. */
export const FIRST_KEY_ID = 'key_00000000000000000000000001';
/** As `authority` of a key: whoever runs the installation. */
export const OPERATOR = 'operator';

export const ACCOUNTS: CollectionSpec<AccountRecord> = {
  name: 'accounts',
  indexes: [{ keys: ['-createdAt', '-_id'] }],
};
export const USERS: CollectionSpec<UserRecord> = {
  name: 'users',
  indexes: [
    { keys: ['email'], unique: true },
    { keys: ['accountId', '-createdAt', '-_id'] },
    { keys: ['noticesAt'], sparse: true },
  ],
};
export const API_KEYS: CollectionSpec<ApiKeyRecord> = {
  name: 'api_keys',
  indexes: [{ keys: ['hash'], unique: true }, { keys: ['accountId', '-createdAt', '-_id'] }],
};
export const SESSIONS: CollectionSpec<SessionRecord> = {
  name: 'sessions',
  indexes: [{ keys: ['userId'] }],
  expireAt: 'expireAt',
};
export const LOGIN_FAILURES: CollectionSpec<LoginFailuresRecord> = {
  name: 'login_failures',
  indexes: [],
  expireAt: 'expireAt',
};
