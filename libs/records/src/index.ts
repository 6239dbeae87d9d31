export { DELIVERIES, deliveryExpiry, deliveryId, requeued, waitingKey } from './delivery.ts';
export type { DeliveryAttempt, DeliveryRecord } from './delivery.ts';
export { FORMS } from './form.ts';
export type { FormRecord } from './form.ts';
export { INBOUND_ENDPOINTS, inboundSecretContext } from './inbound-endpoint.ts';
export type { InboundEndpointRecord } from './inbound-endpoint.ts';
export { insertOnce } from './insert-once.ts';
export { RECOVERIES } from './recovery.ts';
export type { RecoveryRecord } from './recovery.ts';
export {
  capturedMetadata,
  createSubmissionOutbox,
  newSubmission,
  storeSubmission,
  submissionEventBody,
  SUBMISSIONS,
} from './submission.ts';
export type { SubmissionMetadata, SubmissionRecord, SubmissionSink } from './submission.ts';
export { callbackSecretContext, submissionOfTask, taskEvent, taskEventBody, TASKS } from './task.ts';
export type { TaskCallbackAttempt, TaskCallbackRecord, TaskRecord } from './task.ts';
export { stillValid, validSecrets, webhookSecretContext, WEBHOOKS } from './webhook.ts';
export type { PreviousSecret, WebhookNotice, WebhookRecord } from './webhook.ts';
