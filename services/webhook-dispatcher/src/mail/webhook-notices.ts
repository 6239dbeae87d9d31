import type { Collection } from '@svcforms/document-store';
import type { UserRecord } from '@svcforms/identity';
import type { Clock, Logger } from '@svcforms/primitives';
import { formOf, noticesTime, type WebhookRecord } from '@svcforms/records';
import { newMail, type MailRecord } from './mail-record.ts';

const BATCH_SIZE = 100;

interface QueueWebhookNoticesDeps {
  webhooks: Pick<Collection<WebhookRecord>, 'find' | 'updateOne'>;
  users: Pick<Collection<UserRecord>, 'find'>;
  mails: Pick<Collection<MailRecord>, 'insertMany'>;
  log: Pick<Logger, 'info'>;
  now: Clock;
}

/**
 * Queues emails to the account's owners for the notices that are stored with webhooks. A notice is
 * stored together with the change that it describes, and its email has an id derived from it, so
 * each owner gets one email even after a crash. ADR 0015
 */
export function createQueueWebhookNotices(deps: QueueWebhookNoticesDeps): () => Promise<string | undefined> {
  const { webhooks, users, mails, log, now } = deps;

  return async function queueWebhookNotices() {
    const found = await webhooks.find(
      { noticesAt: { $exists: true } },
      { sort: ['noticesAt'], limit: BATCH_SIZE },
    );
    for (const webhook of found) await queueNotices(webhook);
    return noticesTime(found[0]?.noticesAt);
  };

  async function queueNotices(webhook: WebhookRecord): Promise<void> {
    const { _id: webhookId, accountId, notices = [], noticesAt } = webhook;
    const formId = formOf(webhook);
    const owners = await users.find({ accountId, role: 'owner' });
    const queued = notices.flatMap((notice) =>
      owners.map(({ email }) =>
        newMail(
          {
            accountId,
            to: email,
            subject: { kind: 'webhook', ...(formId === undefined ? {} : { formId }), webhookId, notice },
          },
          { key: `${webhookId}|${notice.kind}|${notice.at}`, now: now() },
        ),
      ),
    );
    if (queued.length > 0) await mails.insertMany(queued);
    else log.info({ event: 'mail.nobody', accountId, webhookId }, 'no email sent; the account has no owner');
    // If another notice was added in between, all stay, and these emails aren't queued twice.
    await webhooks.updateOne(
      { _id: webhookId, noticesAt: noticesAt ?? null },
      { $unset: { notices: true, noticesAt: true } },
    );
  }
}
