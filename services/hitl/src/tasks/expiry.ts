import type { Collection } from '@svcforms/document-store';
import type { FormRecord, TaskRecord } from '@svcforms/records';
import { endTask, settleTask } from './settle-task.ts';

const BATCH = 50;

export interface ExpiryDeps {
  tasks: Collection<TaskRecord>;
  forms: Pick<Collection<FormRecord>, 'findOne'>;
  /** Call when a task has ended. */
  onEnd: (task: TaskRecord) => Promise<void>;
  /** Milliseconds since the epoch. */
  now: () => number;
}

export interface Expiry {
  /** Ends one task whose time is over, unless somebody else does. */
  expire(task: TaskRecord): Promise<void>;
  /** Ends all of them. */
  sweep(): Promise<void>;
}

/**
 * What happens to tasks that nobody settled in time: they expire, or are approved or rejected as they stand. One whose form
 * was deleted can only expire.
 */
export function createExpiry({ tasks, forms, onEnd, now }: ExpiryDeps): Expiry {
  async function expire(task: TaskRecord): Promise<void> {
    const { onExpiry } = task;
    const form = onExpiry === 'expire' ? null : await forms.findOne({ _id: task.formId, deletedAt: null });
    const ended =
      form && onExpiry !== 'expire'
        ? await settleTask({ tasks, now }, task, {
            outcome: onExpiry === 'approve' ? 'approved' : 'rejected',
            formData: task.prefill,
            emitsSubmission: form.settings.tasks?.emitSubmissionEvents ?? false,
          })
        : await endTask({ tasks, now }, task, { status: 'expired' });
    if (ended) await onEnd(ended);
  }

  return {
    expire,
    async sweep() {
      for (;;) {
        const due = await tasks.find(
          { dueAt: { $lte: new Date(now()).toISOString() } },
          { sort: ['dueAt'], limit: BATCH },
        );
        await Promise.all(due.map(expire));
        if (due.length < BATCH) return;
      }
    },
  };
}
