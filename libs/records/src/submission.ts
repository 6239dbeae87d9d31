import type { BusEvent, WebhookEventType } from '@svcforms/contracts';
import { MAX_BUS_BODY_BYTES, newId } from '@svcforms/contracts';
import type { CollectionSpec } from '@svcforms/document-store';
import { PENDING_INDEX, pendingEvents, type PendingEvent, type WithPendingEvents } from '@svcforms/outbox';

/** Where a submission came from. Address and user agent only where the form asks for them. */
export type SubmissionMetadata = {
  submittedVia: 'web' | 'inbound' | 'task';
  ipAddress?: string;
  userAgent?: string;
  page?: string;
};

/** A submission as it is stored, with the events that it still owes the bus. */
export interface SubmissionRecord extends WithPendingEvents {
  formId: string;
  /** JSON text of the values by field name: the names are the sender's. */
  data: string;
  metadata: SubmissionMetadata;
  /** ISO 8601. */
  createdAt: string;
}

export const SUBMISSIONS: CollectionSpec = {
  name: 'submissions',
  indexes: [{ keys: ['formId', '-createdAt', '-_id'] }, PENDING_INDEX],
};

/** spec: webhooks-tasks-inbound, Events: an inbound submission emits `submission.created` too. */
const EVENTS_OF = {
  web: ['form.submission.new'],
  inbound: ['form.submission.new', 'submission.created'],
} as const satisfies Record<string, readonly [WebhookEventType, ...WebhookEventType[]]>;

/** A new submission with the events that its way in causes. `data` is JSON text. */
export function newSubmission(submission: {
  /** `sub_…`; made here when absent. */
  id?: string;
  accountId: string;
  formId: string;
  data: string;
  metadata: SubmissionMetadata & { submittedVia: keyof typeof EVENTS_OF };
  requestId: string;
  /** Milliseconds since the epoch. */
  now: number;
}): SubmissionRecord {
  const createdAt = new Date(submission.now).toISOString();
  return {
    _id: submission.id ?? newId('sub'),
    accountId: submission.accountId,
    formId: submission.formId,
    data: submission.data,
    metadata: submission.metadata,
    createdAt,
    ...pendingEvents(EVENTS_OF[submission.metadata.submittedVia], {
      timestamp: createdAt,
      requestId: submission.requestId,
    }),
  };
}

/**
 * The body of `form.submission.new` and `submission.created`. The same record and event give the same bytes.
 * spec: webhooks-tasks-inbound, Outbound event envelope.
 */
export function submissionEventBody(
  record: Pick<SubmissionRecord, '_id' | 'formId' | 'data' | 'metadata'>,
  event: Pick<PendingEvent, 'type' | 'timestamp'>,
): string {
  const { formId, _id: submissionId, data, metadata } = record;
  const head = JSON.stringify({ eventType: event.type, formId, submissionId, timestamp: event.timestamp });
  return `${head.slice(0, -1)},"data":${data},"metadata":${JSON.stringify(metadata)}}`;
}

/** The bus event of a stored submission; a body that is too large for the bus stays behind (`null`). */
export function submissionEvent(record: SubmissionRecord, pending: PendingEvent): BusEvent {
  const body = submissionEventBody(record, pending);
  return {
    ...pending,
    accountId: record.accountId,
    formId: record.formId,
    submissionId: record._id,
    body: fitsTheBus(body) ? body : null,
  };
}

function fitsTheBus(body: string): boolean {
  // A UTF-16 unit is at most three bytes in UTF-8, so most bodies need no counting.
  return body.length * 3 <= MAX_BUS_BODY_BYTES || Buffer.byteLength(body) <= MAX_BUS_BODY_BYTES;
}
