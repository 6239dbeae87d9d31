import type { Collection } from '@svcforms/document-store';
import {
  issueResetLink,
  newLink,
  type AccountRecord,
  type InvitationRecord,
  type UserRecord,
} from '@svcforms/identity';
import { DAY_MS, isoTime, type Clock } from '@svcforms/primitives';
import { addressToken, type NotificationAddressRecord } from '@svcforms/records';
import { generateToken, hashToken } from '@svcforms/signing';
import { loginMailContents } from './login-mail-contents.ts';
import { mailContents } from './mail-contents.ts';
import type { SubjectOf } from './mail-record.ts';
import { mailText } from './mail-text.ts';

interface ComposeLinkMailsDeps {
  accounts: Pick<Collection<AccountRecord>, 'findOne'>;
  users: Pick<Collection<UserRecord>, 'findOne' | 'updateOne'>;
  invitations: Pick<Collection<InvitationRecord>, 'findOne' | 'updateOne'>;
  addresses: Pick<Collection<NotificationAddressRecord>, 'findOne' | 'updateOne'>;
  /** The origin of links. */
  baseUrl: string;
  now: Clock;
}

type Composed = Promise<ReturnType<typeof mailText> | null>;

/** How long the link in a verification email works. */
const VERIFICATION_DAYS = 7;
/** How many links of an invitation or an address work, the newest ones. */
const MAX_LINKS = 5;

/**
 * Composes emails that exist for their link. Each attempt to send one creates another link, because
 * only hashes of links are stored.
 */
export function createComposeLinkMails(deps: ComposeLinkMailsDeps) {
  const { accounts, users, invitations, addresses, baseUrl, now } = deps;
  const contents = { ...mailContents(baseUrl), ...loginMailContents(baseUrl) };

  return {
    async passwordReset({ userId, expiresAt }: SubjectOf<'password_reset'>, to: string): Composed {
      const user = await users.findOne({ _id: userId });
      if (user?.email !== to || expiresAt <= isoTime(now())) return null;
      // The link would open nothing. ADR 0062
      if ((await accounts.findOne({ _id: user.accountId }))?.singleSignOnRequired) return null;
      const token = await issueResetLink(users, userId, expiresAt);
      return mailText(contents.passwordReset(`${baseUrl}/reset-password#${token}`, expiresAt));
    },

    async invitation({ invitationId, sentAt }: SubjectOf<'invitation'>): Composed {
      const invitation = await invitations.findOne({ _id: invitationId, sentAt });
      if (!invitation || invitation.expiresAt <= isoTime(now())) return null;
      const account = await accounts.findOne({ _id: invitation.accountId, erasedAt: null });
      if (!account) return null;
      const { token, link } = newLink(invitationId, invitation.expiresAt);
      // An invitation that was sent again meanwhile gets its link with the new email.
      const isCurrent = await invitations.updateOne(
        { _id: invitationId, sentAt },
        { $push: { links: { $each: [link], $slice: -MAX_LINKS } } },
      );
      if (!isCurrent) return null;
      const url = `${baseUrl}/invitation#${token}`;
      return mailText(contents.invitation(account, url, invitation.expiresAt));
    },

    async verification({ addressId }: SubjectOf<'verification'>): Composed {
      const address = await addresses.findOne({ _id: addressId });
      if (!address || address.status === 'verified') return null;
      const secret = generateToken('');
      const expiresAt = isoTime(now() + VERIFICATION_DAYS * DAY_MS);
      await addresses.updateOne(
        { _id: addressId },
        { $push: { links: { $each: [{ hash: hashToken(secret), expiresAt }], $slice: -MAX_LINKS } } },
      );
      const url = `${baseUrl}/api/notifications/verify?token=${addressToken(addressId, secret)}`;
      return mailText(contents.verification(url, VERIFICATION_DAYS));
    },
  };
}

export type ComposeLinkMails = ReturnType<typeof createComposeLinkMails>;
