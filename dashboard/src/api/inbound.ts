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
import { call, callPage } from './client.ts';

export type InboundEndpoint = Pick<InboundOut, 'formId' | 'id'>;

const listPath = (formId: string) => `/api/forms/${formId}/inbound/endpoints`;
const pathOf = ({ formId, id }: InboundEndpoint) => `${listPath(formId)}/${id}`;

/** All inbound endpoints of the form, the oldest first: a form has at most 20. */
export const inboundListQuery = (formId: string) =>
  queryOptions({
    queryKey: ['inbound', formId],
    queryFn: async ({ signal }) =>
      (await callPage<InboundOut>(listPath(formId), { query: { limit: 100 }, signal })).data.toReversed(),
  });

/** The latest first; at most 50. */
export const inboundRequestsQuery = (endpoint: InboundEndpoint) =>
  queryOptions({
    queryKey: ['inbound', endpoint.formId, 'requests', endpoint.id],
    queryFn: ({ signal }) => call<InboundRequestsOut>('GET', `${pathOf(endpoint)}/requests`, { signal }),
    refetchInterval: 3_000,
  });

export const createInbound = (formId: string, body: Partial<InboundIn>) =>
  call<InboundCreatedOut>('POST', listPath(formId), { body });
export const changeInbound = (endpoint: InboundEndpoint, body: InboundPatch) =>
  call<InboundPatchedOut>('PATCH', pathOf(endpoint), { body });
export const rotateToken = (endpoint: InboundEndpoint) =>
  call<InboundRotatedOut>('POST', `${pathOf(endpoint)}/rotate`);
export const deleteInbound = (endpoint: InboundEndpoint) => call<void>('DELETE', pathOf(endpoint));
