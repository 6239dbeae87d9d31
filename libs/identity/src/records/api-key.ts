import { FIRST_ULID, type Scope } from '@svcforms/contracts';
import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

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
   * The user who created it, also through other keys, which may be deleted since. Absent in keys of
   * the operator and of older versions.
   */
  userId?: string;
  /**
   * Whether that user was a reviewer when they were deleted, or when the key was created after
   * that, so that the key sees no form that names reviewers. Says nothing while the user exists.
   * Absent: no.
   */
  ofReviewer?: boolean;
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

/** The key that the first start creates. */
export const FIRST_KEY_ID = `key_${FIRST_ULID}`;

/** The `authority` of keys that the operator of the installation created. */
export const OPERATOR = 'operator';

export const API_KEYS: CollectionSpec<ApiKeyRecord> = {
  name: 'api_keys',
  indexes: [{ keys: ['hash'], unique: true }, { keys: ['accountId', '-createdAt', '-_id'] }],
  cached: { by: ['hash', '_id'], volatile: ['lastUsedAt'] },
};
