import type { Collection } from '@svcforms/document-store';
import type { UserRecord } from '@svcforms/identity';
import type { WebhookRecord } from '@svcforms/records';
import { newMail, type MailRecord } from './mail-record.ts';

const BATCH_SIZE = 100;

export interface TellOwnersDeps {
  webhooks: Pick<Collection<WebhookRecord>, 'find' | 'updateOne'>;
  users: Pick<Collection<UserRecord>, 'find'>;
  mails: Pick<Collection<MailRecord>, 'insertMany'>;
  log: { info(fields: object, message: string): void };
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * Makes mails of the notices that webhooks carry. The notice was stored with the change that it tells of, and the mail's id
 * comes from the notice: whatever crashes in between, its owners get one. Gives whether there were any.
 */
export function createTellOwners(deps: TellOwnersDeps): () => Promise<boolean> {
  const { webhooks, users, mails, log, now } = deps;

  return async function tellOwners() {
    const found = await webhooks.find(
      { noticesAt: { $exists: true } },
      { sort: ['noticesAt'], limit: BATCH_SIZE },
    );
    for (const webhook of found) await tell(webhook);
    return found.length > 0;
  };

  async function tell(webhook: WebhookRecord): Promise<void> {
    const { _id: webhookId, accountId, formId, notices = [], noticesAt } = webhook;
    const owners = await users.find({ accountId, role: 'owner' });
    const made = notices.flatMap((notice) =>
      owners.map(({ email }) =>
        newMail(
          { accountId, to: email, subject: { kind: 'webhook', formId, webhookId, notice } },
          { key: `${webhookId}|${notice.kind}|${notice.at}`, now: now() },
        ),
      ),
    );
    if (made.length > 0) await mails.insertMany(made);
    else log.info({ event: 'mail.nobody', accountId, webhookId }, 'the account has no owner to write to');
    // Another notice may have come meanwhile: then all are looked at again, and these are known.
    await webhooks.updateOne(
      { _id: webhookId, noticesAt: noticesAt ?? null },
      { $unset: { notices: true, noticesAt: true } },
    );
  }
}
