import type { Collection } from '@svcforms/document-store';
import type { UserRecord } from '@svcforms/identity';
import { countMails, type MailCounterRecord } from '@svcforms/records';
import { newMail, type MailRecord } from './mail-record.ts';
import { countInWindow, WINDOW_MS, windowId, type MailWindowRecord } from './mail-windows.ts';

/** 0: no limit. */
export interface MailLimits {
  /** Emails about new submissions for each account and day (UTC). */
  dailyQuota: number;
  /** So many emails an hour about one form go to one address by themselves. */
  digestAfter: number;
}

export interface LimitMailsDeps {
  mails: Pick<Collection<MailRecord>, 'find' | 'insertMany'>;
  windows: Collection<MailWindowRecord>;
  counters: Collection<MailCounterRecord>;
  users: Pick<Collection<UserRecord>, 'find'>;
  limits: MailLimits;
  log: { warn(fields: object, message: string): void };
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** A mail about one submission. */
export type SubmissionMail = MailRecord & { subject: { kind: 'submission' } };

/** Mails that were made just before the end of an hour or a day are stored by then. */
const GRACE_MS = 5_000;
const DAY_MS = 24 * WINDOW_MS;

/**
 * Says of new mails about submissions which of them are sent by themselves, and puts the others into digests: after the first
 * ones in an hour into one at its end, over the account's quota into one at the beginning of the next day. Digests are stored
 * before what they sum up, so a crash loses nothing. docs/adr/0034
 */
export function createLimitMails(deps: LimitMailsDeps) {
  const { mails, windows, counters, users, limits, log, now } = deps;

  async function byHour(made: readonly SubmissionMail[]): Promise<Sorted> {
    const sorted: Sorted = { single: [], digested: [] };
    for (const group of groupsOf(made)) {
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

  /** How many of so many mails the account may still send today. */
  async function takeFromQuota(accountId: string, amount: number): Promise<number> {
    if (limits.dailyQuota === 0 || amount === 0) return amount;
    const total = await countMails(counters, { accountId, kind: 'submissions', amount, now: now() });
    const over = Math.min(amount, Math.max(0, total - limits.dailyQuota));
    if (over > 0) await reportQuota(accountId);
    return amount - over;
  }

  /** Tells the owners, once a day. */
  async function reportQuota(accountId: string): Promise<void> {
    const day = new Date(now()).toISOString().slice(0, 10);
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
      'the account has used up its emails of the day; further submissions go into a digest tomorrow',
    );
  }

  function tomorrow(mail: SubmissionMail): Digested {
    const midnight = (Math.floor(now() / DAY_MS) + 1) * DAY_MS;
    return { mail, digest: digestOf(mail, { key: `day ${midnight}`, now: now(), dueAt: midnight }) };
  }

  async function withinQuota(accountId: string, { single, digested }: Sorted): Promise<Sorted> {
    const allowed = await takeFromQuota(accountId, single.length);
    const late = single.slice(allowed).map(tomorrow);
    const ids = [...new Set(digested.map(({ digest }) => digest._id))];
    const known = ids.length > 0 ? await mails.find({ _id: { $in: ids } }) : [];
    const begun = new Set(known.map(({ _id }) => _id));
    const fresh = ids.filter((id) => !begun.has(id));
    const sent = new Set(fresh.slice(0, await takeFromQuota(accountId, fresh.length)));
    return {
      single: single.slice(0, allowed),
      digested: [
        ...late,
        ...digested.map((each) =>
          begun.has(each.digest._id) || sent.has(each.digest._id) ? each : tomorrow(each.mail),
        ),
      ],
    };
  }

  /** The digests, which have to be stored first; then the mails, to be sent by themselves or counted in a digest. */
  return async function limitMails(
    made: readonly SubmissionMail[],
  ): Promise<{ digests: MailRecord[]; others: MailRecord[] }> {
    const sorted = await byHour(made);
    const accounts = [...new Set(made.map(({ accountId }) => accountId))];
    const digests = new Map<string, MailRecord>();
    const others: MailRecord[] = [];
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
        others.push({ ...counted, status: 'digested', digest: digest._id });
      }
    }
    return { digests: [...digests.values()], others };
  };
}

interface Digested {
  mail: SubmissionMail;
  digest: MailRecord;
}

interface Sorted {
  single: SubmissionMail[];
  digested: Digested[];
}

function digestOf(
  { accountId, to, subject: { formId } }: SubmissionMail,
  { key, now, dueAt }: { key: string; now: number; dueAt: number },
): MailRecord {
  return newMail(
    { accountId, to, subject: { kind: 'digest', formId } },
    { key: `digest|${formId}|${key}`, now, dueAt: dueAt + GRACE_MS },
  );
}

/** By form and address. */
function groupsOf(made: readonly SubmissionMail[]): SubmissionMail[][] {
  const groups = new Map<string, SubmissionMail[]>();
  for (const mail of made) {
    const key = `${mail.subject.formId}|${mail.to}`;
    groups.set(key, [...(groups.get(key) ?? []), mail]);
  }
  return [...groups.values()];
}
