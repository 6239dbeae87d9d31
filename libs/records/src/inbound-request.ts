import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

/** A request to an inbound endpoint, whatever came of it. Never what it carried. */
export type InboundRequest = {
  /** ISO 8601, when it was answered. */
  time: string;
  status: number;
  /** Of the problem that was answered; `null` for a success. */
  code: string | null;
  ip: string;
  /** Bytes of its body; `null` where the client didn't say and it wasn't read. */
  size: number | null;
};

/** The latest requests of an endpoint, in a document of their own: the gateway reads the endpoint for each request. */
export interface InboundRequestsRecord extends StoredDocument {
  /** Of the endpoint. */
  _id: string;
  formId: string;
  /** In the order in which they were noted. */
  requests: InboundRequest[];
  expireAt: string;
}

/** So many are shown. contract: api.md §4 */
export const INBOUND_REQUESTS_SHOWN = 50;
/** So many are stored: several gateways note theirs in turns, so that the latest to be noted aren't always the latest. */
export const INBOUND_REQUESTS_KEPT = 200;
/** They hold addresses of people's machines, so they go when nothing comes any more. */
export const INBOUND_REQUESTS_KEPT_DAYS = 30;

export const INBOUND_REQUESTS: CollectionSpec<InboundRequestsRecord> = {
  name: 'inbound_requests',
  indexes: [{ keys: ['formId'] }],
  expireAt: 'expireAt',
};
