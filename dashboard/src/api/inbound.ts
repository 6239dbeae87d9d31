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
import { isApiError } from './api-error.ts';
import { call } from './client.ts';

const pathOf = (formId: string) => `/api/forms/${formId}/inbound`;

/** The endpoint of the form; null while it has none. */
export const inboundQuery = (formId: string) =>
  queryOptions({
    queryKey: ['inbound', formId],
    queryFn: ({ signal }) =>
      call<InboundOut>('GET', pathOf(formId), { signal }).catch((error: unknown) => {
        if (isApiError(error) && error.code === 'NOT_FOUND') return null;
        throw error;
      }),
  });

/** The latest first; at most 50. */
export const inboundRequestsQuery = (formId: string) =>
  queryOptions({
    queryKey: ['inbound', formId, 'requests'],
    queryFn: ({ signal }) => call<InboundRequestsOut>('GET', `${pathOf(formId)}/requests`, { signal }),
    refetchInterval: 3_000,
  });

export const createInbound = (formId: string, body: Partial<InboundIn>) =>
  call<InboundCreatedOut>('POST', pathOf(formId), { body });
export const changeInbound = (formId: string, body: InboundPatch) =>
  call<InboundPatchedOut>('PATCH', pathOf(formId), { body });
export const rotateToken = (formId: string) => call<InboundRotatedOut>('POST', `${pathOf(formId)}/rotate`);
export const deleteInbound = (formId: string) => call<void>('DELETE', pathOf(formId));
