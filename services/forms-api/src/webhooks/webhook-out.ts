import type { AccountWebhookOut, WebhookOut } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { isAccountWebhook, type FormRecord, type WebhookRecord } from '@svcforms/records';

/** Returns webhooks as the API shows them, without their secrets. */
export type WebhooksOut = (webhooks: readonly WebhookRecord[]) => Promise<(WebhookOut | AccountWebhookOut)[]>;

/** Deleted forms aren't shown in the list of an account webhook: their events never come back. */
export function createWebhooksOut({ forms }: { forms: Pick<Collection<FormRecord>, 'find'> }): WebhooksOut {
  return async function webhooksOut(webhooks) {
    const listed = [...new Set(webhooks.flatMap((webhook) => webhook.forms ?? []))];
    const found = listed.length > 0 ? await forms.find({ _id: { $in: listed }, deletedAt: null }) : [];
    const existing = new Set(found.map(({ _id }) => _id));
    return webhooks.map((webhook) => webhookOut(webhook, existing));
  };
}

function webhookOut(
  webhook: WebhookRecord,
  existingForms: ReadonlySet<string>,
): WebhookOut | AccountWebhookOut {
  const { formId, forms, signingKey } = webhook;
  return {
    id: webhook._id,
    ...(isAccountWebhook(webhook) ? {} : { formId }),
    ...(forms === undefined ? {} : { forms: forms.filter((id) => existingForms.has(id)) }),
    url: webhook.url,
    events: webhook.events,
    isEnabled: webhook.isEnabled,
    ...(webhook.description === undefined ? {} : { description: webhook.description }),
    rateLimitPerSecond: webhook.rateLimitPerSecond ?? null,
    ...filterOut(webhook),
    ...(webhook.payload === undefined ? {} : { payload: webhook.payload }),
    secretLast4: webhook.secretLast4,
    headers: webhook.headers?.shown ?? [],
    isPublicKeySigned: signingKey !== undefined,
    ...(signingKey && { publicKeyId: signingKey.id, publicKey: signingKey.publicKey }),
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

function filterOut({ filter, filteredCount = 0, lastFilteredAt }: WebhookRecord) {
  return filter === undefined ? {} : { filter, filteredCount, lastFilteredAt: lastFilteredAt ?? null };
}
