import {
  MAX_BUS_BODY_BYTES,
  newId,
  type BusEvent,
  type QuarantineReason,
  type SubmissionOut,
  type WebhookEventType,
} from '@svcforms/contracts';
import type { Collection, CollectionSpec, DocumentStore, Filter, Update } from '@svcforms/document-store';
import {
  createOutbox,
  PENDING_INDEX,
  pendingEvents,
  type Outbox,
  type OutboxDeps,
  type PendingEvent,
  type WithPendingEvents,
} from '@svcforms/outbox';
import { isoTime, type TraceContext } from '@svcforms/primitives';
import type { FormRecord } from './form.ts';
import { insertOnce } from './insert-once.ts';

/** The source of a submission. IP address and user agent only if the form asks for them. */
export type SubmissionMetadata = {
  submittedVia: 'web' | 'inbound' | 'task';
  ipAddress?: string;
  userAgent?: string;
  page?: string;
  /** The task that created it. */
  taskId?: string;
  /** The user or key that resolved that task. */
  resolvedBy?: 'human' | 'expiry';
};

/** A stored submission with its pending events. */
export interface SubmissionRecord extends WithPendingEvents {
  formId: string;
  /** JSON text of the values by field name, because senders choose the names. */
  data: string;
  metadata: SubmissionMetadata;
  /**
   * The published version of the form that was submitted. Absent in submissions of older versions.
   */
  formVersion?: number;
  /** Its seat in a form with a maximum number of submissions; unique. ADR 0078 */
  seat?: string;
  /** The number of chained webhook deliveries that led to it; absent for 0. */
  hops?: number;
  /** ISO 8601. */
  createdAt: string;
  /** Present while the submission is in quarantine; absent when it is accepted. */
  quarantineReason?: QuarantineReason;
  /**
   * `<form>|<createdAt>|<id>` while the submission is in quarantine. Few submissions have it, so
   * that its index costs the others nothing.
   */
  quarantineKey?: string;
  /** Set before its values are erased, so that it can't be released anymore. */
  isBeingErased?: true;
  /** When it was released from quarantine, which is when its events happened. ISO 8601. */
  releasedAt?: string;
  /** The id of the token that it used. No other submission has it. */
  tokenId?: string;
  /**
   * When its values were erased. The document is then a tombstone without form and account. ISO
   * 8601.
   */
  erasedAt?: string;
}

export const SUBMISSIONS: CollectionSpec<SubmissionRecord> = {
  name: 'submissions',
  indexes: [
    { keys: ['formId', '-createdAt', '-_id'] },
    { keys: ['seat'], unique: true, sparse: true },
    { keys: ['quarantineKey'], sparse: true },
    { keys: ['tokenId'], unique: true, sparse: true },
    PENDING_INDEX,
  ],
};

/** Matches submissions that aren't in quarantine. */
export const ACCEPTED = { quarantineKey: null } as const satisfies Filter<SubmissionRecord>;

/**
 * Matches the quarantined submissions of a form from a time (ISO 8601) on and before another one.
 */
export function quarantinedIn(
  formId: string,
  { since = '', before = '~' }: { since?: string | undefined; before?: string | undefined } = {},
) {
  // Sorts after all digits, so the default of `before` follows every time.
  return {
    quarantineKey: { $gte: `${formId}|${since}`, $lt: `${formId}|${before}` },
  } satisfies Filter<SubmissionRecord>;
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
function submissionEvent(record: SubmissionRecord, pending: PendingEvent): BusEvent {
  return {
    ...pending,
    accountId: record.accountId,
    formId: record.formId,
    submissionId: record._id,
    ...(record.hops === undefined ? {} : { hops: record.hops }),
    body: busBody(submissionEventBody(record, pending)),
  };
}

/** Stores submissions and publishes their events. */
export interface SubmissionSink {
  submissions: Collection<SubmissionRecord>;
  outbox: Outbox<SubmissionRecord>;
}

/** The sink of a service that accepts submissions. The service starts and stops its outbox. */
export function createSubmissionOutbox(
  deps: { store: DocumentStore } & Pick<
    OutboxDeps<SubmissionRecord>,
    'bus' | 'log' | 'now' | 'insertWithEvents' | 'tracing'
  >,
): SubmissionSink {
  const { store, ...rest } = deps;
  const submissions = store.collection<SubmissionRecord>(SUBMISSIONS);
  return { submissions, outbox: createOutbox({ ...rest, collection: submissions, render: submissionEvent }) };
}

/**
 * Stores a submission. When this resolves, the submission is durable and its events will be
 * published.
 */
export async function storeSubmission(
  {
    submissions,
    outbox,
  }: {
    submissions: Pick<Collection<SubmissionRecord>, 'findOne'>;
    outbox: Pick<Outbox<SubmissionRecord>, 'insert'>;
  },
  record: SubmissionRecord,
): Promise<void> {
  // A submission that was stored before has its events too.
  await insertOnce(
    { insertOne: (doc) => outbox.insert(doc), findOne: (filter) => submissions.findOne(filter) },
    record,
  );
}

/** The IP address and user agent, if the form asks for them. */
export function capturedMetadata(
  form: Pick<FormRecord, 'settings'>,
  request: { ip: string; headers: { 'user-agent'?: string | undefined } },
): Pick<SubmissionMetadata, 'ipAddress' | 'userAgent'> {
  const { includeIp, includeUserAgent } = form.settings.metadata ?? {};
  const userAgent = request.headers['user-agent'];
  return {
    ...(includeIp ? { ipAddress: request.ip } : {}),
    ...(includeUserAgent && userAgent ? { userAgent } : {}),
  };
}

/** A submission as clients get it. */
export function submissionOut(record: SubmissionRecord): SubmissionOut {
  const { _id, formId, formVersion, data, metadata, quarantineReason, createdAt } = record;
  return {
    id: _id,
    formId,
    data: JSON.parse(data) as Record<string, unknown>,
    metadata,
    ...(formVersion !== undefined && { formVersion }),
    status: record.quarantineKey === undefined ? 'accepted' : 'quarantined',
    ...(quarantineReason === undefined ? {} : { quarantineReason }),
    createdAt,
  };
}

/** The body of an event on the bus; `null` if it is too large for the bus. */
export function busBody(body: string): string | null {
  // A UTF-16 unit is at most three bytes in UTF-8, so most bodies need no counting.
  const fits = body.length * 3 <= MAX_BUS_BODY_BYTES || Buffer.byteLength(body) <= MAX_BUS_BODY_BYTES;
  return fits ? body : null;
}
