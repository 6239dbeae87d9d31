import type { Collection } from '@svcforms/document-store';
import type { Clock } from '@svcforms/primitives';
import type { NotificationAddressRecord } from '@svcforms/records';
import { newMail, type MailRecord } from './mail-record.ts';
import { createQueueOwedMails } from './owed-mails.ts';

interface QueueVerificationMailsDeps {
  addresses: Pick<Collection<NotificationAddressRecord>, 'find' | 'updateOne'>;
  mails: Pick<Collection<MailRecord>, 'insertMany'>;
  now: Clock;
}

/**
 * Queues the verification emails that addresses are waiting for. `mailOwedAt` was stored with the
 * request and is part of the email's id. ADR 0034
 */
export function createQueueVerificationMails(
  deps: QueueVerificationMailsDeps,
): () => Promise<string | undefined> {
  const { addresses, mails, now } = deps;
  return createQueueOwedMails<NotificationAddressRecord>(
    { records: addresses, mails },
    ({ _id: addressId, accountId, email, mailOwedAt }) =>
      newMail(
        { accountId, to: email, subject: { kind: 'verification', addressId } },
        { key: `${addressId}|${mailOwedAt}`, now: now() },
      ),
  );
}
