import { AppError, isWebhookEventType } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import {
  DELIVERIES,
  deliveryId,
  erasedEventsOfSubmission,
  erasedEventsOfTask,
  isErased,
  SUBMISSIONS,
  TASKS,
  WEBHOOKS,
  type DeliveryRecord,
  type ErasedEvent,
  type SubmissionRecord,
  type TaskRecord,
  type WebhookRecord,
} from '@svcforms/records';
import { DEAD_LETTERS, MAILS, type MailRecord } from '@svcforms/webhook-dispatcher/collections';

interface Attempt {
  at: string;
  status?: number;
  error?: string;
  durationMs: number;
}

/**
 * Follows a submission from its acceptance over its events to each attempt, and returns it as lines
 * of text, without submitted values. The ids of events and deliveries are derived, so the few
 * documents are read by id.
 *
 * @throws AppError `NOT_FOUND`
 */
export async function traceSubmission(store: DocumentStore, id: string): Promise<string[]> {
  const submission = await store.collection(SUBMISSIONS).findOne({ _id: id });
  if (!submission) throw new AppError('NOT_FOUND', `There is no submission ${id} in this store`);
  if (isErased(submission)) return [`${id} was erased at ${submission.erasedAt}; only its id is stored`];
  const { taskId } = submission.metadata;
  const task = taskId === undefined ? null : await store.collection(TASKS).findOne({ _id: taskId });
  const events = [
    ...erasedEventsOfSubmission(submission, task ?? undefined),
    ...(task && !isErased(task) ? erasedEventsOfTask(task) : []),
  ];
  const owners = [submission.formId, submission.accountId];
  const webhooks = await store.collection(WEBHOOKS).find({ formId: { $in: owners } });
  const deliveries = await deliveriesOf(store, events, webhooks);
  const pending = new Set(
    [submission, task].flatMap((of) => of?.pendingEvents ?? []).map((event) => event.id),
  );
  return [
    ...acceptedLines(submission, [...deliveries.values()]),
    ...events
      .toSorted((one, other) => one.timestamp.localeCompare(other.timestamp))
      .flatMap((event) => eventLines(event, { isPending: pending.has(event.id), webhooks, deliveries })),
    ...(task ? callbackLines(task) : []),
    ...(await mailLines(store, id)),
    ...(await deadLetterLines(store, events)),
  ];
}

async function deliveriesOf(
  store: DocumentStore,
  events: readonly ErasedEvent[],
  webhooks: readonly WebhookRecord[],
): Promise<Map<string, DeliveryRecord>> {
  const ids = events.flatMap((event) => webhooks.map((webhook) => deliveryId(event.id, webhook._id)));
  if (ids.length === 0) return new Map();
  const found = await store.collection(DELIVERIES).find({ _id: { $in: ids } });
  return new Map(found.map((delivery) => [delivery._id, delivery]));
}

function acceptedLines(
  {
    _id,
    accountId,
    formId,
    createdAt,
    metadata,
    pendingEvents,
    quarantineKey,
    quarantineReason,
    releasedAt,
  }: SubmissionRecord,
  deliveries: readonly DeliveryRecord[],
): string[] {
  const requestId = [...(pendingEvents ?? []), ...deliveries].find((each) => each.requestId)?.requestId;
  const origin = metadata.taskId ?? (requestId === undefined ? undefined : `request ${requestId}`);
  return [
    `${_id} of ${formId}, ${accountId}`,
    `${createdAt} accepted by ${metadata.submittedVia}${origin === undefined ? '' : `, ${origin}`}`,
    ...(quarantineKey === undefined
      ? []
      : [`in quarantine (${quarantineReason}): no events until somebody releases it`]),
    ...(releasedAt === undefined ? [] : [`${releasedAt} released from quarantine`]),
  ];
}

function eventLines(
  event: ErasedEvent,
  found: { isPending: boolean; webhooks: readonly WebhookRecord[]; deliveries: Map<string, DeliveryRecord> },
): string[] {
  const state = found.isPending ? 'pending: waits in the store for the event bus' : 'published';
  const lines = found.webhooks.flatMap((webhook) => {
    const delivery = found.deliveries.get(deliveryId(event.id, webhook._id));
    return delivery ? deliveryLines(delivery, webhook) : [];
  });
  const isMissing = lines.length === 0 && !found.isPending && isWebhookEventType(event.type);
  return [
    `${event.timestamp} event ${event.id} ${event.type} ${state}`,
    ...(isMissing
      ? [
          '  no delivery: no webhook is subscribed, the dispatcher has not read it yet, or the delivery expired',
        ]
      : lines),
  ];
}

function deliveryLines(delivery: DeliveryRecord, { url }: WebhookRecord): string[] {
  const { _id, createdAt, webhookId, status, attempts, dueAt } = delivery;
  const next = status === 'pending' && dueAt !== undefined ? `, next attempt at ${dueAt}` : '';
  return [
    // The path of a webhook URL may contain a token.
    `  ${createdAt} delivery ${_id} to ${webhookId} (${new URL(url).origin}) ${status}${next}`,
    ...attemptLines(attempts),
  ];
}

function attemptLines(attempts: readonly Attempt[]): string[] {
  return attempts.map(({ at, status, error, durationMs }, index) => {
    const result = status === undefined ? (error ?? 'no response') : `status ${status}`;
    return `    ${at} attempt ${index + 1}: ${result} after ${durationMs} ms`;
  });
}

function callbackLines({ _id, callback }: TaskRecord): string[] {
  if (!callback) return [];
  const { url, state, attempts } = callback;
  return [`callback of ${_id} (${new URL(url).origin}) ${state}`, ...attemptLines(attempts)];
}

async function mailLines(store: DocumentStore, submissionId: string): Promise<string[]> {
  const mails = store.collection(MAILS);
  const own = await mails.find({ 'subject.submissionId': submissionId }, { sort: ['createdAt'] });
  const digestIds = own.flatMap(({ digest }) => digest ?? []);
  const digests = digestIds.length === 0 ? [] : await mails.find({ _id: { $in: digestIds } });
  return [...own, ...digests].map(mailLine);
}

function mailLine({
  _id,
  to,
  createdAt,
  status,
  digest,
  attempts,
  dueAt,
  error,
  subject,
}: MailRecord): string {
  const what = subject.kind === 'digest' ? 'digest email' : 'email';
  const facts = [
    digest === undefined ? status : `counted in ${digest}`,
    ...(digest === undefined ? [`attempts: ${attempts}`] : []),
    ...(status === 'pending' && dueAt !== undefined ? [`next attempt at ${dueAt}`] : []),
    ...(error === undefined ? [] : [`last error: ${error}`]),
  ];
  return `${createdAt} ${what} ${_id} to ${to}: ${facts.join(', ')}`;
}

/** There are few dead letters, because each is a failure to investigate. */
async function deadLetterLines(store: DocumentStore, events: readonly ErasedEvent[]): Promise<string[]> {
  const ids = new Set<string>(events.map((event) => event.id));
  const letters = await store.collection(DEAD_LETTERS).find({});
  return letters.flatMap(({ _id, at, reason, event }) => {
    const { id } = JSON.parse(event) as { id: string };
    return ids.has(id) ? [`${at} event ${id} could not be processed (dead letter ${_id}): ${reason}`] : [];
  });
}
