export { DELIVERIES, DELIVERY_KEPT_DAYS, deliveryId } from './delivery.ts';
export type { DeliveryAttempt, DeliveryRecord } from './delivery.ts';
export { FORMS } from './form.ts';
export type { FormRecord } from './form.ts';
export { INBOUND_ENDPOINTS, inboundSecretContext } from './inbound-endpoint.ts';
export type { InboundEndpointRecord } from './inbound-endpoint.ts';
export { insertOnce } from './insert-once.ts';
export {
  capturedMetadata,
  createSubmissionOutbox,
  newSubmission,
  storeSubmission,
  submissionEventBody,
  SUBMISSIONS,
} from './submission.ts';
export type { SubmissionMetadata, SubmissionRecord, SubmissionSink } from './submission.ts';
export { webhookSecretContext, WEBHOOKS } from './webhook.ts';
export type { WebhookRecord } from './webhook.ts';
