import type { Collection } from '@svcforms/document-store';
import type { UserRecord } from '@svcforms/identity';
import { DAY_MS, isoTime, type Clock, type Logger } from '@svcforms/primitives';
import { countMails, type MailCounterRecord } from '@svcforms/records';
import { digestOf, type SubmissionMail } from './digests.ts';
import { newMail, type MailRecord } from './mail-record.ts';
import { countInWindow, WINDOW_MS, windowId, type MailWindowRecord } from './mail-windows.ts';

/** 0: no limit. */
export interface MailLimits {
  /** Emails about new submissions for each account and day (UTC). */
  dailyQuota: number;
  /**
   * How many emails per hour about one form one address gets before the rest goes into a digest.
   */
  digestAfter: number;
}

interface LimitMailsDeps {
  mails: Pick<Collection<MailRecord>, 'find' | 'insertMany'>;
  windows: Collection<MailWindowRecord>;
  counters: Collection<MailCounterRecord>;
  users: Pick<Collection<UserRecord>, 'find'>;
  limits: MailLimits;
  log: Pick<Logger, 'warn'>;
  now: Clock;
}

/**
 * Decides which new emails about submissions are sent separately, and puts the others into digests:
 * after the first ones in an hour into a digest at its end, above the account's quota into one at
 * the start of the next day (UTC). Digests are stored before the emails that they count, so a crash
 * loses nothing. ADR 0034
 */
export function createLimitMails(deps: LimitMailsDeps): LimitMails {
  const { mails, windows, counters, users, limits, log, now } = deps;

  async function byHour(queued: readonly SubmissionMail[]): Promise<Sorted> {
    const sorted: Sorted = { single: [], digested: [] };
    for (const group of groupsOf(queued)) {
      const [first] = group;
      if (!first || limits.digestAfter === 0) {
        sorted.single.push(...group);
        continue;
      }
      const id = windowId(first.subject.formId, first.to);
      const { startedAt, before } = await countInWindow(windows, { id, amount: group.length, now: now() });
      const left = Math.max(0, limits.digestAfter - before);
      sorted.single.push(...group.slice(0, left));
      const digest = digestOf(first, { key: String(startedAt), now: now(), dueAt: startedAt + WINDOW_MS });
      for (const mail of group.slice(left)) sorted.digested.push({ mail, digest });
    }
    return sorted;
  }

  /** Counts emails and returns how many of them the account may still send on the day of `at`. */
  async function takeFromQuota(accountId: string, amount: number, at: number): Promise<number> {
    if (limits.dailyQuota === 0 || amount === 0) return amount;
    const total = await countMails(counters, { accountId, kind: 'submissions', amount, now: at });
    const over = Math.min(amount, Math.max(0, total - limits.dailyQuota));
    if (over > 0) await reportQuota(accountId, at);
    return amount - over;
  }

  /** Notifies the owners once a day. */
  async function reportQuota(accountId: string, at: number): Promise<void> {
    const day = isoTime(at).slice(0, 10);
    const owners = await users.find({ accountId, role: 'owner' });
    const notices = owners.map(({ email }) =>
      newMail(
        { accountId, to: email, subject: { kind: 'quota', day } },
        { key: `${accountId}|quota|${day}`, now: now() },
      ),
    );
    const { inserted } = notices.length > 0 ? await mails.insertMany(notices) : { inserted: [] };
    if (inserted.length === 0 && owners.length > 0) return;
    log.warn(
      { event: 'mail.quota_reached', accountId, quota: limits.dailyQuota },
      'daily email quota reached; further submissions go into a digest tomorrow',
    );
  }

  /** Counts the email in the digest at the end of the day of `at`. */
  function nextDay(mail: SubmissionMail, at: number): Digested {
    const midnight = (Math.floor(at / DAY_MS) + 1) * DAY_MS;
    return { mail, digest: digestOf(mail, { key: `day ${midnight}`, now: now(), dueAt: midnight }) };
  }

  async function withinQuota(accountId: string, { single, digested }: Sorted): Promise<Sorted> {
    // One time for all: if midnight passed in between, the digest would be a day late.
    const at = now();
    const allowed = await takeFromQuota(accountId, single.length, at);
    const late = single.slice(allowed).map((mail) => nextDay(mail, at));
    const ids = [...new Set(digested.map(({ digest }) => digest._id))];
    const known = ids.length > 0 ? await mails.find({ _id: { $in: ids } }) : [];
    const begun = new Set(known.map(({ _id }) => _id));
    const fresh = ids.filter((id) => !begun.has(id));
    const sent = new Set(fresh.slice(0, await takeFromQuota(accountId, fresh.length, at)));
    return {
      single: single.slice(0, allowed),
      digested: [
        ...late,
        ...digested.map((each) =>
          begun.has(each.digest._id) || sent.has(each.digest._id) ? each : nextDay(each.mail, at),
        ),
      ],
    };
  }

  return async function limitMails(queued) {
    const sorted = await byHour(queued);
    const accounts = [...new Set(queued.map(({ accountId }) => accountId))];
    const digests = new Map<string, MailRecord>();
    const others: SubmissionMail[] = [];
    for (const accountId of accounts) {
      const own = {
        single: sorted.single.filter((mail) => mail.accountId === accountId),
        digested: sorted.digested.filter(({ mail }) => mail.accountId === accountId),
      };
      const { single, digested } = await withinQuota(accountId, own);
      others.push(...single);
      for (const { mail, digest } of digested) {
        digests.set(digest._id, digest);
        const { dueAt: _, ...counted } = mail;
        others.push({ ...counted, status: 'digested', digest: digest._id, isCounted: false });
      }
    }
    return { digests: [...digests.values()], others };
  };
}

/**
 * Returns the digests, which must be stored first, and the emails, each sent separately or counted
 * in a digest.
 */
export type LimitMails = (
  queued: readonly SubmissionMail[],
) => Promise<{ digests: MailRecord[]; others: SubmissionMail[] }>;

interface Digested {
  mail: SubmissionMail;
  digest: MailRecord;
}

interface Sorted {
  single: SubmissionMail[];
  digested: Digested[];
}

/** Groups emails by form and address. */
function groupsOf(queued: readonly SubmissionMail[]): SubmissionMail[][] {
  const groups = new Map<string, SubmissionMail[]>();
  for (const mail of queued) {
    const key = `${mail.subject.formId}|${mail.to}`;
    groups.set(key, [...(groups.get(key) ?? []), mail]);
  }
  return [...groups.values()];
}
