import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

/** A request to an inbound endpoint, with any outcome. Never contains values of its body. */
export type InboundRequest = {
  /** The time of the response. ISO 8601. */
  time: string;
  status: number;
  /** The error code of the response; `null` for a success. */
  code: string | null;
  /** The JSON pointer to the first refused value. */
  pointer?: string;
  ip: string;
  /**
   * The size of the body in bytes; `null` if the client didn't send it and the body wasn't read.
   */
  size: number | null;
};

/**
 * The latest requests of an endpoint. A separate document, because the gateway reads the endpoint
 * for each request.
 */
export interface InboundRequestsRecord extends StoredDocument {
  /** The id of the endpoint. */
  _id: string;
  formId: string;
  /** In the order in which gateways recorded them. */
  requests: InboundRequest[];
  expireAt: string;
}

/** The most requests that the API returns. docs/reference/inbound.md#request-log */
export const INBOUND_REQUESTS_SHOWN = 50;
/**
 * The most stored requests. More than shown, because gateways record in batches, so the order of
 * recording isn't that of time.
 */
export const INBOUND_REQUESTS_KEPT = 200;
/** Requests contain IP addresses, so the record expires after this many days without requests. */
export const INBOUND_REQUESTS_KEPT_DAYS = 30;

export const INBOUND_REQUESTS: CollectionSpec<InboundRequestsRecord> = {
  name: 'inbound_requests',
  indexes: [{ keys: ['formId'] }],
  expireAt: 'expireAt',
};
