import { FIRST_ULID } from '@svcforms/contracts';
import { unsetting, type StoredDocument, type Update } from '@svcforms/document-store';
import { createHash } from 'node:crypto';
import { isTestDelivery, type DeliveryAttempt, type DeliveryRecord } from '../collections/delivery.ts';
import type { SubmissionMetadata, SubmissionRecord } from '../collections/submission.ts';
import type { TaskRecord } from '../collections/task.ts';

/** Whether the values of a document were erased. */
export const isErased = ({ erasedAt }: { erasedAt?: string | undefined }): boolean => erasedAt !== undefined;

/**
 * The update that turns a submission into its tombstone. The tombstone keeps the id, so that the
 * submission can't be inserted again, and has no form and account, so that no query finds it.
 * `found` is the stored document, if there is one.
 */
export function submissionTombstone(
  found: SubmissionRecord | undefined,
  { taskId, at }: { taskId?: string | undefined; at: string },
): Update<SubmissionRecord> {
  const madeBy = found?.metadata.taskId ?? taskId;
  return replacing<SubmissionRecord>(found, {
    accountId: '',
    formId: '',
    data: '{}',
    metadata: (madeBy === undefined ? {} : { submittedVia: 'task', taskId: madeBy }) as SubmissionMetadata,
    createdAt: found?.createdAt ?? at,
    erasedAt: found?.erasedAt ?? at,
    // Random; without it, the request that it was stored for could be repeated.
    ...(found?.tokenId === undefined ? {} : { tokenId: found.tokenId }),
  });
}

/** The update that turns a task into its tombstone. Its dedupe key stays reserved as a hash. */
export function taskTombstone(found: TaskRecord, at: string): Update<TaskRecord> {
  return replacing<TaskRecord>(found, {
    accountId: '',
    formId: '',
    prefill: '{}',
    decisionMode: found.decisionMode,
    priority: found.priority,
    rank: found.rank,
    status: 'cancelled',
    createdBy: '',
    userId: '',
    expiresAt: found.expiresAt,
    onExpiry: 'expire',
    metadata: '{}',
    history: [],
    createdAt: found.createdAt,
    erasedAt: found.erasedAt ?? at,
    ...reservedDedupe(found),
    ...slackDeletion(found, at),
  });
}

/**
 * The update that removes the values from a task whose submission was erased. Keeps the decision,
 * its user and time.
 */
export function taskWithoutValues(found: TaskRecord, at: string): Update<TaskRecord> {
  const { callback, formData, history, votes } = found;
  const isOpen = found.status === 'awaiting';
  return {
    $set: {
      prefill: '{}',
      metadata: '{}',
      ...(formData === undefined ? {} : { formData: '{}' }),
      ...(isOpen ? { status: 'cancelled', settledAt: at } : {}),
      history: history.map(({ comment: _comment, reason: _reason, ...entry }) => entry),
      ...(votes && { votes: votes.map(({ comment: _comment, ...vote }) => vote) }),
      erasedAt: found.erasedAt ?? at,
      ...reservedDedupe(found),
      ...(found.slack && { slackDue: at }),
      ...(callback && {
        'callback.attempts': withoutResponses(callback.attempts),
        ...(callback.state === 'pending' ? { 'callback.state': 'failed' } : {}),
      }),
    },
    $unset: {
      title: true,
      description: true,
      comment: true,
      rejectOptions: true,
      rejectOption: true,
      prefillHash: true,
      action: true,
      actionDigest: true,
      receipt: true,
      cancelReason: true,
      callbackDue: true,
      proposal: true,
      ...(isOpen ? { dueAt: true, followUpAt: true, slackMailAt: true } : {}),
    },
  };
}

/** What the dispatcher needs to delete the message about the task in Slack. */
function slackDeletion({ slack }: TaskRecord, at: string): Pick<TaskRecord, 'slack' | 'slackDue'> {
  return slack?.ts === undefined ? {} : { slack: { channel: slack.channel, ts: slack.ts }, slackDue: at };
}

/**
 * The update that removes the values from a delivery and cancels it unless it was delivered or is a
 * test. Keeps the attempts.
 */
export function deliveryWithoutValues(delivery: DeliveryRecord, at: string): Update<DeliveryRecord> {
  const { status, attempts, erasedAt } = delivery;
  return {
    $set: {
      body: '',
      status: status === 'delivered' || isTestDelivery(delivery) ? status : 'failed',
      attempts: withoutResponses(attempts),
      erasedAt: erasedAt ?? at,
    },
    $unset: { dueAt: true, waiting: true, owner: true, recoveredBy: true },
  };
}

/**
 * An endpoint may have echoed the values in its response, and the error of a template may quote
 * them.
 */
function withoutResponses<T extends Pick<DeliveryAttempt, 'responseBody' | 'message'>>(
  attempts: readonly T[],
): Omit<T, 'message'>[] {
  return attempts.map(({ message: _message, ...attempt }) => ({ ...attempt, responseBody: '' }));
}

/** When this account moves, it gets another id, and the hashes of its dedupe keys stay. */
const FIRST_ACCOUNT_ID = `acc_${FIRST_ULID}`;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const accountIdIn = (dedupe: string) => dedupe.slice(0, dedupe.indexOf('|'));

/**
 * All stored values that a dedupe key (`<account id>|<key>`) can have, whether its task was erased
 * or not. The hashes with `|`, which older versions stored, are also what another key can look like
 * while its task isn't erased.
 */
export function dedupeValues(dedupe: string): string[] {
  const accountId = accountIdIn(dedupe);
  const hashes = [dedupe, dedupe.replace(accountId, FIRST_ACCOUNT_ID)].map(sha256);
  return [dedupe, ...hashes.flatMap((hash) => ['#', '|'].map((mark) => `${accountId}${mark}sha256:${hash}`))];
}

/**
 * The stored value of a dedupe key (`<account id>|<key>`) whose task was erased: the key itself may
 * name a person. No key of another task is stored like this.
 */
const erasedDedupe = (dedupe: string): string => `${accountIdIn(dedupe)}#sha256:${sha256(dedupe)}`;

/**
 * What the dedupe key of an erased task looks like. Older versions left some keys of erased tasks
 * as they were.
 */
const ERASED_DEDUPE = /^[^|#]*[|#]sha256:[0-9a-f]{64}$/;

/**
 * The dedupe key that a task keeps when it is erased. One that was erased before has it already.
 */
function reservedDedupe(found: TaskRecord): Pick<TaskRecord, 'dedupe'> {
  const { dedupe } = found;
  if (dedupe === undefined) return {};
  return { dedupe: isErased(found) && ERASED_DEDUPE.test(dedupe) ? dedupe : erasedDedupe(dedupe) };
}

/** The update that leaves nothing of a document but its `_id` and the fields of the tombstone. */
function replacing<T extends StoredDocument>(
  found: T | undefined,
  tombstone: Omit<Partial<T>, '_id'>,
): Update<T> {
  const others = Object.keys(found ?? {}).filter((key) => key !== '_id' && !(key in tombstone));
  const update: Update = {
    $set: tombstone,
    ...unsetting(others),
  };
  return update;
}
