import type { StoredDocument } from '@svcforms/document-store';
import { INVITATIONS, USERS } from '@svcforms/identity';
import {
  DELIVERIES,
  NOTIFICATION_ADDRESSES,
  PENDING_TASK_FIELDS,
  RECOVERIES,
  SUBMISSIONS,
  TASKS,
  WEBHOOKS,
  type DeliveryRecord,
  type TaskRecord,
} from '@svcforms/records';
import { MAILS, type MailRecord } from '@svcforms/webhook-dispatcher/collections';

/** Why work that is in progress elsewhere has ended here. */
const REASON = 'moved: the other installation continues it';
const UNFINISHED_DELIVERY: readonly string[] = ['pending', 'delivering', 'held'];

type Rest = (document: StoredDocument, at: string) => StoredDocument | null;

/** Removes top-level fields. */
function without(document: StoredDocument, ...fields: string[]): StoredDocument {
  const kept = Object.entries(document).filter(([field]) => !fields.includes(field));
  return Object.fromEntries(kept) as unknown as StoredDocument;
}

const withoutEvents = (document: StoredDocument) => without(document, 'pendingEvents', 'pendingKey');
const withoutNotices = (document: StoredDocument) => without(document, 'notices', 'noticesAt');

const REST: Readonly<Record<string, Rest>> = {
  [SUBMISSIONS.name]: withoutEvents,
  [TASKS.name]: (document, at) => taskAtRest(withoutNotices(withoutEvents(document)) as TaskRecord, at),
  [DELIVERIES.name](document) {
    const { status } = document as DeliveryRecord;
    if (!UNFINISHED_DELIVERY.includes(status)) return document;
    return Object.assign(without(document, 'dueAt', 'waiting', 'owner'), { status: 'failed' });
  },
  [MAILS.name](document) {
    const { status } = document as MailRecord;
    // Without the mark it doesn't move to another digest.
    if (status === 'digested') return without(document, 'isCounted');
    if (status !== 'pending') return document;
    return Object.assign(without(document, 'dueAt', 'owner'), { status: 'failed', error: REASON });
  },
  [RECOVERIES.name]: () => null,
  [USERS.name]: withoutNotices,
  [WEBHOOKS.name]: withoutNotices,
  [INVITATIONS.name]: (document) => without(document, 'mailOwedAt'),
  [NOTIFICATION_ADDRESSES.name]: (document) => without(document, 'mailOwedAt'),
};

/**
 * A document of which nothing follows anymore: no event, request or email. Failed deliveries can be
 * recovered, and callbacks redelivered. `null`: the document itself is work. docs/adr/0061
 */
export function atRest(collection: string, document: StoredDocument, at: string): StoredDocument | null {
  return REST[collection]?.(document, at) ?? (collection === RECOVERIES.name ? null : document);
}

/** Whether work follows from the document: a delivery, a task or an email that isn't finished. */
export function isInProgress(collection: string, document: StoredDocument): boolean {
  if (collection === DELIVERIES.name)
    return UNFINISHED_DELIVERY.includes((document as DeliveryRecord).status);
  if (collection === MAILS.name) return (document as MailRecord).status === 'pending';
  if (collection !== TASKS.name) return false;
  const { status, callbackDue } = document as TaskRecord;
  return status === 'awaiting' || callbackDue !== undefined;
}

function taskAtRest(task: TaskRecord, at: string): StoredDocument {
  const { callback, history, status } = task;
  const isOpen = status === 'awaiting';
  const isUnsent = callback?.state === 'pending' || callback?.state === 'sending';
  return {
    ...(without(task, 'callbackDue', 'slackDue', ...PENDING_TASK_FIELDS) as TaskRecord),
    ...(isOpen && {
      status: 'cancelled',
      settledAt: at,
      cancelReason: REASON,
      history: [...history, { at, event: 'cancelled', reason: REASON }],
    }),
    ...(callback && isUnsent && { callback: { ...callback, state: 'failed' } }),
  } as StoredDocument;
}
