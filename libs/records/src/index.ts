export { DELIVERIES, deliveryExpiry, deliveryId, requeued, waitingKey } from './delivery.ts';
export type { DeliveryAttempt, DeliveryRecord } from './delivery.ts';
export { checkableFields, FORMS } from './form.ts';
export type { FormRecord } from './form.ts';
export { INBOUND_ENDPOINTS, inboundSecretContext } from './inbound-endpoint.ts';
export type { InboundEndpointRecord } from './inbound-endpoint.ts';
export {
  INBOUND_REQUESTS,
  INBOUND_REQUESTS_KEPT,
  INBOUND_REQUESTS_KEPT_DAYS,
  INBOUND_REQUESTS_SHOWN,
} from './inbound-request.ts';
export type { InboundRequest, InboundRequestsRecord } from './inbound-request.ts';
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
  SUBMISSIONS,
} from './submission.ts';
export type { SubmissionMetadata, SubmissionRecord, SubmissionSink } from './submission.ts';
export { submissionOut } from './submission-out.ts';
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
