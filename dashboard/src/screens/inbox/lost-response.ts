import type { DecisionIn, TaskOut } from '@svcforms/contracts';
import { ApiError, isApiError, isTransient } from '../../api/api-error.ts';
import { readTask } from '../../api/tasks.ts';
import { unconfirmedTexts } from '../../texts/late-decision.ts';

/**
 * The pauses before the task is read. The server may still process a request whose connection
 * broke, and may be back soon.
 */
const PAUSES_MS = [0, 1_000, 2_000];
/** How long one reading may take. A logout waits for the result. */
const READING_MS = 5_000;

/** Nobody knows whether a decision counts: neither its response nor the task could be read. */
export class UnconfirmedError extends ApiError {}

export interface SentDecision {
  /** The task as the user saw it. */
  task: TaskOut;
  decision: Pick<DecisionIn, 'outcome' | 'fields' | 'comment' | 'rejectOption'>;
  userId: string;
}

/**
 * Returns the task if the user's decision counts although its request failed: the response was
 * lost, or the decision before, which is repeated, had counted.
 * @throws UnconfirmedError if the task can't be read, `error` if the decision doesn't count
 */
export async function decidedTask(sent: SentDecision, error: unknown): Promise<TaskOut> {
  const isRepeated = isApiError(error) && error.code === 'TASK_ALREADY_SETTLED';
  if (!isRepeated && !isTransient(error)) throw error;
  let isRead = false;
  for (const pauseMs of isRepeated ? [0] : PAUSES_MS) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    try {
      const task = await readTask(sent.task.id, { timeoutMs: READING_MS });
      if (isCounted(task, sent)) return task;
      isRead = true;
      // The task has ended without the decision.
      if (task.status !== 'awaiting') break;
    } catch (failure) {
      if (!isTransient(failure)) break;
    }
  }
  if (isRead || isRepeated) throw error;
  throw new UnconfirmedError({ message: unconfirmedTexts.help }, { cause: error });
}

/** Whether the decision resolved the task or is among its votes. */
export function isCounted(task: TaskOut, { task: seen, decision, userId }: SentDecision): boolean {
  const { outcome, fields, comment, rejectOption } = decision;
  // The user may have decided the task elsewhere too, without what this decision says.
  if (task.status === outcome && task.decidedBy === userId)
    return (
      task.comment === comment &&
      task.rejectOption === rejectOption &&
      Object.entries(fields).every(([name, value]) => hasValue(name, value, { task, seen }))
    );
  const voteIn = ({ votes }: TaskOut) =>
    votes?.find((vote) => vote.by === userId && vote.outcome === outcome);
  const vote = voteIn(task);
  // A vote from before is no evidence of this one, which may have changed values.
  return vote !== undefined && vote.at !== voteIn(seen)?.at && vote.comment === comment;
}

/** The server may have stored a value in another form, but not the one from before. */
function hasValue(name: string, value: unknown, { task, seen }: { task: TaskOut; seen: TaskOut }): boolean {
  const [stored, before] = [task.formData, seen.formData ?? seen.prefill].map((values) =>
    JSON.stringify(values?.[name] ?? null),
  );
  return stored === JSON.stringify(value) || stored !== before;
}
