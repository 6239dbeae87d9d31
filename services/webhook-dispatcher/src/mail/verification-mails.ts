import type { Collection } from '@svcforms/document-store';
import type { Clock } from '@svcforms/primitives';
import type { NotificationAddressRecord } from '@svcforms/records';
import { newMail, type MailRecord } from './mail-record.ts';

const BATCH_SIZE = 100;

interface QueueVerificationMailsDeps {
  addresses: Pick<Collection<NotificationAddressRecord>, 'find' | 'updateOne'>;
  mails: Pick<Collection<MailRecord>, 'insertMany'>;
  now: Clock;
}

/**
 * Queues the verification emails that addresses are waiting for. `mailOwedAt` was stored with the
 * request and is part of the email's id, so each request leads to one email even after a crash.
 * ADR 0034
 */
export function createQueueVerificationMails(
  deps: QueueVerificationMailsDeps,
): () => Promise<string | undefined> {
  const { addresses, mails, now } = deps;

  return async function queueVerificationMails() {
    const requested = await addresses.find(
      { mailOwedAt: { $exists: true } },
      { sort: ['mailOwedAt'], limit: BATCH_SIZE },
    );
    if (requested.length === 0) return undefined;
    await mails.insertMany(
      requested.map(({ _id: addressId, accountId, email, mailOwedAt }) =>
        newMail(
          { accountId, to: email, subject: { kind: 'verification', addressId } },
          { key: `${addressId}|${mailOwedAt}`, now: now() },
        ),
      ),
    );
    for (const { _id, mailOwedAt } of requested) {
      await addresses.updateOne({ _id, mailOwedAt: mailOwedAt ?? null }, { $unset: { mailOwedAt: true } });
    }
    return requested[0]?.mailOwedAt;
  };
}
