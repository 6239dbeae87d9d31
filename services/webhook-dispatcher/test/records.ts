import { newId, type BusEvent, type EventType } from '@svcforms/contracts';
import {
  webhookSecretContext,
  type DeliveryRecord,
  type FormRecord,
  type TaskRecord,
  type WebhookRecord,
} from '@svcforms/records';
import { createSecretBox, generateEncryptionKey } from '@svcforms/signing';

export const secretBox = createSecretBox([generateEncryptionKey()]);

/** An enabled webhook of a form and an account of its own. */
export function webhookRecord(
  values: Partial<WebhookRecord> & { url: string },
  secret = 'whsec_c2VjcmV0',
): WebhookRecord {
  const _id = values._id ?? newId('whk');
  const createdAt = new Date().toISOString();
  return {
    _id,
    accountId: newId('acc'),
    formId: newId('frm'),
    events: ['form.submission.new'],
    isEnabled: true,
    secret: secretBox.seal(secret, webhookSecretContext(_id)),
    secretLast4: secret.slice(-4),
    disabledReason: null,
    disabledAt: null,
    failingSince: null,
    consecutiveFailures: 0,
    lastAttemptAt: null,
    lastStatus: null,
    createdAt,
    updatedAt: createdAt,
    ...values,
  };
}

/** A form of an account of its own. */
export function formRecord(values: Partial<FormRecord> = {}): FormRecord {
  const createdAt = new Date().toISOString();
  return {
    _id: newId('frm'),
    accountId: newId('acc'),
    name: 'Contact',
    fields: [],
    settings: {},
    createdAt,
    updatedAt: createdAt,
    version: 1,
    ...values,
  };
}

/** A task that awaits a decision, of an account and a form of their own. */
export function taskRecord(values: Partial<TaskRecord> = {}): TaskRecord {
  return {
    _id: newId('tsk'),
    accountId: newId('acc'),
    formId: newId('frm'),
    title: 'Refund?',
    prefill: '{}',
    decisionMode: 'approval',
    priority: 'high',
    rank: 2,
    status: 'awaiting',
    createdBy: newId('key'),
    userId: newId('usr'),
    expiresAt: '2099-01-01T00:00:00.000Z',
    onExpiry: 'expire',
    metadata: '{}',
    history: [],
    createdAt: new Date().toISOString(),
    ...values,
  };
}

/** An event of the webhook's form. */
export function eventFor(webhook: WebhookRecord, values: Partial<BusEvent> = {}): BusEvent {
  const type: EventType = values.type ?? 'form.submission.new';
  const submissionId = newId('sub');
  const timestamp = new Date().toISOString();
  const { accountId, formId } = webhook;
  const envelope = {
    eventType: type,
    formId,
    submissionId,
    timestamp,
    data: { name: 'Zoë </script> \u2028 🦊' },
  };
  return {
    id: newId('evt'),
    type,
    accountId,
    formId,
    submissionId,
    timestamp,
    requestId: 'req-1',
    body: JSON.stringify(envelope),
    ...values,
  };
}

/** A new delivery to the webhook. */
export function deliveryRecord(webhook: WebhookRecord, values: Partial<DeliveryRecord> = {}): DeliveryRecord {
  const { accountId, formId, _id: webhookId } = webhook;
  return {
    _id: newId('del'),
    accountId,
    formId,
    webhookId,
    eventId: newId('evt'),
    eventType: 'form.submission.new',
    body: '{}',
    status: 'pending',
    attempts: [],
    createdAt: new Date().toISOString(),
    expireAt: new Date(Date.now() + 3600_000).toISOString(),
    ...values,
  };
}
