import type { Collection } from '@svcforms/document-store';
import type { InvitationRecord, PasswordResetRecord, UserRecord } from '@svcforms/identity';
import type { Clock } from '@svcforms/primitives';
import { newMail, type MailRecord } from './mail-record.ts';
import { createQueueOwedMails } from './owed-mails.ts';

const BATCH_SIZE = 100;

interface QueueLoginMailsDeps {
  users: Pick<Collection<UserRecord>, 'find'>;
  invitations: Pick<Collection<InvitationRecord>, 'find' | 'updateOne'>;
  resets: Pick<Collection<PasswordResetRecord>, 'find' | 'deleteMany'>;
  mails: Pick<Collection<MailRecord>, 'insertMany'>;
  now: Clock;
}

/**
 * Queues the emails of requested password resets and of invitations. Each has an id derived from
 * the stored request, so it is sent once even after a crash. ADR 0055
 */
export function createQueueLoginMails(deps: QueueLoginMailsDeps): {
  queueResets: () => Promise<string | undefined>;
  queueInvitations: () => Promise<string | undefined>;
} {
  const { users, invitations, resets, mails, now } = deps;

  async function queueResets(): Promise<string | undefined> {
    const requested = await resets.find({}, { sort: ['requestedAt'], limit: BATCH_SIZE });
    if (requested.length === 0) return undefined;
    const found = await users.find({ email: { $in: requested.map(({ email }) => email) } });
    const byEmail = new Map(found.map((user) => [user.email, user]));
    const queued = requested.flatMap(({ _id, email, expireAt }) => {
      const user = byEmail.get(email);
      if (!user) return [];
      const subject = { kind: 'password_reset', userId: user._id, expiresAt: expireAt } as const;
      return newMail({ accountId: user.accountId, to: email, subject }, { key: `reset|${_id}`, now: now() });
    });
    if (queued.length > 0) await mails.insertMany(queued);
    await resets.deleteMany({ _id: { $in: requested.map(({ _id }) => _id) } });
    return requested[0]?.requestedAt;
  }

  const queueInvitations = createQueueOwedMails<InvitationRecord>(
    { records: invitations, mails },
    ({ _id, accountId, email, sentAt }) =>
      newMail(
        { accountId, to: email, subject: { kind: 'invitation', invitationId: _id, sentAt } },
        { key: `${_id}|${sentAt}`, now: now() },
      ),
  );

  return { queueResets, queueInvitations };
}
