import {
  InvitationAcceptIn,
  InvitationCreatedOut,
  InvitationIn,
  InvitationOut,
  InvitationPreviewIn,
  InvitationPreviewOut,
  LoginMethodsOut,
  MeOut,
  PageQuery,
  PasswordResetIn,
  PasswordResetRequestIn,
} from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http';
import type { createAcceptInvitation } from './accept-invitation.ts';
import type { createInvitations } from './invitations.ts';
import type { createForgottenPasswords } from './password-resets.ts';

interface InvitationRoutesDeps {
  invitations: ReturnType<typeof createInvitations>;
  accepting: ReturnType<typeof createAcceptInvitation>;
  forgotten: ReturnType<typeof createForgottenPasswords>;
}

const manageUsers = { scope: 'users:manage' } as const;
/**
 * Called by the pages that links in emails open. Their tokens can't be guessed, but requests cost.
 */
const byLink = { access: 'public', sameOrigin: true, limit: 'public' } as const;

/** Invitations, and what people do with links from emails. */
export function invitationRoutes({ invitations, accepting, forgotten }: InvitationRoutesDeps): Route[] {
  // prettier-ignore
  return [
    route({ method: 'POST', path: '/api/invitations', summary: 'Invite somebody to the account', operationId: 'createInvitation', access: manageUsers, needsRecentLogin: true,
      description: 'Sends an email with a link that works once and for one hour. If the installation sends no email, pass on the `link` of the response.',
      body: InvitationIn, status: 201, response: InvitationCreatedOut, idempotent: true, errors: ['CONFLICT'], replyHeaders: ['Location'], audit: 'invitation.created', handler: invitations.create }),
    route({ method: 'GET', path: '/api/invitations', summary: 'List invitations that nobody has accepted', operationId: 'listInvitations', access: manageUsers,
      query: PageQuery, status: 200, response: InvitationOut, handler: invitations.list }),
    route({ method: 'POST', path: '/api/invitations/:invitationId/resend', summary: 'Send an invitation again', operationId: 'resendInvitation', access: manageUsers, needsRecentLogin: true,
      description: 'Creates a new link that works for one hour. Earlier links stop working.',
      status: 200, response: InvitationCreatedOut, errors: ['CONFLICT'], audit: 'invitation.resent', handler: invitations.resend }),
    route({ method: 'DELETE', path: '/api/invitations/:invitationId', summary: 'Revoke an invitation', operationId: 'revokeInvitation', access: manageUsers,
      status: 204, audit: 'invitation.revoked', handler: invitations.revoke }),
    route({ ...byLink, method: 'POST', path: '/api/invitations/preview', summary: 'Show an invitation', operationId: 'previewInvitation',
      description: 'Requires the token of the link. The link stays valid.',
      body: InvitationPreviewIn, status: 200, response: InvitationPreviewOut, errors: ['NOT_FOUND', 'ORIGIN_NOT_ALLOWED'], audit: null, handler: accepting.preview }),
    route({ ...byLink, method: 'POST', path: '/api/invitations/accept', summary: 'Accept an invitation', operationId: 'acceptInvitation',
      description: 'Creates the user and logs them in. The link works once. If the account requires single sign-on, a login with the identity provider accepts the invitation instead.',
      body: InvitationAcceptIn, status: 201, response: MeOut, errors: ['NOT_FOUND', 'CONFLICT', 'SINGLE_SIGN_ON_REQUIRED', 'ORIGIN_NOT_ALLOWED'], replyHeaders: ['Set-Cookie'], audit: 'invitation.accepted', handler: accepting.accept }),

    route({ method: 'GET', path: '/api/auth/methods', summary: 'Get what the login screen offers', operationId: 'getLoginMethods', access: 'public', limit: 'public',
      status: 200, response: LoginMethodsOut, handler: forgotten.methods }),
    route({ ...byLink, method: 'POST', path: '/api/auth/password-resets', summary: 'Request a password reset', operationId: 'requestPasswordReset',
      description: 'Sends an email with a link that works once and for one hour, if the address belongs to a user. The response is the same for every address.',
      body: PasswordResetRequestIn, status: 202, errors: ['RATE_LIMITED', 'CONFLICT', 'ORIGIN_NOT_ALLOWED'], audit: null, handler: forgotten.request }),
    route({ ...byLink, method: 'POST', path: '/api/auth/password-resets/confirm', summary: 'Reset a password', operationId: 'resetPassword',
      description: 'Needs the token of the link. Ends all sessions of the user.',
      body: PasswordResetIn, status: 204, errors: ['NOT_FOUND', 'SINGLE_SIGN_ON_REQUIRED', 'ORIGIN_NOT_ALLOWED'], audit: 'user.password_reset', handler: forgotten.complete }),
  ];
}
