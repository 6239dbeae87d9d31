import type { Collection } from '@svcforms/document-store';
import type { UserRecord } from '@svcforms/identity';
import { newMail, type MailRecord } from './mail-record.ts';

const BATCH_SIZE = 100;

export interface TellUsersDeps {
  users: Pick<Collection<UserRecord>, 'find' | 'updateOne'>;
  mails: Pick<Collection<MailRecord>, 'insertMany'>;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * Makes mails of the notices that users carry: their password or address changed, or logins failed. A notice is stored with the
 * change that it tells of, and the mail's id comes from the notice: whatever crashes in between, each address gets one mail.
 * Gives whether there were any. docs/adr/0015
 */
export function createTellUsers({ users, mails, now }: TellUsersDeps): () => Promise<boolean> {
  return async function tellUsers() {
    const found = await users.find(
      { noticesAt: { $exists: true } },
      { sort: ['noticesAt'], limit: BATCH_SIZE },
    );
    for (const user of found) await tell(user);
    return found.length > 0;
  };

  async function tell({ _id: userId, accountId, notices = [], noticesAt }: UserRecord): Promise<void> {
    const made = notices.flatMap((notice) =>
      notice.to.map((to) =>
        newMail(
          { accountId, to, subject: { kind: 'user', notice: { kind: notice.kind, at: notice.at } } },
          { key: `${userId}|${notice.kind}|${notice.at}`, now: now() },
        ),
      ),
    );
    if (made.length > 0) await mails.insertMany(made);
    // Another notice may have come meanwhile: then all are looked at again, and these are known.
    await users.updateOne(
      { _id: userId, noticesAt: noticesAt ?? null },
      { $unset: { notices: true, noticesAt: true } },
    );
  }
}
