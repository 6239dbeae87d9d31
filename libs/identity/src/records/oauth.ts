import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

/** A registered program that can ask users for authorization. */
export interface OAuthClientRecord extends StoredDocument {
  /** The client id. */
  _id: string;
  /** Its registration (RFC 7591), as JSON. */
  metadata: string;
  /** Only if the id is the URL of a document: when it was fetched. ISO 8601. */
  fetchedAt?: string;
  createdAt: string;
  /** Extended by every user who connects it. */
  expireAt: string;
}

export const OAUTH_CLIENTS: CollectionSpec<OAuthClientRecord> = {
  name: 'oauth_clients',
  indexes: [],
  expireAt: 'expireAt',
};

/**
 * What the authorization server has to remember: requests in progress, codes and refresh tokens.
 */
export interface OAuthArtifactRecord extends StoredDocument {
  /** SHA-256 of the kind and the code, token or id, hex. */
  _id: string;
  kind: string;
  /** Absent until a user has approved. */
  accountId?: string;
  agentId?: string;
  /** JSON without the code, token or id. */
  payload: string;
  /** When a code or refresh token was used. ISO 8601. */
  consumedAt?: string;
  expireAt: string;
}

export const OAUTH_ARTIFACTS: CollectionSpec<OAuthArtifactRecord> = {
  name: 'oauth_artifacts',
  indexes: [{ keys: ['agentId'], sparse: true }],
  expireAt: 'expireAt',
};
