import { createHash } from 'node:crypto';
import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';
import type { WebhookNotice } from '@svcforms/records';

/** What a mail tells of. What can change or be deleted until it is sent is named, not copied. */
export type MailSubject =
  | { kind: 'submission'; formId: string; submissionId: string }
  | { kind: 'task'; formId: string; taskId: string }
  | { kind: 'webhook'; formId: string; webhookId: string; notice: WebhookNotice };

/** One e-mail to one address. It stays when it is sent, so that what is made twice is sent once. */
export interface MailRecord extends StoredDocument {
  accountId: string;
  to: string;
  subject: MailSubject;
  status: 'pending' | 'sent' | 'failed';
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
  indexes: [{ keys: ['dueAt'], sparse: true }],
};

const KEPT_MS = 30 * 24 * 3600_000;

/** A mail to be sent now. The same `key` and address give the same id. */
export function newMail(
  mail: Pick<MailRecord, 'accountId' | 'to' | 'subject'>,
  { key, now }: { key: string; now: number },
): MailRecord {
  const at = new Date(now).toISOString();
  return {
    _id: `mail_${createHash('sha256').update(`${key}|${mail.to}`).digest('hex').slice(0, 32)}`,
    ...mail,
    status: 'pending',
    attempts: 0,
    dueAt: at,
    createdAt: at,
    expireAt: new Date(now + KEPT_MS).toISOString(),
  };
}
