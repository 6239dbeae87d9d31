import type { InvitationCreatedOut, InvitationIn, InvitationOut } from '@svcforms/contracts';
import { request } from './client.ts';
import { pagedQuery } from './paged-query.ts';

export const invitationListQuery = pagedQuery<InvitationOut>(['invitations'], '/api/invitations', {
  limit: 50,
});

export const createInvitation = (body: InvitationIn) =>
  request<InvitationCreatedOut>('POST', '/api/invitations', { body });
export const resendInvitation = (invitationId: string) =>
  request<InvitationCreatedOut>('POST', `/api/invitations/${invitationId}/resend`);
export const revokeInvitation = (invitationId: string) =>
  request<void>('DELETE', `/api/invitations/${invitationId}`);
