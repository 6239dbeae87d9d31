import { countingVotes } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { Reviewers } from '@svcforms/identity';
import { isoTime, LOOK_AHEAD_MS, type Clock } from '@svcforms/primitives';
import type { FormRecord, TaskRecord } from '@svcforms/records';
import { resolveWithOutcome, resolveWithoutOutcome } from './resolve-task.ts';
import { hasPolicy, reviewOf } from './review.ts';

const PAGE_SIZE = 50;

interface ExpiryDeps {
  tasks: Collection<TaskRecord>;
  forms: Pick<Collection<FormRecord>, 'findOne'>;
  reviewers: Pick<Reviewers, 'of'>;
  /** See `createCompletion`. */
  complete: (task: TaskRecord) => Promise<void>;
  now: Clock;
}

export interface Expiry {
  /** Resolves one overdue task, unless somebody else does. */
  expire(task: TaskRecord): Promise<void>;
  /** Resolves all overdue tasks. Returns when the first one found is or was due. */
  sweep(): Promise<string | undefined>;
}

/**
 * Resolves overdue tasks as their `onExpiry` says: they expire, or are approved or rejected with
 * their prefill. A task whose form was deleted can only expire. docs/reference/tasks.md#expiry
 */
export function createExpiry({ tasks, forms, reviewers, complete, now }: ExpiryDeps): Expiry {
  async function expire(task: TaskRecord): Promise<void> {
    const { onExpiry } = task;
    const form = onExpiry === 'expire' ? null : await forms.findOne({ _id: task.formId, deletedAt: null });
    const resolved =
      form && onExpiry !== 'expire'
        ? await resolveWithOutcome({ tasks, now }, task, {
            outcome: onExpiry === 'approve' ? 'approved' : 'rejected',
            formData: task.prefill,
            formVersion: form.version,
            emitsSubmission: form.settings.tasks?.emitSubmissionEvents ?? false,
            ...(hasPolicy(task) && {
              votes: countingVotes(task.votes ?? [], await reviewOf(reviewers, task)),
            }),
          })
        : await resolveWithoutOutcome({ tasks, now }, task, { status: 'expired' });
    if (resolved) await complete(resolved);
  }

  return {
    expire,
    async sweep() {
      for (;;) {
        const at = now();
        const found = await tasks.find(
          { dueAt: { $lte: isoTime(at + LOOK_AHEAD_MS) } },
          { sort: ['dueAt'], limit: PAGE_SIZE },
        );
        const due = found.filter(({ dueAt = '' }) => Date.parse(dueAt) <= at);
        await Promise.all(due.map(expire));
        if (due.length < PAGE_SIZE) return found[0]?.dueAt;
      }
    },
  };
}
