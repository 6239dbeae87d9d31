import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

export interface InboundEndpointRecord extends StoredDocument {
  accountId: string;
  formId: string;
  /** SHA-256 of the token, hex. */
  tokenHash: string;
  tokenLast4: string;
  /** Sealed, in the context `inboundSecretContext(_id)`; absent: requests need no signature. */
  secret?: string;
  /** JSON text: inbound key → field name. */
  fieldMapping: string;
  isEnabled: boolean;
  createdAt: string;
  updatedAt: string;
}

/** One endpoint a form. contract: api.md §4 */
export const INBOUND_ENDPOINTS: CollectionSpec = {
  name: 'inbound_endpoints',
  indexes: [{ keys: ['formId'], unique: true }],
};

/** What an endpoint's sealed signing secret is bound to. */
export const inboundSecretContext = (endpointId: string): string => `inbound/${endpointId}`;
