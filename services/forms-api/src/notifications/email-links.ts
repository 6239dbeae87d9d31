import type { EmailLinkQuery } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { Reply, RouteRequest } from '@svcforms/http';
import { isoTime, type Clock } from '@svcforms/primitives';
import { readAddressToken, type NotificationAddressRecord } from '@svcforms/records';
import { hashToken } from '@svcforms/signing';
import { messagePage, pageReply, questionPage } from '../pages/message-page.ts';

export interface EmailLinksDeps {
  addresses: Collection<NotificationAddressRecord>;
  now: Clock;
}

type LinkRequest = RouteRequest<EmailLinkQuery, unknown, null>;

/**
 * The pages that links in emails open. Opening a link only shows a page; its button, or the
 * one-click request of an email client (RFC 8058), acts. No login is required: the token is the
 * credential.
 */
export function createEmailLinks({ addresses, now }: EmailLinksDeps) {
  /** Returns the address of a verification link that hasn't expired. */
  async function verifiable({ token }: EmailLinkQuery): Promise<NotificationAddressRecord | null> {
    const { addressId, secret } = readAddressToken(token) ?? {};
    if (addressId === undefined || secret === undefined) return null;
    const address = await addresses.findOne({ _id: addressId });
    const hash = hashToken(secret);
    const works = address?.links?.some((link) => link.hash === hash && link.expiresAt > isoTime(now()));
    return works ? address : null;
  }

  async function subscribed({ token }: EmailLinkQuery): Promise<NotificationAddressRecord | null> {
    const { addressId, secret } = readAddressToken(token) ?? {};
    if (addressId === undefined || secret === undefined) return null;
    const address = await addresses.findOne({ _id: addressId });
    // Comparing hashes takes a time that reveals nothing about the key.
    return address && hashToken(address.unsubscribeKey) === hashToken(secret) ? address : null;
  }

  return {
    askToVerify: async ({ query }: LinkRequest): Promise<Reply> => {
      const address = await verifiable(query);
      if (!address) return invalidLink();
      const text = `We will send new submissions to ${address.email}.`;
      return pageReply(questionPage('Confirm your address', text, 'Confirm'));
    },

    verify: async ({ query, note }: LinkRequest): Promise<Reply> => {
      const address = await verifiable(query);
      if (!address) return invalidLink();
      const isVerified = await addresses.updateOne(
        // Another request may have used the link, or unsubscribed the address, in the meantime.
        { _id: address._id, links: { $exists: true } },
        {
          $set: { status: 'verified', verifiedAt: isoTime(now()) },
          $unset: { links: true, mailOwedAt: true },
        },
      );
      if (!isVerified) return invalidLink();
      note({ event: 'notification_address.verified', addressId: address._id, accountId: address.accountId });
      return pageReply(messagePage('Address confirmed', `We will send new submissions to ${address.email}.`));
    },

    askToUnsubscribe: async ({ query }: LinkRequest): Promise<Reply> => {
      const address = await subscribed(query);
      if (!address) return invalidLink();
      if (address.status === 'unsubscribed') return pageReply(unsubscribedPage(address));
      const text = `We will stop sending emails about new submissions of this account to ${address.email}.`;
      return pageReply(questionPage('Unsubscribe', text, 'Unsubscribe'));
    },

    unsubscribe: async ({ query, note }: LinkRequest): Promise<Reply> => {
      const address = await subscribed(query);
      if (!address) return invalidLink();
      await addresses.updateOne(
        { _id: address._id },
        { $set: { status: 'unsubscribed' }, $unset: { links: true, mailOwedAt: true } },
      );
      note({
        event: 'notification_address.unsubscribed',
        addressId: address._id,
        accountId: address.accountId,
      });
      return pageReply(unsubscribedPage(address));
    },
  };
}

function unsubscribedPage({ email }: NotificationAddressRecord): string {
  return messagePage(
    'Unsubscribed',
    `We no longer send emails about new submissions of this account to ${email}.`,
  );
}

function invalidLink(): Reply {
  const text = 'It has been used, has expired or is incomplete.';
  return { status: 404, ...pageReply(messagePage('This link does not work', text)) };
}
