import { AppError, DEFAULT_INBOUND_NAME, type InboundOut } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { RouteRequest } from '@svcforms/http';
import type { Caller } from '@svcforms/identity';
import {
  formOfEndpoint,
  type FormRecord,
  type InboundEndpointRecord,
  inboundSlots,
  ownForm,
} from '@svcforms/records';
import { generateToken } from '@svcforms/signing';

interface EndpointPath {
  formId: string;
  /** Absent where the path means the oldest endpoint of the form. */
  inboundId?: string;
}

export type EndpointRequest<B = unknown> = RouteRequest<unknown, B, Caller, EndpointPath>;

/** Returns an endpoint of the caller's form. @throws AppError `NOT_FOUND` */
export async function ownEndpoint(
  { forms, endpoints }: { forms: Collection<FormRecord>; endpoints: Collection<InboundEndpointRecord> },
  caller: Caller,
  { formId, inboundId }: EndpointPath,
): Promise<InboundEndpointRecord> {
  await ownForm(forms, caller, formId);
  const ofForm = { formId: { $in: inboundSlots(formId) } };
  const [endpoint] =
    inboundId === undefined
      ? await endpoints.find(ofForm, { sort: ['createdAt', '_id'], limit: 1 })
      : await endpoints.find({ _id: inboundId, ...ofForm });
  if (endpoint) return endpoint;
  throw new AppError(
    'NOT_FOUND',
    inboundId === undefined
      ? 'The form has no inbound endpoint; POST to this path creates one'
      : 'The form has no such inbound endpoint',
  );
}

/** The error for an endpoint that another request has deleted meanwhile. */
export const endpointDeleted = () => new AppError('NOT_FOUND', 'The inbound endpoint was deleted');

/** The endpoint as the API returns it, without its token and secret. */
export function endpointOut(endpoint: InboundEndpointRecord, baseUrl: string): InboundOut {
  return {
    id: endpoint._id,
    formId: formOfEndpoint(endpoint),
    name: endpoint.name ?? DEFAULT_INBOUND_NAME,
    tokenLast4: endpoint.tokenLast4,
    hasSecret: endpoint.secret !== undefined,
    requireTimestamp: endpoint.secret !== undefined && endpoint.requireTimestamp === true,
    fieldMapping: JSON.parse(endpoint.fieldMapping) as Record<string, string>,
    isEnabled: endpoint.isEnabled,
    url: `${baseUrl}/api/inbound/${formOfEndpoint(endpoint)}`,
    createdAt: endpoint.createdAt,
  };
}

/** Creates a token of an endpoint. */
export const newToken = (): string => generateToken('svc_inb_');

/** Creates a signing secret: 43 characters of base64url, 256 bits. */
export const newSecret = (): string => generateToken('');
