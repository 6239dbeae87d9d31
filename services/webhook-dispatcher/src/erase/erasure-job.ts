import type { BusEvent } from '@svcforms/contracts';
import type { Collection, DocumentStore, Filter } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import { isoTime, keysetPages, LOOK_AHEAD_MS, type Clock, type Logger } from '@svcforms/primitives';
import { openErasures, type Eraser, type ErasureRecord } from '@svcforms/records';
import { eraseDeadLetters, type DeadLetterRecord } from '../fan-out/dead-letters.ts';
import type { MailRecord } from '../mail/mail-record.ts';
import type { Mailer } from '../mail/mailer.ts';

/** Another process takes over a pass that takes longer. */
const LEASE_MS = 60_000;
/** Longer than a consumer may process an event that it received before the erasure. */
const SECOND_PASS_AFTER_MS = 35_000;
/**
 * Every process applies records this young to itself: what it reads later is already erased in the
 * store.
 */
const LOCAL_AGE_MS = 15_000;
const RETRY_MS = 2_000;
const MAX_CLAIMED = 20;
/** A form or an account may have hundreds of thousands of emails. */
const MAILS_PER_PAGE = 500;

interface ErasureJobDeps {
  erasures: Collection<ErasureRecord>;
  mails: Collection<MailRecord>;
  deadLetters: Collection<DeadLetterRecord>;
  eraser: Pick<Eraser, 'apply'>;
  bus: Pick<EventBus, 'erase'>;
  store: Pick<DocumentStore, 'scrub'>;
  mailer: Pick<Mailer, 'erase'>;
  /** Drops deliveries of these events from memory. */
  dropErased: (eventIds: ReadonlySet<string>) => void;
  log: Pick<Logger, 'info'>;
  now: Clock;
}

interface ErasureJob {
  /**
   * Applies open records to this process: to deliveries in memory and emails in its folder. Every
   * process does this. Returns since when a record is open, if one is.
   */
  applyLocally(): Promise<string | undefined>;
  /**
   * Applies records to what all processes share: the event log, mail records, dead letters, and the
   * store again. One process does this. Returns when the first record is or was due. Deferred ones
   * have a call of their own, because they take long.
   */
  applyShared(which?: { deferred: boolean }): Promise<string | undefined>;
}

/**
 * Finishes erasures. Each record gets two passes: one now, and one when no process can have data
 * anymore that it read before the first. A crash or an outage only delays it. ADR 0028
 */
