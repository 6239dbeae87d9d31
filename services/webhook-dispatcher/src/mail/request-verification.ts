import type { Collection } from '@svcforms/document-store';
import type { NotificationAddressRecord } from '@svcforms/records';
import { newMail, type MailRecord } from './mail-record.ts';

const BATCH_SIZE = 100;

export interface RequestVerificationDeps {
  addresses: Pick<Collection<NotificationAddressRecord>, 'find' | 'updateOne'>;
  mails: Pick<Collection<MailRecord>, 'insertMany'>;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * Makes the verification emails that addresses are owed. The debt was stored with the request, and the mail's id comes from it:
 * whatever crashes in between, the address gets one.
 */
export function createRequestVerification(deps: RequestVerificationDeps): () => Promise<void> {
  const { addresses, mails, now } = deps;

  return async function requestVerification() {
    const owed = await addresses.find(
      { mailOwedAt: { $exists: true } },
      { sort: ['mailOwedAt'], limit: BATCH_SIZE },
    );
    if (owed.length === 0) return;
    await mails.insertMany(
      owed.map(({ _id: addressId, accountId, email, mailOwedAt }) =>
        newMail(
          { accountId, to: email, subject: { kind: 'verification', addressId } },
          { key: `${addressId}|${mailOwedAt}`, now: now() },
        ),
      ),
    );
    for (const { _id, mailOwedAt } of owed) {
      await addresses.updateOne({ _id, mailOwedAt: mailOwedAt ?? null }, { $unset: { mailOwedAt: true } });
    }
  };
}
