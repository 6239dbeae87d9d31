import type { Collection } from '@svcforms/document-store';
import type { UserRecord } from '@svcforms/identity';
import type { Clock, Logger } from '@svcforms/primitives';
import { formOf, type WebhookRecord } from '@svcforms/records';
import { newMail, type MailRecord } from './mail-record.ts';
import { createNoticeQueue } from './notice-queue.ts';

interface QueueWebhookNoticesDeps {
  webhooks: Pick<Collection<WebhookRecord>, 'find' | 'updateOne'>;
  users: Pick<Collection<UserRecord>, 'find'>;
  mails: Pick<Collection<MailRecord>, 'insertMany'>;
  log: Pick<Logger, 'info'>;
  now: Clock;
}

/** Queues emails to the account's owners for the notices that are stored with webhooks. */
export function createQueueWebhookNotices(deps: QueueWebhookNoticesDeps): () => Promise<string | undefined> {
  const { webhooks, users, mails, log, now } = deps;

  return createNoticeQueue<WebhookRecord>({ records: webhooks, mails }, async (webhook) => {
    const { _id: webhookId, accountId, notices = [] } = webhook;
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
    if (queued.length === 0)
      log.info({ event: 'mail.nobody', accountId, webhookId }, 'no email sent; the account has no owner');
    return queued;
  });
}
