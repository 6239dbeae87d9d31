import { createHash } from 'node:crypto';
import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';
import type { UserNotice } from '@svcforms/identity';
import { DAY_MS, isoTime } from '@svcforms/primitives';
import type { TaskNotice, WebhookNotice } from '@svcforms/records';

/**
 * What an email is about. It holds ids instead of copies of what can change or be deleted before
 * the email is sent.
 */
type MailSubject =
  | { kind: 'submission'; formId: string; submissionId: string }
  | { kind: 'digest'; formId: string }
  /** `userId`: the recipient; absent in emails that older versions queued. */
  | { kind: 'task'; formId: string; taskId: string; userId?: string }
  | { kind: 'task_notice'; formId: string; taskId: string; notice: TaskNotice['kind']; userId?: string }
  /** Without a form for an account webhook. */
  | { kind: 'webhook'; formId?: string; webhookId: string; notice: WebhookNotice }
  | { kind: 'verification'; addressId: string }
  | { kind: 'quota'; day: string }
  | { kind: 'password_reset'; userId: string; expiresAt: string }
  | { kind: 'invitation'; invitationId: string; sentAt: string }
  | { kind: 'user'; notice: Pick<UserNotice, 'kind' | 'at'> };

/** The subject of a kind. */
export type SubjectOf<K extends MailSubject['kind']> = Extract<MailSubject, { kind: K }>;

/**
 * One email to one address in the mail outbox. It stays after it was sent, so that an email that is
 * queued twice is sent once.
 */
export interface MailRecord extends StoredDocument {
  accountId: string;
  to: string;
  subject: MailSubject;
  /** `digested`: not sent separately, but counted in the email with the id `digest`. */
  status: 'pending' | 'sent' | 'failed' | 'digested';
  digest?: string;
  /**
   * With `digest`: whether that email has counted this one, which can't move to another digest
   * then. Absent in emails that older versions queued.
   */
  isCounted?: boolean;
  attempts: number;
  /** The error of the last attempt. */
  error?: string;
  /**
   * When it must be sent, or when the lease of the process that sends it expires. ISO 8601; absent
   * at the end.
   */
  dueAt?: string;
  /** The process that has the lease. */
  owner?: string;
  createdAt: string;
  expireAt: string;
}

export const MAILS: CollectionSpec<MailRecord> = {
  name: 'mails',
  expireAt: 'expireAt',
  indexes: [
    { keys: ['dueAt'], sparse: true },
    { keys: ['subject.kind', 'dueAt'], sparse: true },
    { keys: ['accountId', 'dueAt'], sparse: true },
    { keys: ['digest'], sparse: true },
    { keys: ['subject.submissionId'], sparse: true },
    { keys: ['subject.taskId'], sparse: true },
  ],
};

/**
 * Emails that one person waits for or must read soon. Their number is limited, so the others wait
 * little for them.
 */
export const URGENT_KINDS = [
  'password_reset',
  'invitation',
  'verification',
  'user',
] as const satisfies readonly MailSubject['kind'][];

const KEPT_MS = 30 * DAY_MS;

/**
 * Creates an email that is due now or at `dueAt`. The same `key` and address lead to the same id.
 */
export function newMail<S extends MailSubject>(
  mail: Pick<MailRecord, 'accountId' | 'to'> & { subject: S },
  { key, now, dueAt = now }: { key: string; now: number; dueAt?: number },
): MailRecord & { subject: S } {
  const at = isoTime(now);
  return {
    _id: `mail_${createHash('sha256').update(`${key}|${mail.to}`).digest('hex').slice(0, 32)}`,
    ...mail,
    status: 'pending',
    attempts: 0,
    dueAt: isoTime(dueAt),
    createdAt: at,
    expireAt: isoTime(now + KEPT_MS),
  };
}

/** The kind of the subject and its ids by name, for log lines. */
export function logIdsIn(subject: MailSubject): Record<string, unknown> {
  return Object.fromEntries(Object.entries(subject).filter(([key]) => key === 'kind' || key.endsWith('Id')));
}

/** Returns the ids that the subject holds. */
export function idsIn(subject: MailSubject): string[] {
  return Object.entries(subject).flatMap(([key, value]) =>
    key.endsWith('Id') && typeof value === 'string' ? [value] : [],
  );
}
