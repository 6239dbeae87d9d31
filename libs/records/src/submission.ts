import type { BusEvent, WebhookEventType } from '@svcforms/contracts';
import { newId } from '@svcforms/contracts';
import type { Collection, CollectionSpec, DocumentStore } from '@svcforms/document-store';
import {
  createOutbox,
  PENDING_INDEX,
  pendingEvents,
  type Outbox,
  type OutboxDeps,
  type PendingEvent,
  type WithPendingEvents,
} from '@svcforms/outbox';
import { busBody } from './bus-body.ts';
import type { FormRecord } from './form.ts';
import { insertOnce } from './insert-once.ts';

/** Where a submission came from. Address and user agent only where the form asks for them. */
export type SubmissionMetadata = {
  submittedVia: 'web' | 'inbound' | 'task';
  ipAddress?: string;
  userAgent?: string;
  page?: string;
  /** The task that made it. */
  taskId?: string;
  /** Who or what resolved that task. */
  resolvedBy?: 'human' | 'expiry';
};

/** A submission as it is stored, with the events that it still owes the bus. */
export interface SubmissionRecord extends WithPendingEvents {
  formId: string;
  /** JSON text of the values by field name: the names are the sender's. */
  data: string;
  metadata: SubmissionMetadata;
  /** How many webhook deliveries in a row led to it; absent: none. */
  hops?: number;
  /** ISO 8601. */
  createdAt: string;
  /** When its values were erased: this is its tombstone, which belongs to no form and no account. ISO 8601. */
  erasedAt?: string;
}

export const SUBMISSIONS: CollectionSpec<SubmissionRecord> = {
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
  /** How many webhook deliveries in a row led to it; 0 unless given. */
  hops?: number;
  /** Milliseconds since the epoch. */
  now: number;
}): SubmissionRecord {
  const createdAt = new Date(submission.now).toISOString();
  const _id = submission.id ?? newId('sub');
  return {
    _id,
    accountId: submission.accountId,
    formId: submission.formId,
    data: submission.data,
    metadata: submission.metadata,
    ...(submission.hops ? { hops: submission.hops } : {}),
    createdAt,
    ...pendingEvents(EVENTS_OF[submission.metadata.submittedVia], {
      of: _id,
      timestamp: createdAt,
      requestId: submission.requestId,
    }),
  };
}

/** What a stored submission owed when it was new; `null` of one that a task made (see `submissionOfTask`), or a newer version. */
export function eventsOfSubmission({
  _id: of,
  createdAt: timestamp,
  metadata: { submittedVia },
}: SubmissionRecord): ReturnType<typeof pendingEvents> | null {
  const isKnown = submittedVia === 'web' || submittedVia === 'inbound';
  return isKnown ? pendingEvents(EVENTS_OF[submittedVia], { of, timestamp }) : null;
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
  return {
    ...pending,
    accountId: record.accountId,
    formId: record.formId,
    submissionId: record._id,
    ...(record.hops === undefined ? {} : { hops: record.hops }),
    body: busBody(submissionEventBody(record, pending)),
  };
}

/** Where submissions go: the store, and from there the bus. */
export interface SubmissionSink {
  submissions: Collection<SubmissionRecord>;
  outbox: Outbox<SubmissionRecord>;
}

/** The sink of a service that takes submissions; the service starts and stops its outbox. */
export function createSubmissionOutbox(
  deps: { store: DocumentStore } & Pick<
    OutboxDeps<SubmissionRecord>,
    'bus' | 'log' | 'now' | 'insertWithEvents'
  >,
): SubmissionSink {
  const { store, ...rest } = deps;
  const submissions = store.collection<SubmissionRecord>(SUBMISSIONS);
  return { submissions, outbox: createOutbox({ ...rest, collection: submissions, render: submissionEvent }) };
}

/** Stores a submission; when this resolves it is durable and its events follow by themselves. */
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
  // One that was there has its events too.
  await insertOnce(
    { insertOne: (doc) => outbox.insert(doc), findOne: (filter) => submissions.findOne(filter) },
    record,
  );
}

/** Address and user agent, as far as the form asks for them. */
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