export function createErasureJob(deps: ErasureJobDeps): ErasureJob {
  const { erasures, deadLetters, eraser, bus, store, mailer, dropErased, log, now } = deps;
  /**
   * Records whose emails this process has removed from its folder, with their size then: a record
   * may gain submissions.
   */
  let removedFiles: ReadonlySet<string> = new Set();

  async function claim(which: Filter<ErasureRecord>): Promise<ErasureRecord[]> {
    const claimed: ErasureRecord[] = [];
    while (claimed.length < MAX_CLAIMED) {
      const record = await erasures.findOneAndUpdate(
        { ...which, dueAt: { $exists: true, $lte: isoTime(now()) } },
        { $set: { dueAt: isoTime(now() + LEASE_MS) } },
        { sort: ['dueAt'] },
      );
      if (!record) break;
      claimed.push(record);
    }
    return claimed;
  }

  /**
   * A record that fails, for example because it deletes too much at once, doesn't delay the others.
   * Only an outage, in which its retry can't be stored either, ends the pass.
   */
  async function pass(records: readonly ErasureRecord[]): Promise<void> {
    const applied: ErasureRecord[] = [];
    const failures: unknown[] = [];
    for (const record of records) {
      try {
        await applyOne(record);
        applied.push(record);
      } catch (error) {
        if (!(await retryLater([record]))) throw error;
        failures.push(error);
      }
    }
    if (applied.length > 0) {
      try {
        await finish(applied);
      } catch (error) {
        await retryLater(applied);
        throw error;
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  async function applyOne(record: ErasureRecord): Promise<void> {
    await eraser.apply(record);
    await eraseMails(deps, record);
    await mailer.erase(namesOf(record));
  }

  async function finish(records: readonly ErasureRecord[]): Promise<void> {
    await eraseEvents(bus, records);
    await eraseDeadLetters(deadLetters, (event) => records.some((record) => covers(record, event)));
    await store.scrub();
    await Promise.all(records.map(finishPass));
  }

  /** Returns whether it is stored. Otherwise the records are due again after their lease. */
  async function retryLater(records: readonly ErasureRecord[]): Promise<boolean> {
    const ids = records.map(({ _id }) => _id);
    return erasures.updateMany({ _id: { $in: ids } }, { $set: { dueAt: isoTime(now() + RETRY_MS) } }).then(
      () => true,
      () => false,
    );
  }

  async function finishPass({ _id, kind, passes, accountId }: ErasureRecord): Promise<void> {
    if (passes === 0) {
      await erasures.updateOne(
        { _id },
        { $set: { passes: 1, dueAt: isoTime(now() + SECOND_PASS_AFTER_MS) } },
      );
    } else if (kind === 'values') {
      await erasures.deleteOne({ _id });
    } else {
      await erasures.updateOne({ _id }, { $set: { webhookIds: [], mailIds: [] }, $unset: { dueAt: true } });
    }
    if (passes === 1)
      log.info({ event: 'erasure.done', erasureId: _id, kind, accountId }, 'erasure completed');
  }

  return {
    async applyLocally() {
      const stateOf = ({ _id, submissionIds }: ErasureRecord) => `${_id}|${submissionIds.length}`;
      const applied = new Set<string>();
      let openSince: string | undefined;
      for await (const open of openErasures(erasures, { at: { $gte: isoTime(now() - LOCAL_AGE_MS) } })) {
        openSince ??= open[0]?.at;
        dropErased(new Set(open.flatMap(({ events }) => events.map(({ id }) => id))));
        const names = open.filter((record) => !removedFiles.has(stateOf(record))).flatMap(namesOf);
        if (names.length > 0) await mailer.erase(names);
        for (const record of open) applied.add(stateOf(record));
      }
      removedFiles = applied;
      return openSince;
    },

    async applyShared({ deferred } = { deferred: false }) {
      const which: Filter<ErasureRecord> = { isDeferred: deferred || null };
      // Usually nothing is due, and a query costs less than an update.
      const first = await erasures.findOne(
        { ...which, dueAt: { $exists: true, $lte: isoTime(now() + LOOK_AHEAD_MS) } },
        { sort: ['dueAt'] },
      );
      for (;;) {
        const records = first ? await claim(which) : [];
        if (records.length === 0) return first?.dueAt;
        await pass(records);
      }
    },
  };
}

async function eraseMails(
  { mails, mailer }: Pick<ErasureJobDeps, 'mails' | 'mailer'>,
  record: ErasureRecord,
): Promise<void> {
  for await (const page of mailPages(mails, record)) {
    const ids = page.map(({ _id }) => _id);
    if (ids.length === 0) continue;
    await mailer.erase(ids);
    await mails.deleteMany({ _id: { $in: ids } });
  }
}

/** Those of submissions and tasks are few, and have indexes without an order. */
async function* mailPages(
  mails: Collection<MailRecord>,
  record: ErasureRecord,
): AsyncGenerator<readonly MailRecord[]> {
  for (const filter of mailsOf(record)) {
    if (record.kind === 'values') yield await mails.find(filter);
    else
      yield* keysetPages({
        read: (after: readonly string[] | undefined) =>
          mails.find(filter, { sort: ['_id'], limit: MAILS_PER_PAGE, ...(after && { after }) }),
        keyOf: ({ _id }) => [_id],
        pageSize: MAILS_PER_PAGE,
      });
  }
}

/** Once per account, because a backend may read the log to find the events. */
async function eraseEvents(bus: Pick<EventBus, 'erase'>, records: readonly ErasureRecord[]): Promise<void> {
  const byAccount = new Map<string, ErasureRecord[]>();
  for (const record of records)
    byAccount.set(record.accountId, [...(byAccount.get(record.accountId) ?? []), record]);
  for (const [accountId, own] of byAccount) {
    if (own.some(({ kind }) => kind === 'account')) {
      await bus.erase(accountId, 'all');
      continue;
    }
    const formIds = own.flatMap((record) => (record.kind === 'form' ? record.formIds : []));
    if (formIds.length > 0) await bus.erase(accountId, { formIds });
    const events = own.flatMap((record) => record.events);
    const since = events.map(({ timestamp }) => timestamp).toSorted()[0];
    if (since !== undefined) await bus.erase(accountId, { ids: events.map(({ id }) => id), since });
  }
}

/** Parts of the names of email files that belong to the erased data. */
function namesOf({
  kind,
  submissionIds,
  taskIds,
  emptiedTaskIds,
  formIds,
  mailIds = [],
}: ErasureRecord): string[] {
  return kind === 'values' ? [...submissionIds, ...taskIds, ...emptiedTaskIds] : [...formIds, ...mailIds];
}

function mailsOf({
  kind,
  accountId,
  submissionIds,
  taskIds,
  emptiedTaskIds,
  formIds,
}: ErasureRecord): Filter<MailRecord>[] {
  if (kind === 'account') return [{ accountId }];
  if (kind === 'form') return [{ accountId, 'subject.formId': { $in: formIds } }];
  const tasks = [...taskIds, ...emptiedTaskIds];
  return [
    ...(submissionIds.length > 0 ? [{ 'subject.submissionId': { $in: submissionIds } }] : []),
    ...(tasks.length > 0 ? [{ 'subject.taskId': { $in: tasks } }] : []),
  ];
}

function covers(record: ErasureRecord, event: BusEvent): boolean {
  if (record.kind === 'account') return event.accountId === record.accountId;
  if (record.kind === 'form') return record.formIds.includes(event.formId);
  return record.events.some(({ id }) => id === event.id);
}
