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
  /** Sealed in the context `inboundSecretContext(_id)`. Absent if requests need no signature. */
  secret?: string;
  /** Whether signatures cover a timestamp; only with a secret. */
  requireTimestamp?: boolean;
  /** JSON text: inbound key → field name. */
  fieldMapping: string;
  isEnabled: boolean;
  createdAt: string;
  updatedAt: string;
}

/** The most endpoints of a form. */
export const MAX_INBOUND_ENDPOINTS = 20;

export const INBOUND_ENDPOINTS: CollectionSpec<InboundEndpointRecord> = {
  name: 'inbound_endpoints',
  indexes: [{ keys: ['formId'], unique: true }, { keys: ['tokenHash'] }],
  cached: { by: ['_id', 'tokenHash'], volatile: [] },
};

/**
 * The values of `formId` in the endpoints of a form: the form's id itself, then `frm_…|1`,
 * `frm_…|2` and so on. The unique index on `formId` is older than forms with several endpoints.
 * docs/adr/0037
 */
export function inboundSlots(formId: string): string[] {
  return Array.from({ length: MAX_INBOUND_ENDPOINTS }, (_, n) => (n === 0 ? formId : `${formId}|${n}`));
}

/** The id of the form that an endpoint belongs to. */
export function formOfEndpoint({ formId: slot }: Pick<InboundEndpointRecord, 'formId'>): string {
  const [formId = slot] = slot.split('|');
  return formId;
}

/** The context to which an endpoint's sealed signing secret is bound. */
export const inboundSecretContext = (endpointId: string): string => `inbound/${endpointId}`;
