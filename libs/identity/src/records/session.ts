import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

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
  /**
   * How it was opened; absent: with a password. The identity provider checks second factors itself.
   */
  via?: 'oidc';
  expireAt: string;
}

export const SESSIONS: CollectionSpec<SessionRecord> = {
  name: 'sessions',
  indexes: [{ keys: ['userId'] }],
  expireAt: 'expireAt',
  cached: { by: ['_id'], volatile: [] },
};
