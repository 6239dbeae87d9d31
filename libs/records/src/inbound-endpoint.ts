import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

export interface InboundEndpointRecord extends StoredDocument {
  accountId: string;
  /** One of `inboundSlots` of its form; unique. */
  formId: string;
  /** Absent: `DEFAULT_INBOUND_NAME`. */
  name?: string;
  /** SHA-256 of the token, hex. */
  tokenHash: string;
  tokenLast4: string;
  /** Sealed, in the context `inboundSecretContext(_id)`; absent: requests need no signature. */
  secret?: string;
  /** Whether signatures cover a timestamp; only with a secret. */
  requireTimestamp?: boolean;
  /** JSON text: inbound key → field name. */
  fieldMapping: string;
  isEnabled: boolean;
  createdAt: string;
  updatedAt: string;
}

/** Endpoints that a form has at most. */
export const MAX_INBOUND_ENDPOINTS = 20;

export const INBOUND_ENDPOINTS: CollectionSpec<InboundEndpointRecord> = {
  name: 'inbound_endpoints',
  indexes: [{ keys: ['formId'], unique: true }, { keys: ['tokenHash'] }],
};

/**
 * The values that `formId` has in the endpoints of a form: the form's id itself, then `frm_…|1`, `frm_…|2` and so on. Stored that
 * way because the unique index on `formId` is older than forms with several endpoints; docs/adr/0037 says more.
 */
export function inboundSlots(formId: string): string[] {
  return Array.from({ length: MAX_INBOUND_ENDPOINTS }, (_, n) => (n === 0 ? formId : `${formId}|${n}`));
}

/** The id of the form that an endpoint belongs to. */
export function formOfEndpoint({ formId: slot }: Pick<InboundEndpointRecord, 'formId'>): string {
  const [formId = slot] = slot.split('|');
  return formId;
}

/** What an endpoint's sealed signing secret is bound to. */
export const inboundSecretContext = (endpointId: string): string => `inbound/${endpointId}`;
