import type { AnyDocument, Collection, StoredDocument } from '@svcforms/document-store';
import { noticesTime } from '@svcforms/records';
import type { MailRecord } from './mail-record.ts';

const BATCH_SIZE = 100;

interface NoticeQueueDeps<T extends StoredDocument> {
  /** The collection whose documents have notices. */
  records: Pick<Collection<T, AnyDocument>, 'find' | 'updateOne'>;
  mails: Pick<Collection<MailRecord>, 'insertMany'>;
}

/**
 * Returns a function that queues the emails for stored notices, and returns when the oldest one was
 * stored. A notice is stored together with what it describes, and its email has an id derived from
 * it, so each person gets one email even after a crash. ADR 0015
 */
export function createNoticeQueue<T extends StoredDocument & { noticesAt?: string }>(
  { records, mails }: NoticeQueueDeps<T>,
  mailsOf: (record: T) => MailRecord[] | Promise<MailRecord[]>,
): () => Promise<string | undefined> {
  return async function queueNotices() {
    const found = await records.find(
      { noticesAt: { $exists: true } },
      { sort: ['noticesAt'], limit: BATCH_SIZE },
    );
    for (const record of found) {
      const queued = await mailsOf(record);
      if (queued.length > 0) await mails.insertMany(queued);
      // If another notice was added in between, all stay, and these emails aren't queued twice.
      await records.updateOne(
        { _id: record._id, noticesAt: record.noticesAt ?? null },
        { $unset: { notices: true, noticesAt: true } },
      );
    }
    return noticesTime(found[0]?.noticesAt);
  };
}
