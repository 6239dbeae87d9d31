import type {
  InvitationAcceptIn,
  InvitationPreviewOut,
  LoginMethodsOut,
  MeOut,
  PasswordResetIn,
  PasswordResetRequestIn,
} from '@svcforms/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from './client.ts';

/** What the login screen offers. It changes only with the settings of the installation. */
export const loginMethodsQuery = queryOptions({
  queryKey: ['login-methods'],
  queryFn: ({ signal }) => request<LoginMethodsOut>('GET', '/api/auth/methods', { signal }),
  staleTime: Infinity,
});

export const requestPasswordReset = (body: PasswordResetRequestIn) =>
  request<void>('POST', '/api/auth/password-resets', { body });
export const resetPassword = (body: PasswordResetIn) =>
  request<void>('POST', '/api/auth/password-resets/confirm', { body });

/** What an invitation says. A failure isn't repeated: the link works or doesn't. */
export const invitationPreviewQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation-preview', token],
    queryFn: ({ signal }) =>
      request<InvitationPreviewOut>('POST', '/api/invitations/preview', { body: { token }, signal }),
    staleTime: Infinity,
  });
export const acceptInvitation = (body: InvitationAcceptIn) =>
  request<MeOut>('POST', '/api/invitations/accept', { body });
