import type { WebhookOut } from '@svcforms/contracts';
import type { WebhookRecord } from '@svcforms/records';

/** The webhook as the API returns it, without its secret. */
export function webhookOut(webhook: WebhookRecord): WebhookOut {
  return {
    id: webhook._id,
    formId: webhook.formId,
    url: webhook.url,
    events: webhook.events,
    isEnabled: webhook.isEnabled,
    ...(webhook.description === undefined ? {} : { description: webhook.description }),
    secretLast4: webhook.secretLast4,
    disabledReason: webhook.disabledReason,
    disabledAt: webhook.disabledAt,
    failingSince: webhook.failingSince,
    consecutiveFailures: webhook.consecutiveFailures,
    lastAttemptAt: webhook.lastAttemptAt,
    lastStatus: webhook.lastStatus,
    createdAt: webhook.createdAt,
    updatedAt: webhook.updatedAt,
  };
}
