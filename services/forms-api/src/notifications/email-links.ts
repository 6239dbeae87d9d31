import type { EmailLinkQuery } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { Reply, RouteRequest } from '@svcforms/http';
import { readAddressToken, type NotificationAddressRecord } from '@svcforms/records';
import { hashToken } from '@svcforms/signing';
import { messagePage, PAGE_HEADERS, questionPage } from './pages.ts';

export interface EmailLinksDeps {
  addresses: Collection<NotificationAddressRecord>;
  now: () => number;
}

type LinkRequest = RouteRequest<EmailLinkQuery, unknown, null>;

/**
 * What the links in emails lead to. Opening one only shows a page; its button, or the email program's one-click request
 * (RFC 8058), does it. Nobody needs to log in: the token is the credential.
 */
export function createEmailLinks({ addresses, now }: EmailLinksDeps) {
  const at = () => new Date(now()).toISOString();

  /** The address that a verification link belongs to, while it works. */
  async function verifiable({ token }: EmailLinkQuery): Promise<NotificationAddressRecord | null> {
    const { addressId, secret } = readAddressToken(token) ?? {};
    if (addressId === undefined || secret === undefined) return null;
    const address = await addresses.findOne({ _id: addressId });
    const hash = hashToken(secret);
    const works = address?.links?.some((link) => link.hash === hash && link.expiresAt > at());
    return works ? address : null;
  }

  async function subscribed({ token }: EmailLinkQuery): Promise<NotificationAddressRecord | null> {
    const { addressId, secret } = readAddressToken(token) ?? {};
    if (addressId === undefined || secret === undefined) return null;
    const address = await addresses.findOne({ _id: addressId });
    // As hashes, so that the time that it takes tells nothing of the key.
    return address && hashToken(address.unsubscribeKey) === hashToken(secret) ? address : null;
  }

  return {
    askToVerify: async ({ query }: LinkRequest): Promise<Reply> => {
      const address = await verifiable(query);
      if (!address) return deadLink();
      const text = `New submissions of forms will be sent to ${address.email}.`;
      return html(questionPage('Confirm your address', text, 'Confirm'));
    },

    verify: async ({ query, note }: LinkRequest): Promise<Reply> => {
      const address = await verifiable(query);
      if (!address) return deadLink();
      await addresses.updateOne(
        { _id: address._id },
        { $set: { status: 'verified', verifiedAt: at() }, $unset: { links: true, mailOwedAt: true } },
      );
      note({ event: 'notification_address.verified', addressId: address._id, accountId: address.accountId });
      return html(messagePage('Address confirmed', `New submissions will be sent to ${address.email}.`));
    },

    askToUnsubscribe: async ({ query }: LinkRequest): Promise<Reply> => {
      const address = await subscribed(query);
      if (!address) return deadLink();
      if (address.status === 'unsubscribed') return html(unsubscribedPage(address));
      const text = `${address.email} will get no more emails about new submissions from this account.`;
      return html(questionPage('Unsubscribe', text, 'Unsubscribe'));
    },

    unsubscribe: async ({ query, note }: LinkRequest): Promise<Reply> => {
      const address = await subscribed(query);
      if (!address) return deadLink();
      await addresses.updateOne(
        { _id: address._id },
        { $set: { status: 'unsubscribed' }, $unset: { links: true, mailOwedAt: true } },
      );
      note({
        event: 'notification_address.unsubscribed',
        addressId: address._id,
        accountId: address.accountId,
      });
      return html(unsubscribedPage(address));
    },
  };
}

function unsubscribedPage({ email }: NotificationAddressRecord): string {
  return messagePage('Unsubscribed', `${email} gets no more emails about new submissions from this account.`);
}

function deadLink(): Reply {
  const text = 'It was used already, has expired, or is incomplete.';
  return { status: 404, ...html(messagePage('This link does not work', text)) };
}

function html(body: string): Reply {
  return { content: { type: 'text/html; charset=utf-8', body }, headers: PAGE_HEADERS };
}
