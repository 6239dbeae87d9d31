import { DELIVERY_STATUSES, type DeliveryOut, type DeliveryStatus } from '@svcforms/contracts';
import type { Filter } from '@svcforms/document-store';
import { isTestDelivery, TEST_STATUSES, type DeliveryRecord } from '@svcforms/records';

/** The delivery as the API returns it. */
export function deliveryOut(delivery: DeliveryRecord): DeliveryOut {
  const { _id, webhookId, eventId, eventType, formId, submissionId, taskId } = delivery;
  const { status, attempts, createdAt, erasedAt } = delivery;
  return {
    id: _id,
    webhookId,
    eventId,
    eventType,
    formId,
    ...(submissionId === undefined ? {} : { submissionId }),
    ...(taskId === undefined ? {} : { taskId }),
    ...(isTestDelivery(delivery) ? { isTest: true } : {}),
    status: shownStatus(status),
    attempts,
    nextAttemptAt: nextAttemptAt(delivery),
    createdAt,
    ...(erasedAt === undefined ? {} : { erasedAt }),
  };
}

function nextAttemptAt({ status, dueAt, waiting }: DeliveryRecord): string | null {
  return status === 'pending' ? (dueAt ?? waiting?.split('|')[1] ?? null) : null;
}

/** Matches deliveries by their status in responses. */
export function statusFilter(status: DeliveryStatus | undefined, withTests: boolean): Filter<DeliveryRecord> {
  if (status === undefined) return withTests ? {} : { status: { $in: DELIVERY_STATUSES } };
  const ofTests = TEST_STATUSES.filter((stored) => withTests && shownStatus(stored) === status);
  return { status: { $in: [status, ...ofTests] } };
}

const shownStatus = (stored: DeliveryRecord['status']): DeliveryStatus =>
  stored === 'test-delivered' ? 'delivered' : stored === 'test-failed' ? 'failed' : stored;
