import type { DocumentStore } from '@svcforms/document-store';
import { AUDIT_LOG, type AuditRecord } from '@svcforms/http';
import {
  ACCOUNTS,
  API_KEYS,
  INVITATIONS,
  USERS,
  type AccountRecord,
  type ApiKeyRecord,
  type InvitationRecord,
  type UserRecord,
} from '@svcforms/identity';
import {
  DELIVERIES,
  FORM_VERSIONS,
  FORMS,
  INBOUND_ENDPOINTS,
  INBOUND_REQUESTS,
  MAIL_COUNTERS,
  NOTIFICATION_ADDRESSES,
  POPUP_COUNTERS,
  RECOVERIES,
  TASKS,
  WEBHOOK_HEALTH,
  WEBHOOKS,
  type DeliveryRecord,
  type FormRecord,
  type FormVersionRecord,
  type InboundEndpointRecord,
  type InboundRequestsRecord,
  type MailCounterRecord,
  type NotificationAddressRecord,
  type PopupCounterRecord,
  type RecoveryRecord,
  type TaskRecord,
  type WebhookHealthRecord,
  type WebhookRecord,
} from '@svcforms/records';

/** The collections of this service. Each feature receives those that it works on. */
export function openCollections(store: Pick<DocumentStore, 'collection'>) {
  return {
    accounts: store.collection<AccountRecord>(ACCOUNTS),
    users: store.collection<UserRecord>(USERS),
    keys: store.collection<ApiKeyRecord>(API_KEYS),
    invitations: store.collection<InvitationRecord>(INVITATIONS),
    auditLog: store.collection<AuditRecord>(AUDIT_LOG),
    forms: store.collection<FormRecord>(FORMS),
    versions: store.collection<FormVersionRecord>(FORM_VERSIONS),
    tasks: store.collection<TaskRecord>(TASKS),
    popupCounters: store.collection<PopupCounterRecord>(POPUP_COUNTERS),
    endpoints: store.collection<InboundEndpointRecord>(INBOUND_ENDPOINTS),
    inboundRequests: store.collection<InboundRequestsRecord>(INBOUND_REQUESTS),
    webhooks: store.collection<WebhookRecord>(WEBHOOKS),
    webhookHealth: store.collection<WebhookHealthRecord>(WEBHOOK_HEALTH),
    deliveries: store.collection<DeliveryRecord>(DELIVERIES),
    recoveries: store.collection<RecoveryRecord>(RECOVERIES),
    addresses: store.collection<NotificationAddressRecord>(NOTIFICATION_ADDRESSES),
    mailCounters: store.collection<MailCounterRecord>(MAIL_COUNTERS),
  };
}

export type Collections = ReturnType<typeof openCollections>;
