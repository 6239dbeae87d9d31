import type { Collection } from '@svcforms/document-store';
import type { UserRecord } from '@svcforms/identity';
import type { Clock } from '@svcforms/primitives';
import { newMail, type MailRecord } from './mail-record.ts';
import { createNoticeQueue } from './notice-queue.ts';

interface QueueUserNoticesDeps {
  users: Pick<Collection<UserRecord>, 'find' | 'updateOne'>;
  mails: Pick<Collection<MailRecord>, 'insertMany'>;
  now: Clock;
}

/**
 * Queues emails for the notices that are stored with users: their password or address changed, or
 * logins failed.
 */
export function createQueueUserNotices({
  users,
  mails,
  now,
}: QueueUserNoticesDeps): () => Promise<string | undefined> {
  return createNoticeQueue<UserRecord>(
    { records: users, mails },
    ({ _id: userId, accountId, notices = [] }) =>
      notices.flatMap(({ kind, at, to: addresses }) =>
        addresses.map((to) =>
          newMail(
            { accountId, to, subject: { kind: 'user', notice: { kind, at } } },
            { key: `${userId}|${kind}|${at}`, now: now() },
          ),
        ),
      ),
  );
}
