import { isStoreFailure, type Collection } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import type { AccountRecord } from '@svcforms/identity';
import { createTurns, DAY_MS, isoTime, type Clock, type Logger } from '@svcforms/primitives';
import type { Eraser, FormRecord, SubmissionRecord, TaskRecord } from '@svcforms/records';
import { pagesOf } from './pages-of.ts';

const OLDEST_FIRST = { sort: ['createdAt', '_id'], limit: 200 };
/** A longer run reads the settings again, because somebody may have changed them. */
const READ_AGAIN_AFTER_MS = 10 * 60_000;
/** With a larger difference, one of the clocks is wrong. */
const CLOCK_DIFFERENCE_MS = 5 * 60_000;

interface RetentionDeps {
  accounts: Collection<AccountRecord>;
  forms: Collection<FormRecord>;
  submissions: Collection<SubmissionRecord>;
  tasks: Collection<TaskRecord>;
  eraser: Pick<Eraser, 'submissions' | 'tasks'>;
  bus: Pick<EventBus, 'serverTime'>;
  log: Pick<Logger, 'info' | 'warn'>;
  /** Aborts when the service stops. */
  signal: AbortSignal;
  now: Clock;
}

/**
 * Erases submissions that are older than the retention period of their form, or else of their
 * account, and tasks that were resolved before it, until none is left. Replicas may run it
 * concurrently, because erased documents aren't found again. Erases nothing while the clock of this
 * process differs from that of the event bus: a clock that is ahead would erase too much, and
 * nothing brings that back.
 */
export function createRetention(deps: RetentionDeps): () => Promise<void> {
  const { accounts, forms, submissions, tasks, eraser, bus, log, signal, now } = deps;

  return async function eraseExpired() {
    let isDone = false;
    while (!isDone && !signal.aborted) isDone = !(await isClockRight()) || (await goAroundForms());
  };

  async function isClockRight(): Promise<boolean> {
    const serverTime = await bus.serverTime();
    const aheadMs = serverTime === null ? 0 : now() - serverTime;
    if (Math.abs(aheadMs) <= CLOCK_DIFFERENCE_MS) return true;
    const aheadSeconds = Math.round(aheadMs / 1000);
    log.warn(
      { event: 'retention.skipped', aheadSeconds },
      'the clocks of this machine and of the NATS server differ, so expired submissions are not erased: synchronize the clocks',
    );
    return false;
  }

  /**
   * Erases one batch of each form in turn, so that a large form doesn't delay the others. Returns
   * whether nothing is left.
   */
  async function goAroundForms(): Promise<boolean> {
    const until = now() + READ_AGAIN_AFTER_MS;
    const all = (await limitedForms()).map(({ form, before }) => ({
      form,
      batches: batchesOf(form, before),
    }));
    let left = all;
    // Most forms have nothing expired, and the embedded store's queries run without waiting.
    const turn = createTurns();
    try {
      do {
        const unfinished: typeof all = [];
        for (const each of left) {
          if (signal.aborted) return false;
          if (await eraseNext(each)) unfinished.push(each);
          await turn();
        }
        left = unfinished;
      } while (left.length > 0 && now() < until);
    } finally {
      for (const { batches } of all) await batches.return();
    }
    return left.length === 0;
  }

  async function limitedForms(): Promise<{ form: FormRecord; before: string }[]> {
    const defaults = new Map<string, number>();
    for (const { _id, retentionDays } of await accounts.find({ retentionDays: { $exists: true } })) {
      if (retentionDays !== undefined) defaults.set(_id, retentionDays);
    }
    const limited = await forms.find({
      deletedAt: null,
      $or: [
        { 'settings.retentionDays': { $exists: true } },
        ...(defaults.size > 0 ? [{ accountId: { $in: [...defaults.keys()] } }] : []),
      ],
    });
    return limited.flatMap((form) => {
      const days = form.settings.retentionDays ?? defaults.get(form.accountId);
      return days === undefined ? [] : { form, before: isoTime(now() - days * DAY_MS) };
    });
  }

  /**
   * Returns whether more may be left. A failure of one form must not keep the others from being
   * erased.
   * @throws StoreError if the store is unavailable or full, which isn't a failure of this form
   */
  async function eraseNext({ form, batches }: { form: FormRecord; batches: Batches }): Promise<boolean> {
    try {
      return !(await batches.next()).done;
    } catch (error) {
      if (isStoreFailure(error)) throw error;
      const { _id: formId, accountId } = form;
      log.warn(
        { event: 'retention.failed', accountId, formId, err: error },
        'erasing expired submissions of a form failed; the next run tries again',
      );
      return false;
    }
  }

  /** Erases one batch per step. */
  async function* batchesOf({ _id: formId, accountId }: FormRecord, before: string): Batches {
    const isExpired = { formId, createdAt: { $lt: before } };
    const erased = { submissions: 0, tasks: 0 };
    try {
      const isResolved = { accountId, settledAt: { $lt: before } };
      for await (const found of pagesOf(tasks, { ...isExpired, ...isResolved }, OLDEST_FIRST)) {
        await eraser.tasks(found);
        erased.tasks += found.length;
        yield;
      }
      for await (const found of pagesOf(submissions, isExpired, OLDEST_FIRST)) {
        await eraser.submissions(found);
        erased.submissions += found.length;
        yield;
      }
    } finally {
      if (erased.submissions + erased.tasks > 0) {
        log.info(
          { event: 'retention.erased', accountId, formId, before, ...erased },
          'erased submissions and tasks after their retention period',
        );
      }
    }
  }
}

type Batches = AsyncGenerator<void, void, undefined>;
