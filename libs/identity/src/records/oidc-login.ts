import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

/** A login in progress at the identity provider. */
export interface OidcLoginRecord extends StoredDocument {
  /** SHA-256 of the state, hex. */
  _id: string;
  nonce: string;
  /** The PKCE verifier. */
  verifier: string;
  /** The path to open afterwards. */
  to: string;
  expireAt: string;
}

export const OIDC_LOGINS: CollectionSpec<OidcLoginRecord> = {
  name: 'oidc_logins',
  indexes: [],
  expireAt: 'expireAt',
};
