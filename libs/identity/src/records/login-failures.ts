import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

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

export const LOGIN_FAILURES: CollectionSpec<LoginFailuresRecord> = {
  name: 'login_failures',
  indexes: [],
  expireAt: 'expireAt',
};
