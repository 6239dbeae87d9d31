import { traceFields } from '@svcforms/primitives';
import type { DeliveryRecord } from '@svcforms/records';

/** The ids in every log line about a delivery. */
export function logIdsOf(delivery: DeliveryRecord) {
  const {
    _id: deliveryId,
    accountId,
    formId,
    submissionId,
    webhookId,
    eventId,
    eventType,
    requestId,
    trace,
  } = delivery;
  return {
    deliveryId,
    accountId,
    formId,
    submissionId,
    webhookId,
    eventId,
    eventType,
    requestId,
    ...traceFields(trace),
  };
}
