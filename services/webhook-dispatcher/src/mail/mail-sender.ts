import { randomUUID } from 'node:crypto';
import type { Collection, Filter, SortKeys } from '@svcforms/document-store';
import { isoTime, LOOK_AHEAD_MS, type Clock, type Logger } from '@svcforms/primitives';
import { createAccountTurns } from '../store/account-turns.ts';
import { runWorkers } from '../jobs/run-workers.ts';
import type { StoreRetry } from '../store/store-retry.ts';
import type { ComposeMail } from './compose-mail.ts';
import { idsIn, logIdsIn, URGENT_KINDS, type MailRecord } from './mail-record.ts';
import type { Mailer } from './mailer.ts';

/**
 * Longer than an email takes at worst: it waits for another to be sent on the same connection, and
 * the server spends the whole response time on each of them.
 */
const LEASE_MS = 120_000;
const CONCURRENCY = 4;

/**
 * What became of an attempt: `refused` is final, because of the server's response; `failed`,
 * because no retry is left; `dropped`, because the subject no longer exists.
 */
export type MailOutcome = 'sent' | 'retry' | 'refused' | 'failed' | 'dropped';

interface MailSenderDeps {
  mails: Pick<Collection<MailRecord>, 'findOne' | 'findOneAndUpdate' | 'updateOne' | 'deleteOne'>;
  compose: ComposeMail;
  mailer: Pick<Mailer, 'send'>;
  /** The pauses between attempts. There is one attempt more than there are pauses. */
  retryScheduleSeconds: readonly number[];
  /** Stores what became of an email. */
  retryResult: StoreRetry;
  countMail: (outcome: MailOutcome) => void;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** No more emails start when it aborts. */
  signal: AbortSignal;
  now: Clock;
}

/**
 * Sends the emails that are due, a few at once and the urgent ones first; returns when the first
 * one is or was due. A process sends only emails that it has leased, so replicas never send the
 * same one, and the lease of a dead process expires. An email is sent twice only if the lease ends
 * between the server's response and the update, because the process died, the store failed for
 * longer, or the server took its time for several responses, and then with the same `Message-ID`.
 * ADR 0015
 */
export function createMailSender(deps: MailSenderDeps): () => Promise<string | undefined> {
  const { mails, compose, mailer, retryScheduleSeconds, retryResult, countMail, log, signal, now } = deps;
  const owner = randomUUID();
  /** The emails that this process is sending, or whose result it is storing. */
  const inFlight = new Set<string>();
  const leaseInTurn = createAccountTurns((of) => lease(of, ['accountId', 'dueAt']));
  const iso = (time: number) => isoTime(time);

  return async function sendDue() {
    // Usually nothing is due, and a query costs less than an update.
    const first = await mails.findOne(
      { dueAt: { $exists: true, $lte: iso(now() + LOOK_AHEAD_MS) } },
      { sort: ['dueAt'] },
    );
    if (first?.dueAt !== undefined && first.dueAt <= iso(now())) await runWorkers(CONCURRENCY, sendOneByOne);
    return first?.dueAt;
  };

  async function sendOneByOne(): Promise<void> {
    while (!signal.aborted) {
      const mail = await claim();
      if (!mail) return;
      // Its lease ended while its result couldn't be stored, and is renewed now.
      if (inFlight.has(mail._id)) continue;
      inFlight.add(mail._id);
      await send(mail).finally(() => inFlight.delete(mail._id));
    }
  }

  /**
   * Urgent emails come first. Among the others, accounts take turns, so that none waits for all
   * emails of another.
   */
  async function claim(): Promise<MailRecord | null> {
    const urgent = await lease({ 'subject.kind': { $in: URGENT_KINDS } }, ['dueAt']);
    return urgent ?? leaseInTurn();
  }

  function lease(which: Filter<MailRecord>, sort: SortKeys<MailRecord>): Promise<MailRecord | null> {
    return mails.findOneAndUpdate(
      { ...which, dueAt: { $exists: true, $lte: iso(now()) } },
      { $set: { owner, dueAt: iso(now() + LEASE_MS) }, $inc: { attempts: 1 } },
      { sort, returning: 'after' },
    );
  }

  async function send(mail: MailRecord): Promise<void> {
    const ids = {
      mailId: mail._id,
      accountId: mail.accountId,
      ...logIdsIn(mail.subject),
      attempt: mail.attempts,
    };
    let sentTo: string | null;
    try {
      const message = await compose(mail);
      sentTo =
        message &&
        (await mailer.send({
          id: mail._id,
          about: idsIn(mail.subject),
          to: mail.to,
          // A digest was queued up to a day ago, and counts what was queued until now.
          date: mail.subject.kind === 'digest' ? iso(now()) : mail.createdAt,
          ...message,
        }));
    } catch (error) {
      const { message, isFinal } = error as { message: string; isFinal?: boolean };
      const pause = isFinal ? undefined : retryScheduleSeconds[mail.attempts - 1];
      if (pause === undefined) {
        await finish(mail, { status: 'failed', error: message });
        countMail(isFinal ? 'refused' : 'failed');
        log.error({ event: 'mail.failed', ...ids, err: error }, 'email not sent; giving up');
      } else {
        await postpone(mail, { error: message, dueAt: iso(now() + pause * 1000) });
        countMail('retry');
        log.warn({ event: 'mail.waiting', ...ids, err: error }, 'email not sent; retrying');
      }
      return;
    }
    if (sentTo === null) {
      await retryResult(() => mails.deleteOne({ _id: mail._id, owner }));
      countMail('dropped');
      log.info({ event: 'mail.dropped', ...ids }, 'the subject of the email no longer exists; email dropped');
      return;
    }
    await finish(mail, { status: 'sent' });
    countMail('sent');
    log.info({ event: 'mail.sent', ...ids, sentTo }, 'email sent');
  }

  async function finish({ _id }: MailRecord, values: Pick<MailRecord, 'status' | 'error'>): Promise<void> {
    const update = { $set: { ...values }, $unset: { dueAt: true, owner: true } } as const;
    await retryResult(() => mails.updateOne({ _id, owner }, update));
  }

  async function postpone({ _id }: MailRecord, values: Pick<MailRecord, 'error' | 'dueAt'>): Promise<void> {
    const update = { $set: { ...values }, $unset: { owner: true } } as const;
    await retryResult(() => mails.updateOne({ _id, owner }, update));
  }
}
