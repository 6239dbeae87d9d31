import { randomUUID } from 'node:crypto';
import type { Collection } from '@svcforms/document-store';
import type { ComposeMail } from './compose-mail.ts';
import { idsIn, type MailRecord } from './mail-record.ts';
import type { Mailer } from './mailer.ts';

/** Longer than a mail server may take in all. */
const LEASE_MS = 120_000;
const AT_ONCE = 4;

export interface PostOfficeDeps {
  mails: Collection<MailRecord>;
  compose: ComposeMail;
  mailer: Pick<Mailer, 'send'>;
  /** Pauses between the attempts to send a mail; one attempt more than there are pauses. */
  retryScheduleSeconds: readonly number[];
  log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
  /** Starts no more mails. */
  signal: AbortSignal;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * Sends the mails that are due, a few at once. A mail belongs to the process that took its lease, so replicas don't send it
 * both; one whose process died comes free again. It is sent once, unless the process dies in the moment between the server's
 * answer and the note of it: then again, under the same `Message-ID`.
 */
export function createPostOffice(deps: PostOfficeDeps): () => Promise<void> {
  const { mails, compose, mailer, retryScheduleSeconds, log, signal, now } = deps;
  const owner = randomUUID();
  const iso = (time: number) => new Date(time).toISOString();

  return async function sendDue() {
    // Most of the time there is nothing, and looking costs less than taking.
    if (!(await mails.findOne({ dueAt: { $exists: true, $lte: iso(now()) } }))) return;
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  };

  async function lane(): Promise<void> {
    while (!signal.aborted) {
      const mail = await mails.findOneAndUpdate(
        { dueAt: { $exists: true, $lte: iso(now()) } },
        { $set: { owner, dueAt: iso(now() + LEASE_MS) }, $inc: { attempts: 1 } },
        { sort: ['dueAt'], returning: 'after' },
      );
      if (!mail) return;
      await handle(mail);
    }
  }

  async function handle(mail: MailRecord): Promise<void> {
    const ids = {
      mailId: mail._id,
      accountId: mail.accountId,
      kind: mail.subject.kind,
      attempt: mail.attempts,
    };
    try {
      const message = await compose(mail);
      if (message === null) {
        await mails.deleteOne({ _id: mail._id, owner });
        log.info({ event: 'mail.dropped', ...ids }, 'what the mail was to tell of is gone');
        return;
      }
      const sentTo = await mailer.send({
        id: mail._id,
        about: idsIn(mail.subject),
        to: mail.to,
        date: mail.createdAt,
        ...message,
      });
      await end(mail, { status: 'sent' });
      log.info({ event: 'mail.sent', ...ids, sentTo }, 'mail sent');
    } catch (error) {
      const { message, isFinal } = error as { message: string; isFinal?: boolean };
      const pause = isFinal ? undefined : retryScheduleSeconds[mail.attempts - 1];
      if (pause === undefined) {
        await end(mail, { status: 'failed', error: message });
        log.error({ event: 'mail.failed', ...ids, err: error }, 'a mail can not be sent; it is given up');
      } else {
        await mails.updateOne(
          { _id: mail._id, owner },
          { $set: { error: message, dueAt: iso(now() + pause * 1000) }, $unset: { owner: true } },
        );
        log.warn(
          { event: 'mail.waiting', ...ids, err: error },
          'a mail could not be sent; it is tried again',
        );
      }
    }
  }

  async function end({ _id }: MailRecord, values: Pick<MailRecord, 'status' | 'error'>): Promise<void> {
    await mails.updateOne({ _id, owner }, { $set: { ...values }, $unset: { dueAt: true, owner: true } });
  }
}
