import type { Collection } from '@svcforms/document-store';
import type { UserRecord } from '@svcforms/identity';
import type { Clock } from '@svcforms/primitives';
import { noticesTime } from '@svcforms/records';
import { newMail, type MailRecord } from './mail-record.ts';

const BATCH_SIZE = 100;

interface QueueUserNoticesDeps {
  users: Pick<Collection<UserRecord>, 'find' | 'updateOne'>;
  mails: Pick<Collection<MailRecord>, 'insertMany'>;
  now: Clock;
}

/**
 * Queues emails for the notices that are stored with users: their password or address changed, or
 * logins failed. A notice is stored together with the change that it describes, and its email has
 * an id derived from it, so each address gets one email even after a crash. ADR 0015
 */
export function createQueueUserNotices({
  users,
  mails,
  now,
}: QueueUserNoticesDeps): () => Promise<string | undefined> {
  return async function queueUserNotices() {
    const found = await users.find(
      { noticesAt: { $exists: true } },
      { sort: ['noticesAt'], limit: BATCH_SIZE },
    );
    for (const user of found) await queueNotices(user);
    return noticesTime(found[0]?.noticesAt);
  };

  async function queueNotices({
    _id: userId,
    accountId,
    notices = [],
    noticesAt,
  }: UserRecord): Promise<void> {
    const queued = notices.flatMap((notice) =>
      notice.to.map((to) =>
        newMail(
          { accountId, to, subject: { kind: 'user', notice: { kind: notice.kind, at: notice.at } } },
          { key: `${userId}|${notice.kind}|${notice.at}`, now: now() },
        ),
      ),
    );
    if (queued.length > 0) await mails.insertMany(queued);
    // If another notice was added in between, all stay, and these emails aren't queued twice.
    await users.updateOne(
      { _id: userId, noticesAt: noticesAt ?? null },
      { $unset: { notices: true, noticesAt: true } },
    );
  }
}
