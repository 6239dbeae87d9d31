import type { AnyDocument, Collection, StoredDocument } from '@svcforms/document-store';
import type { MailRecord } from './mail-record.ts';

const BATCH_SIZE = 100;

interface OwedMailsDeps<T extends StoredDocument> {
  /** The collection whose documents wait for an email. */
  records: Pick<Collection<T, AnyDocument>, 'find' | 'updateOne'>;
  mails: Pick<Collection<MailRecord>, 'insertMany'>;
}

/**
 * Returns a function that queues the email that each document with `mailOwedAt` waits for, and
 * returns the earliest of these times. The id of an email is derived from the document, so each
 * request leads to one email even after a crash.
 */
export function createQueueOwedMails<T extends StoredDocument & { mailOwedAt?: string }>(
  { records, mails }: OwedMailsDeps<T>,
  mailOf: (record: T) => MailRecord,
): () => Promise<string | undefined> {
  return async function queueOwedMails() {
    const owed = await records.find(
      { mailOwedAt: { $exists: true } },
      { sort: ['mailOwedAt'], limit: BATCH_SIZE },
    );
    if (owed.length === 0) return undefined;
    await mails.insertMany(owed.map(mailOf));
    for (const { _id, mailOwedAt } of owed) {
      await records.updateOne({ _id, mailOwedAt: mailOwedAt ?? null }, { $unset: { mailOwedAt: true } });
    }
    return owed[0]?.mailOwedAt;
  };
}
