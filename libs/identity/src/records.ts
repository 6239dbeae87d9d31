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
  createdAt: string;
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
