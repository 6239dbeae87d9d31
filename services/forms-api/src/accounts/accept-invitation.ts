import { AppError, type InvitationAcceptIn, type InvitationPreviewIn, type Role } from '@svcforms/contracts';
import { isDuplicateKey, type Collection } from '@svcforms/document-store';
import { auditUser, type Reply, type RouteRequest } from '@svcforms/http';
import {
  isLinkOpen,
  readLink,
  type AccountRecord,
  type ApiKeyRecord,
  type InvitationRecord,
  type PasswordHasher,
  type UserRecord,
} from '@svcforms/identity';
import { isoTime, type Clock } from '@svcforms/primitives';
import { createInviterRole } from './inviter-role.ts';
import { checkNewPassword } from './new-password.ts';
import type { OpenSession } from './open-session.ts';
import type { CheckPasswordAllowed } from './single-sign-on.ts';
import { emailTaken, userChanges } from './users.ts';

interface AcceptInvitationDeps {
  invitations: Collection<InvitationRecord>;
  accounts: Collection<AccountRecord>;
  users: Collection<UserRecord>;
  keys: Pick<Collection<ApiKeyRecord>, 'findOne'>;
  passwords: Pick<PasswordHasher, 'hash'>;
  openSession: OpenSession;
  checkPasswordAllowed: CheckPasswordAllowed;
  now: Clock;
}

/** What an invited person does with the link, which is the credential. */
export function createAcceptInvitation(deps: AcceptInvitationDeps) {
  const { invitations, accounts, users, passwords, openSession, checkPasswordAllowed, now } = deps;
  const inviterRole = createInviterRole(deps);

  /** @throws AppError `NOT_FOUND` for a link that doesn't work */
  async function opened(
    token: string,
  ): Promise<{ invitation: InvitationRecord; account: AccountRecord; inviter: Role }> {
    const parts = readLink(token);
    const invitation = parts && (await invitations.findOne({ _id: parts.ownerId }));
    if (!invitation || !isLinkOpen(invitation.links, parts.hash, isoTime(now()))) throw brokenLink();
    const account = await accounts.findOne({ _id: invitation.accountId, erasedAt: null });
    const inviter = account && (await inviterRole(invitation));
    if (!account || !inviter) throw brokenLink();
    return { invitation, account, inviter };
  }

  return {
    /** Uses nothing up, so that programs that open links in emails can't. */
    preview: async ({ body }: RouteRequest<unknown, InvitationPreviewIn, null>): Promise<Reply> => {
      const { invitation, account } = await opened(body.token);
      const { email, role, expiresAt } = invitation;
      const { name: accountName, singleSignOnRequired = false } = account;
      return { data: { email, role, accountName, singleSignOnRequired, expiresAt } };
    },

    accept: async (request: RouteRequest<unknown, InvitationAcceptIn, null>): Promise<Reply> => {
      const { body, audit, note } = request;
      const { invitation, inviter } = await opened(body.token);
      const { _id, accountId, email, role, sentAt } = invitation;
      await checkPasswordAllowed({ accountId, email });
      await checkNewPassword(body.password, { email, name: body.name });
      const user: UserRecord = {
        // Derived from the invitation: of several concurrent calls, one inserts the user.
        _id: _id.replace('inv_', 'usr_'),
        accountId,
        email,
        name: body.name,
        role,
        passwordHash: await passwords.hash(body.password, accountId),
        // The inviter chose the address and has the link, so the password may be theirs.
        credentialsFrom: inviter,
        createdAt: isoTime(now()),
      };
      try {
        await users.insertOne(user);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        if (await users.findOne({ _id: user._id })) throw brokenLink();
        throw emailTaken(error);
      }
      // In the meantime it may have been revoked, or sent again with another link.
      if (!(await invitations.deleteOne({ _id, sentAt, expiresAt: { $gt: isoTime(now()) } }))) {
        await users.deleteOne({ _id: user._id });
        throw brokenLink();
      }
      note({ event: 'invitation.accepted', accountId, callerId: user._id });
      audit({
        accountId,
        actor: auditUser(user),
        target: auditUser(user),
        changes: userChanges({}, user),
      });
      return openSession(request, user);
    },
  };
}

export const brokenLink = () =>
  new AppError('NOT_FOUND', 'This link does not work: it has been used, has expired or is incomplete');
