import {
  MAX_BUS_BODY_BYTES,
  newId,
  type BusEvent,
  type QuarantineReason,
  type WebhookEventType,
} from '@svcforms/contracts';
import type { Filter, Update } from '@svcforms/document-store';
import { pendingEvents, type PendingEvent } from '@svcforms/outbox';
import { isoTime, type TraceContext } from '@svcforms/primitives';
import type { SubmissionMetadata, SubmissionRecord } from './submission.ts';

/** Inbound submissions also emit `submission.created`. docs/reference/webhooks.md#event-types */
const EVENTS_OF = {
  web: ['form.submission.new'],
  inbound: ['form.submission.new', 'submission.created'],
} as const satisfies Record<string, readonly [WebhookEventType, ...WebhookEventType[]]>;

/** A new submission with the events for its source. `data` is JSON text. */
export function newSubmission(submission: {
  /** `sub_…`. Default: a new id. */
  id?: string;
  accountId: string;
  formId: string;
  /** The published version of the form. */
  formVersion?: number;
  data: string;
  metadata: SubmissionMetadata & { submittedVia: keyof typeof EVENTS_OF };
  requestId: string;
  /** The trace of the request. */
  trace?: TraceContext | undefined;
  /** The number of chained webhook deliveries that led to it. Default: 0. */
  hops?: number;
  /** Stores it in quarantine, without events. Default: it is accepted. */
  quarantineReason?: QuarantineReason | undefined;
  /** The id of the token that it uses. */
  tokenId?: string | undefined;
  /** Whether no email follows from its events. Default: not known. */
  isQuiet?: boolean;
  /** Milliseconds since the epoch. */
  now: number;
}): SubmissionRecord {
  const createdAt = isoTime(submission.now);
  const _id = submission.id ?? newId('sub');
  const { quarantineReason, tokenId } = submission;
  const record: SubmissionRecord = {
    _id,
    accountId: submission.accountId,
    formId: submission.formId,
    data: submission.data,
    metadata: submission.metadata,
    ...(submission.formVersion === undefined ? {} : { formVersion: submission.formVersion }),
    ...(submission.hops ? { hops: submission.hops } : {}),
    ...(tokenId === undefined ? {} : { tokenId }),
    createdAt,
  };
  if (quarantineReason !== undefined) {
    return { ...record, quarantineReason, quarantineKey: `${submission.formId}|${createdAt}|${_id}` };
  }
  return {
    ...record,
    ...pendingEvents(EVENTS_OF[submission.metadata.submittedVia], {
      of: _id,
      timestamp: createdAt,
      requestId: submission.requestId,
      ...(submission.isQuiet ? { quiet: true } : {}),
      trace: submission.trace,
    }),
  };
}

/**
 * The filter and update that release a submission with its events. One of any number of concurrent
 * updates finds it in quarantine.
 */
export function releaseOf(
  { _id, metadata: { submittedVia } }: SubmissionRecord,
  context: {
    requestId: string;
    trace?: TraceContext | undefined;
    isQuiet: boolean;
    /** The seat that it takes in a form with a maximum number of submissions. */
    seat?: string;
    now: number;
  },
) {
  const releasedAt = isoTime(context.now);
  return {
    filter: { _id, quarantineKey: { $exists: true }, isBeingErased: null } satisfies Filter<SubmissionRecord>,
    update: {
      $set: {
        releasedAt,
        ...(context.seat === undefined ? {} : { seat: context.seat }),
        ...pendingEvents(EVENTS_OF[submittedVia === 'inbound' ? 'inbound' : 'web'], {
          of: _id,
          timestamp: releasedAt,
          requestId: context.requestId,
          ...(context.isQuiet ? { quiet: true } : {}),
          trace: context.trace,
        }),
      },
      $unset: { quarantineKey: true, quarantineReason: true },
    } satisfies Update<SubmissionRecord>,
  };
}

/**
 * The events of a stored submission when it was new or released; `null` if a task (see
 * `submissionOfTask`) or a newer version created it, or if it is in quarantine.
 */
export function eventsOfSubmission({
  _id: of,
  createdAt,
  releasedAt: timestamp = createdAt,
  quarantineKey,
  metadata: { submittedVia },
}: SubmissionRecord): ReturnType<typeof pendingEvents> | null {
  const isKnown = submittedVia === 'web' || submittedVia === 'inbound';
  return isKnown && quarantineKey === undefined
    ? pendingEvents(EVENTS_OF[submittedVia], { of, timestamp })
    : null;
}

/**
 * The body of `form.submission.new` and `submission.created`. The same record and event always give
 * the same bytes. docs/reference/webhooks.md#payloads
 */
export function submissionEventBody(
  record: Pick<SubmissionRecord, '_id' | 'formId' | 'data' | 'metadata'>,
  event: Pick<PendingEvent, 'type' | 'timestamp'>,
): string {
  const { formId, _id: submissionId, data, metadata } = record;
  const head = JSON.stringify({ eventType: event.type, formId, submissionId, timestamp: event.timestamp });
  return `${head.slice(0, -1)},"data":${data},"metadata":${JSON.stringify(metadata)}}`;
}

/** The bus event of a stored submission. The body is `null` if it is too large for the bus. */
export function submissionEvent(record: SubmissionRecord, pending: PendingEvent): BusEvent {
  return {
    ...pending,
    accountId: record.accountId,
    formId: record.formId,
    submissionId: record._id,
    ...(record.hops === undefined ? {} : { hops: record.hops }),
    body: busBody(submissionEventBody(record, pending)),
  };
}

/** The body of an event on the bus; `null` if it is too large for the bus. */
export function busBody(body: string): string | null {
  // A UTF-16 unit is at most three bytes in UTF-8, so most bodies need no counting.
  const fits = body.length * 3 <= MAX_BUS_BODY_BYTES || Buffer.byteLength(body) <= MAX_BUS_BODY_BYTES;
  return fits ? body : null;
}
