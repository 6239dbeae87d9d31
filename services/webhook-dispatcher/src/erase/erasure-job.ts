import type { Collection, DocumentStore, Filter } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import type { BusEvent } from '@svcforms/contracts';
import type { Eraser, ErasureRecord } from '@svcforms/records';
import { eraseDeadLetters, type DeadLetterRecord } from '../fan-out/dead-letters.ts';
import type { MailRecord } from '../mail/mail-record.ts';
import type { Mailer } from '../mail/mailer.ts';

/** Another process takes over a pass that took longer. */
const LEASE_MS = 60_000;
/** Longer than an event may be in the hands of a consumer that got it before it was erased. */
const SECOND_PASS_AFTER_MS = 35_000;
/** Every process looks at records this young: what it takes into memory later has been erased in the store. */
const LOOK_AT_MS = 15_000;
const RETRY_MS = 2_000;
const AT_ONCE = 20;
const MAX_LOOKED_AT = 200;

export interface ErasureJobDeps {
  erasures: Collection<ErasureRecord>;
  mails: Collection<MailRecord>;
  deadLetters: Collection<DeadLetterRecord>;
  eraser: Pick<Eraser, 'apply'>;
  bus: Pick<EventBus, 'erase'>;
  store: Pick<DocumentStore, 'scrub'>;
  mailer: Pick<Mailer, 'erase'>;
  /** Lets go of deliveries of these events that are in memory. */
  dropErased: (eventIds: ReadonlySet<string>) => void;
  log: { info(fields: object, message: string): void };
  /** Milliseconds since the epoch. */
  now: () => number;
}

export interface ErasureJob {
  /** What every process does about open records, on itself: deliveries in memory, and mails in its own folder. */
  look(): Promise<void>;
  /** What one process does for all: the event log, mail records, dead letters, and the store once more. */
  work(): Promise<void>;
}

/**
 * Finishes erasures. A record is worked on twice: at once, and again when nobody can hold anything any more that was read before
 * the first pass. A crash or an engine that is away only delays it. docs/adr/0028
 */
export function createErasureJob(deps: ErasureJobDeps): ErasureJob {
  const { erasures, mails, deadLetters, eraser, bus, store, mailer, dropErased, log, now } = deps;
  const iso = (offsetMs = 0) => new Date(now() + offsetMs).toISOString();
  /** Records whose mails this process has removed from its folder, as they were then: submissions may be added to one. */
  let removedFiles: ReadonlySet<string> = new Set();

  async function claim(): Promise<ErasureRecord[]> {
    const claimed: ErasureRecord[] = [];
    while (claimed.length < AT_ONCE) {
      const record = await erasures.findOneAndUpdate(
        { dueAt: { $exists: true, $lte: iso() } },
        { $set: { dueAt: iso(LEASE_MS) } },
        { sort: ['dueAt'] },
      );
      if (!record) break;
      claimed.push(record);
    }
    return claimed;
  }

  async function pass(records: readonly ErasureRecord[]): Promise<void> {
    for (const record of records) {
      await eraser.apply(record);
      await eraseMails(record);
      await mailer.erase(namesOf(record));
    }
    await eraseEvents(records);
    await eraseDeadLetters(deadLetters, (event) => records.some((record) => covers(record, event)));
    await store.scrub();
    await Promise.all(records.map(finishPass));
  }

  async function eraseMails(record: ErasureRecord): Promise<void> {
    for (const filter of mailsOf(record)) {
      const found = await mails.find(filter);
      const ids = found.map(({ _id }) => _id);
      if (ids.length === 0) continue;
      await mailer.erase(ids);
      await mails.deleteMany({ _id: { $in: ids } });
    }
  }

  /** Once for each account, because the log may have to be read to find them. */
  async function eraseEvents(records: readonly ErasureRecord[]): Promise<void> {
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

  async function finishPass({ _id, kind, passes, accountId }: ErasureRecord): Promise<void> {
    if (passes === 0) {
      await erasures.updateOne({ _id }, { $set: { passes: 1, dueAt: iso(SECOND_PASS_AFTER_MS) } });
    } else if (kind === 'values') {
      await erasures.deleteOne({ _id });
    } else {
      await erasures.updateOne({ _id }, { $set: { webhookIds: [], mailIds: [] }, $unset: { dueAt: true } });
    }
    if (passes === 1)
      log.info({ event: 'erasure.done', erasureId: _id, kind, accountId }, 'erasure completed');
  }

  return {
    async look() {
      const open = await erasures.find(
        { dueAt: { $exists: true }, at: { $gte: iso(-LOOK_AT_MS) } },
        { sort: ['dueAt'], limit: MAX_LOOKED_AT },
      );
      if (open.length > 0) dropErased(new Set(open.flatMap(({ events }) => events.map(({ id }) => id))));
      const stateOf = ({ _id, submissionIds }: ErasureRecord) => `${_id}|${submissionIds.length}`;
      const names = open.filter((record) => !removedFiles.has(stateOf(record))).flatMap(namesOf);
      if (names.length > 0) await mailer.erase(names);
      removedFiles = new Set(open.map(stateOf));
    },

    async work() {
      for (;;) {
        const records = await claim();
        if (records.length === 0) return;
        try {
          await pass(records);
        } catch (error) {
          const ids = records.map(({ _id }) => _id);
          await erasures
            .updateMany({ _id: { $in: ids } }, { $set: { dueAt: iso(RETRY_MS) } })
            .catch(() => {});
          throw error;
        }
      }
    },
  };
}

/** What the names of files of mails hold that tell of what was erased. */
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
}: ErasureRecord): Filter[] {
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
