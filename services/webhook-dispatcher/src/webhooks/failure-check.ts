import type { Collection } from '@svcforms/document-store';
import { isoTime, type Clock, type Logger } from '@svcforms/primitives';
import { formOf, type WebhookRecord } from '@svcforms/records';
import { noticeOf, withNotice } from './webhook-notice.ts';

/** The owners are warned after this part of the time until the webhook is disabled. */
const WARN_AT = 1 / 3;
const BATCH_SIZE = 200;

/** A webhook is disabled when all conditions hold and a delivery has used up its attempts. */
export interface DisablePolicy {
  /** The time without a success. */
  disableAfterMs: number;
  /** The number of consecutive failures. */
  disableMinFailures: number;
}

interface FailureCheckDeps {
  webhooks: Pick<Collection<WebhookRecord>, 'find' | 'updateOne'>;
  policy: DisablePolicy;
  log: Pick<Logger, 'info'>;
  now: Clock;
}

/**
 * Finds webhooks that have failed for long, warns their owners, and disables them. Each change
 * requires that the failure is still the same, so only one of several replicas makes it, and it
 * stores the notice for the owners in the same update.
 * docs/reference/webhooks.md#automatic-disabling
 */
export function createFailureCheck({ webhooks, policy, log, now }: FailureCheckDeps): () => Promise<void> {
  return async function checkFailing() {
    // Both searches use the same time, so that no webhook is disabled before its warning is due.
    const checkedAt = now();
    const toWarn = await webhooks.find(
      {
        failingSince: { $lte: isoTime(checkedAt - policy.disableAfterMs * WARN_AT) },
        isEnabled: true,
        warnedAt: { $exists: false },
      },
      { sort: ['failingSince'], limit: BATCH_SIZE },
    );
    for (const webhook of toWarn) await warn(webhook);
    const toDisable = await webhooks.find(
      {
        failingSince: { $lte: isoTime(checkedAt - policy.disableAfterMs) },
        isEnabled: true,
        givenUpAt: { $exists: true },
        consecutiveFailures: { $gte: policy.disableMinFailures },
      },
      { sort: ['failingSince'], limit: BATCH_SIZE },
    );
    for (const webhook of toDisable) await disable(webhook);
  };

  async function warn(webhook: WebhookRecord): Promise<void> {
    const warnedAt = isoTime(now());
    const isFirst = await webhooks.updateOne(
      { ...sameFailure(webhook), warnedAt: { $exists: false } },
      withNotice({ $set: { warnedAt } }, noticeOf(webhook, 'webhook_failing', warnedAt)),
    );
    if (isFirst) logChange(webhook, 'webhook.failing', 'webhook keeps failing; warning the owners');
  }

  async function disable(webhook: WebhookRecord): Promise<void> {
    const disabledAt = isoTime(now());
    const isFirst = await webhooks.updateOne(
      sameFailure(webhook),
      withNotice(
        { $set: { isEnabled: false, disabledReason: 'failures', disabledAt, updatedAt: disabledAt } },
        noticeOf(webhook, 'webhook_disabled', disabledAt),
      ),
    );
    if (isFirst) logChange(webhook, 'webhook.disabled', 'webhook failed for too long; webhook disabled');
  }

  function logChange(webhook: WebhookRecord, event: string, message: string): void {
    const { _id: webhookId, accountId, failingSince, consecutiveFailures } = webhook;
    const ids = { webhookId, accountId, formId: formOf(webhook) };
    log.info({ event, ...ids, failingSince, consecutiveFailures, reason: 'failures' }, message);
  }
}

const sameFailure = ({ _id, failingSince }: WebhookRecord) => ({ _id, isEnabled: true, failingSince });
