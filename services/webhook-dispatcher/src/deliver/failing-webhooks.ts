import type { Collection, Update } from '@svcforms/document-store';
import type { WebhookNotice, WebhookRecord } from '@svcforms/records';

/** The owner is warned after this part of the time until a webhook is disabled. */
const WARN_AT = 1 / 3;
const BATCH_SIZE = 200;

export interface DisablePolicy {
  /** Without a success for so long … */
  disableAfterMs: number;
  /** … and with so many failed attempts in a row, and a delivery that was given up, a webhook is disabled. */
  disableMinFailures: number;
}

export interface FailingWebhooksDeps {
  webhooks: Pick<Collection<WebhookRecord>, 'find' | 'updateOne'>;
  policy: DisablePolicy;
  log: { info(fields: object, message: string): void };
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * Looks for webhooks that have failed for long: warns of them, and disables them. Each change is conditional on the failure
 * still being the same one, so of any number of replicas one makes it, and its notice is stored with it. contract: delivery.md,
 * Auto-disable
 */
export function createFailingWebhooks(deps: FailingWebhooksDeps): () => Promise<void> {
  const { webhooks, policy, log, now } = deps;
  const ago = (ms: number) => new Date(now() - ms).toISOString();

  return async function checkFailing() {
    const toWarn = await webhooks.find(
      {
        failingSince: { $lte: ago(policy.disableAfterMs * WARN_AT) },
        isEnabled: true,
        warnedAt: { $exists: false },
      },
      { sort: ['failingSince'], limit: BATCH_SIZE },
    );
    for (const webhook of toWarn) await warn(webhook);
    const toDisable = await webhooks.find(
      {
        failingSince: { $lte: ago(policy.disableAfterMs) },
        isEnabled: true,
        givenUpAt: { $exists: true },
        consecutiveFailures: { $gte: policy.disableMinFailures },
      },
      { sort: ['failingSince'], limit: BATCH_SIZE },
    );
    for (const webhook of toDisable) await disable(webhook);
  };

  async function warn(webhook: WebhookRecord): Promise<void> {
    const warnedAt = new Date(now()).toISOString();
    const isFirst = await webhooks.updateOne(
      { ...theSameFailure(webhook), warnedAt: { $exists: false } },
      withNotice({ $set: { warnedAt } }, noticeOf(webhook, 'webhook_failing', warnedAt)),
    );
    if (isFirst) say(webhook, 'webhook.failing', 'a webhook fails for long: its owner is warned');
  }

  async function disable(webhook: WebhookRecord): Promise<void> {
    const disabledAt = new Date(now()).toISOString();
    const isFirst = await webhooks.updateOne(
      theSameFailure(webhook),
      withNotice(
        { $set: { isEnabled: false, disabledReason: 'failures', disabledAt, updatedAt: disabledAt } },
        noticeOf(webhook, 'webhook_disabled', disabledAt),
      ),
    );
    if (isFirst) say(webhook, 'webhook.disabled', 'a webhook failed for too long: webhook disabled');
  }

  function say(webhook: WebhookRecord, event: string, message: string): void {
    const { _id: webhookId, accountId, formId, failingSince, consecutiveFailures } = webhook;
    log.info(
      { event, webhookId, accountId, formId, failingSince, consecutiveFailures, reason: 'failures' },
      message,
    );
  }
}

const theSameFailure = ({ _id, failingSince }: WebhookRecord) => ({ _id, isEnabled: true, failingSince });

/** What the owner is to be told, as things are at that time (ISO 8601). */
export function noticeOf(
  { url, lastStatus, failingSince }: WebhookRecord,
  kind: WebhookNotice['kind'],
  at: string,
): WebhookNotice {
  return { kind, at, url, lastStatus, failingSince };
}

/** The change, with what is to be told of it. */
export function withNotice({ $set }: { $set: Update['$set'] }, notice: WebhookNotice): Update {
  return { $set: { ...$set, noticesAt: notice.at }, $push: { notices: notice } };
}
