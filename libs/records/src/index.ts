export {
  DELIVERIES,
  deliveryExpiry,
  deliveryHeaders,
  deliveryId,
  isTestDelivery,
  requeued,
  TEST_STATUSES,
  waitingKey,
} from './collections/delivery.ts';
export type { DeliveryAttempt, DeliveryRecord } from './collections/delivery.ts';
export { GUARDED_MS } from './erasure/erase-deliveries.ts';
export { createEraser } from './erasure/eraser.ts';
export type { Erased, Eraser } from './erasure/eraser.ts';
export { erasedEventsOfSubmission, erasedEventsOfTask } from './erasure/events-of.ts';
export { ERASURES, newErasure } from './erasure/erasure-record.ts';
export type { ErasedEvent, ErasureRecord } from './erasure/erasure-record.ts';
export { openErasures } from './erasure/open-erasures.ts';
export { dedupeValues, isErased, taskWithoutValues } from './erasure/tombstone.ts';
export { createDraftStore } from './forms/draft-store.ts';
export type { DraftStore, FindPolicyIssues, KeepGroups } from './forms/draft-store.ts';
export { draftEtag, formEtag, requireTag, sameTag } from './forms/form-tags.ts';
export { ownForm } from './forms/own-form.ts';
export { SAVE_TRIES, tooManyChanges } from './forms/save-tries.ts';
export { checkableFields, FORMS, hasRecipients, isPublic } from './collections/form.ts';
export type { FormDraft, FormRecord } from './collections/form.ts';
export { noticesMark, noticesTime } from './collections/notices-mark.ts';
export { definitionOf, FORM_VERSIONS, FORM_VERSIONS_KEPT, versionOf } from './collections/form-version.ts';
export type { FormVersionRecord } from './collections/form-version.ts';
export { createSeats, formClosed } from './seats/seats.ts';
export type { Seats } from './seats/seats.ts';
export {
  formOfEndpoint,
  INBOUND_ENDPOINTS,
  inboundSecretContext,
  inboundSlots,
  MAX_INBOUND_ENDPOINTS,
} from './collections/inbound-endpoint.ts';
export type { InboundEndpointRecord } from './collections/inbound-endpoint.ts';
export {
  INBOUND_REQUESTS,
  INBOUND_REQUESTS_KEPT,
  INBOUND_REQUESTS_KEPT_DAYS,
  INBOUND_REQUESTS_SHOWN,
} from './collections/inbound-request.ts';
export type { InboundRequest, InboundRequestsRecord } from './collections/inbound-request.ts';
export { countMails, MAIL_COUNTERS } from './collections/mail-counter.ts';
export type { MailCounterRecord } from './collections/mail-counter.ts';
export {
  addressKey,
  addressToken,
  ensureAddress,
  NOTIFICATION_ADDRESSES,
  readAddressToken,
} from './collections/notification-address.ts';
export type { NotificationAddressRecord } from './collections/notification-address.ts';
export { insertOnce } from './collections/insert-once.ts';
export { republishEvents } from './republish.ts';
export {
  markRestoreBegun,
  markRestoreDone,
  refuseHalfRestored,
  RESTORE_AGAIN,
} from './collections/restore-mark.ts';
export { createRequestVerification } from './request-verification.ts';
export type { RequestVerification } from './request-verification.ts';
export { originHost, readScriptSighting, scriptSightingMessage } from './script-sighting.ts';
export type { ScriptSightingMessage } from './script-sighting.ts';
export { webhookEventBody } from './webhook-event-body.ts';
export { RECOVERIES } from './collections/recovery.ts';
export type { RecoveryRecord } from './collections/recovery.ts';
export {
  ACCEPTED,
  capturedMetadata,
  quarantinedIn,
  submissionOut,
  SUBMISSIONS,
} from './collections/submission.ts';
export {
  eventsOfSubmission,
  newSubmission,
  releaseOf,
  submissionEventBody,
} from './collections/submission-events.ts';
export { createSubmissionOutbox, storeSubmission } from './collections/submission-sink.ts';
export type { SubmissionMetadata, SubmissionRecord } from './collections/submission.ts';
export type { SubmissionSink } from './collections/submission-sink.ts';
export {
  decisionEventBody,
  submissionOfTask,
  TASK_CREATION_EVENTS,
  endEventId,
  endEventsOf,
  creationEventId,
  taskEndEvents,
  taskEvent,
  taskEventBody,
  taskWebhookBody,
} from './collections/task-events.ts';
export {
  callbackSecretContext,
  PENDING_TASK_FIELDS,
  pendingValues,
  TASKS,
  valuesDigest,
} from './collections/task.ts';
export type {
  TaskCallbackAttempt,
  TaskCallbackRecord,
  TaskNotice,
  TaskRecord,
  TaskVoteRecord,
} from './collections/task.ts';
export {
  formerUrlsAfter,
  formOf,
  getsDeliveries,
  isAccountWebhook,
  stillValid,
  validSecrets,
  webhookSecretContext,
  WEBHOOKS,
} from './collections/webhook.ts';
export type {
  PreviousSecret,
  WebhookNotice,
  WebhookRecord,
  WebhookSigningKey,
} from './collections/webhook.ts';
export { headersText, readHeadersText } from './collections/webhook-headers.ts';
export type { HeaderValues, WebhookHeaders } from './collections/webhook-headers.ts';
export { popupCounterId, POPUP_COUNTERS } from './collections/popup-counter.ts';
export type { PopupCounterRecord } from './collections/popup-counter.ts';
export { addLatencies, latencyBucket, latencyPercentile } from './collections/latency-histogram.ts';
export type { LatencyHistogram } from './collections/latency-histogram.ts';
export {
  startOfHour,
  webhookHealthExpiry,
  webhookHealthId,
  WEBHOOK_HEALTH,
} from './collections/webhook-health.ts';
export type { WebhookHealthRecord } from './collections/webhook-health.ts';
