import type { InvitationCreatedOut, InvitationIn, InvitationOut } from '@svcforms/contracts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { request, requestPage } from './client.ts';

export const invitationListQuery = infiniteQueryOptions({
  queryKey: ['invitations'],
  queryFn: ({ pageParam, signal }) =>
    requestPage<InvitationOut>('/api/invitations', { query: { cursor: pageParam, limit: 50 }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
});

export const createInvitation = (body: InvitationIn) =>
  request<InvitationCreatedOut>('POST', '/api/invitations', { body });
export const resendInvitation = (invitationId: string) =>
  request<InvitationCreatedOut>('POST', `/api/invitations/${invitationId}/resend`);
export const revokeInvitation = (invitationId: string) =>
  request<void>('DELETE', `/api/invitations/${invitationId}`);
