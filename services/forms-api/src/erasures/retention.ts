import type { Collection } from '@svcforms/document-store';
import type { AccountRecord } from '@svcforms/identity';
import type { Clock, Logger } from '@svcforms/primitives';
import type { Eraser, FormRecord, SubmissionRecord, TaskRecord } from '@svcforms/records';

const DAY_MS = 24 * 3600_000;
const BATCH = 200;
/** For a form in one run. The next run continues. */
const MAX_BATCHES = 100;

interface RetentionDeps {
  accounts: Collection<AccountRecord>;
  forms: Collection<FormRecord>;
  submissions: Collection<SubmissionRecord>;
  tasks: Collection<TaskRecord>;
  eraser: Pick<Eraser, 'submissions' | 'tasks'>;
  log: Pick<Logger, 'info'>;
  now: Clock;
}

/**
 * Erases submissions that are older than the retention period of their form, or else of their account, and tasks that were
 * resolved before it. Replicas may run it concurrently, because erased documents aren't found again.
 */
export function createRetention(deps: RetentionDeps): () => Promise<void> {
  const { accounts, forms, submissions, tasks, eraser, log, now } = deps;

  return async function eraseExpired() {
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
    for (const form of limited) {
      const days = form.settings.retentionDays ?? defaults.get(form.accountId);
      if (days !== undefined) await eraseOfForm(form, new Date(now() - days * DAY_MS).toISOString());
    }
  };

  async function eraseOfForm({ _id: formId, accountId }: FormRecord, before: string): Promise<void> {
    const [ofTasks, ofSubmissions] = [
      await eraseAll(
        () =>
          tasks.find(
            { accountId, createdAt: { $lt: before }, formId, settledAt: { $lt: before } },
            { sort: ['-createdAt', '-_id'], limit: BATCH },
          ),
        (found) => eraser.tasks(found),
      ),
      await eraseAll(
        () =>
          submissions.find(
            { formId, createdAt: { $lt: before } },
            { sort: ['-createdAt', '-_id'], limit: BATCH },
          ),
        (found) => eraser.submissions(found),
      ),
    ];
    if (ofTasks + ofSubmissions === 0) return;
    log.info(
      { event: 'retention.erased', accountId, formId, before, submissions: ofSubmissions, tasks: ofTasks },
      'erased submissions and tasks after their retention period',
    );
  }
}

/** Returns the number of erased documents. */
async function eraseAll<T>(
  find: () => Promise<T[]>,
  erase: (found: readonly T[]) => Promise<unknown>,
): Promise<number> {
  let count = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const found = await find();
    if (found.length > 0) await erase(found);
    count += found.length;
    if (found.length < BATCH) break;
  }
  return count;
}
