import type {
  InboundCreatedOut,
  InboundIn,
  InboundOut,
  InboundPatch,
  InboundPatchedOut,
  InboundRequestsOut,
  InboundRotatedOut,
} from '@svcforms/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request, requestPage } from './client.ts';

export type InboundEndpoint = Pick<InboundOut, 'formId' | 'id'>;

const listPath = (formId: string) => `/api/forms/${formId}/inbound/endpoints`;
const pathOf = ({ formId, id }: InboundEndpoint) => `${listPath(formId)}/${id}`;

/** All inbound endpoints of the form, oldest first. A form has at most 20. */
export const inboundListQuery = (formId: string) =>
  queryOptions({
    queryKey: ['inbound', formId],
    queryFn: async ({ signal }) =>
      (await requestPage<InboundOut>(listPath(formId), { query: { limit: 100 }, signal })).data.toReversed(),
  });

/** The latest 50 requests, newest first. */
export const inboundRequestsQuery = (endpoint: InboundEndpoint) =>
  queryOptions({
    queryKey: ['inbound', endpoint.formId, 'requests', endpoint.id],
    queryFn: ({ signal }) => request<InboundRequestsOut>('GET', `${pathOf(endpoint)}/requests`, { signal }),
    refetchInterval: 3_000,
  });

export const createInbound = (formId: string, body: Partial<InboundIn>) =>
  request<InboundCreatedOut>('POST', listPath(formId), { body });
export const updateInbound = (endpoint: InboundEndpoint, body: InboundPatch) =>
  request<InboundPatchedOut>('PATCH', pathOf(endpoint), { body });
export const rotateToken = (endpoint: InboundEndpoint) =>
  request<InboundRotatedOut>('POST', `${pathOf(endpoint)}/rotate`);
export const deleteInbound = (endpoint: InboundEndpoint) => request<void>('DELETE', pathOf(endpoint));
