import type { Plan, Role, Scope } from '@svcforms/contracts';
import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

export interface AccountRecord extends StoredDocument {
  name: string;
  plan: Plan;
  createdAt: string;
  /** Set on the first account when all that the first start makes is there. */
  bootstrappedAt?: string;
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
  expireAt: string;
}

/** Wrong passwords of one e-mail address from one IP address. */
export interface LoginFailuresRecord extends StoredDocument {
  /** SHA-256 of both, hex. */
  _id: string;
  /** The latest, oldest first. */
  at: string[];
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
  createdAt: string;
}

export const ACCOUNTS: CollectionSpec = { name: 'accounts', indexes: [{ keys: ['-createdAt', '-_id'] }] };
export const USERS: CollectionSpec = {
  name: 'users',
  indexes: [{ keys: ['email'], unique: true }, { keys: ['accountId', '-createdAt', '-_id'] }],
};
export const API_KEYS: CollectionSpec = {
  name: 'api_keys',
  indexes: [{ keys: ['hash'], unique: true }, { keys: ['accountId', '-createdAt', '-_id'] }],
};
export const SESSIONS: CollectionSpec = {
  name: 'sessions',
  indexes: [{ keys: ['userId'] }],
  expireAt: 'expireAt',
};
export const LOGIN_FAILURES: CollectionSpec = { name: 'login_failures', indexes: [], expireAt: 'expireAt' };
