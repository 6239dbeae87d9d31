import { createHash } from 'node:crypto';
import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';
import type { UserNotice } from '@svcforms/identity';
import type { WebhookNotice } from '@svcforms/records';

/** What a mail tells of. What can change or be deleted until it is sent is named, not copied. */
export type MailSubject =
  | { kind: 'submission'; formId: string; submissionId: string }
  | { kind: 'digest'; formId: string }
  | { kind: 'task'; formId: string; taskId: string }
  | { kind: 'webhook'; formId: string; webhookId: string; notice: WebhookNotice }
  | { kind: 'verification'; addressId: string }
  | { kind: 'quota'; day: string }
  | { kind: 'user'; notice: Pick<UserNotice, 'kind' | 'at'> };

/** One e-mail to one address. It stays when it is sent, so that what is made twice is sent once. */
export interface MailRecord extends StoredDocument {
  accountId: string;
  to: string;
  subject: MailSubject;
  /** `digested`: not sent by itself, but counted in the mail that `digest` names. */
  status: 'pending' | 'sent' | 'failed' | 'digested';
  digest?: string;
  attempts: number;
  /** What the last attempt ended with. */
  error?: string;
  /** When it has to be sent, or when the lease of the process that is at it ends. ISO 8601; absent at the end. */
  dueAt?: string;
  /** Who is at it. */
  owner?: string;
  createdAt: string;
  expireAt: string;
}

export const MAILS: CollectionSpec = {
  name: 'mails',
  expireAt: 'expireAt',
  indexes: [
    { keys: ['dueAt'], sparse: true },
    { keys: ['digest'], sparse: true },
    { keys: ['subject.submissionId'], sparse: true },
    { keys: ['subject.taskId'], sparse: true },
  ],
};

const KEPT_MS = 30 * 24 * 3600_000;

/** A mail to be sent now, or at `dueAt`. The same `key` and address give the same id. */
export function newMail<S extends MailSubject>(
  mail: Pick<MailRecord, 'accountId' | 'to'> & { subject: S },
  { key, now, dueAt = now }: { key: string; now: number; dueAt?: number },
): MailRecord & { subject: S } {
  const at = new Date(now).toISOString();
  return {
    _id: `mail_${createHash('sha256').update(`${key}|${mail.to}`).digest('hex').slice(0, 32)}`,
    ...mail,
    status: 'pending',
    attempts: 0,
    dueAt: new Date(dueAt).toISOString(),
    createdAt: at,
    expireAt: new Date(now + KEPT_MS).toISOString(),
  };
}

/** Ids of what a mail tells of. */
export function idsIn(subject: MailSubject): string[] {
  return Object.entries(subject).flatMap(([key, value]) =>
    key.endsWith('Id') && typeof value === 'string' ? [value] : [],
  );
}
