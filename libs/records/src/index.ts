export { DELIVERIES, deliveryExpiry, deliveryId, requeued, waitingKey } from './delivery.ts';
export type { DeliveryAttempt, DeliveryRecord } from './delivery.ts';
export { createEraser } from './erasure/eraser.ts';
export type { Erased, Eraser } from './erasure/eraser.ts';
export { ERASURES } from './erasure/erasure-record.ts';
export type { ErasureRecord } from './erasure/erasure-record.ts';
export type { ReceivedBy } from './erasure/received-by.ts';
export { erasedDedupe, isErased, taskWithoutValues } from './erasure/tombstone.ts';
export { checkableFields, FORMS } from './form.ts';
export type { FormRecord } from './form.ts';
export {
  formOfEndpoint,
  INBOUND_ENDPOINTS,
  inboundSecretContext,
  inboundSlots,
  MAX_INBOUND_ENDPOINTS,
} from './inbound-endpoint.ts';
export type { InboundEndpointRecord } from './inbound-endpoint.ts';
export {
  INBOUND_REQUESTS,
  INBOUND_REQUESTS_KEPT,
  INBOUND_REQUESTS_KEPT_DAYS,
  INBOUND_REQUESTS_SHOWN,
} from './inbound-request.ts';
export type { InboundRequest, InboundRequestsRecord } from './inbound-request.ts';
export { countMails, MAIL_COUNTERS } from './mail-counter.ts';
export type { MailCounterRecord } from './mail-counter.ts';
export {
  addressKey,
  addressToken,
  ensureAddress,
  NOTIFICATION_ADDRESSES,
  readAddressToken,
} from './notification-address.ts';
export type { NotificationAddressRecord } from './notification-address.ts';
export { insertOnce } from './insert-once.ts';
export type { InsertWithEvents } from '@svcforms/outbox';
export { republishEvents } from './republish.ts';
export { RECOVERIES } from './recovery.ts';
export type { RecoveryRecord } from './recovery.ts';
export {
  capturedMetadata,
  createSubmissionOutbox,
  eventsOfSubmission,
  newSubmission,
  storeSubmission,
  submissionEventBody,
  submissionOut,
  SUBMISSIONS,
} from './submission.ts';
export type { SubmissionMetadata, SubmissionRecord, SubmissionSink } from './submission.ts';
export {
  callbackSecretContext,
  decisionEventBody,
  submissionOfTask,
  TASK_CREATION_EVENTS,
  taskEndEvents,
  taskEvent,
  taskEventBody,
  TASKS,
} from './task.ts';
export type { TaskCallbackAttempt, TaskCallbackRecord, TaskRecord } from './task.ts';
export { stillValid, validSecrets, webhookSecretContext, WEBHOOKS } from './webhook.ts';
export type { PreviousSecret, WebhookNotice, WebhookRecord } from './webhook.ts';
export { popupCounterId, POPUP_COUNTERS } from './popup-counter.ts';
export type { PopupCounterRecord } from './popup-counter.ts';
