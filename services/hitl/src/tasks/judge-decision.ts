import { AppError, validationFailed, type DecisionIn, type Issue } from '@svcforms/contracts';
import type { FormRecord, TaskRecord } from '@svcforms/records';
import { checkEdits, checkResult } from './task-values.ts';

type Values = Record<string, unknown>;

/**
 * The values that a decision settles a task with. Which outcomes, fields and words the task takes is its own to say.
 * @throws AppError `VALIDATION_FAILED`, `CONFLICT` (the form was deleted). contract: tasks.md, decision
 */
export function judgeDecision(task: TaskRecord, form: FormRecord | null, decision: DecisionIn): Values {
  const wrong = wordIssues(task, decision);
  if (!form) {
    throw new AppError('CONFLICT', 'The form of this task was deleted, so nothing can come of it; cancel it');
  }
  const all = form.fields.map(({ name }) => name);
  const editable = task.editableFields ?? (task.decisionMode === 'form' ? all : []);
  const refused = [...wrong, ...checkEdits(decision.fields, editable)];
  if (refused.length > 0) throw validationFailed(refused);

  const result = { ...(JSON.parse(task.prefill) as Values), ...decision.fields };
  if (decision.outcome === 'rejected') return result;
  const checked = checkResult(form.fields, result);
  if ('issues' in checked) throw validationFailed(checked.issues);
  return checked.values;
}

function wordIssues(task: TaskRecord, { outcome, comment, rejectOption }: DecisionIn): Issue[] {
  const issues: Issue[] = [];
  if ((outcome === 'submitted') !== (task.decisionMode === 'form')) {
    const message =
      task.decisionMode === 'form'
        ? 'must be submitted: the task asks to fill in a form'
        : 'must be approved or rejected: the task asks for an approval';
    issues.push({ pointer: '/outcome', message });
  }
  const needsComment = outcome !== 'submitted' && task.requireComment?.includes(outcome);
  if (needsComment && !comment?.trim()) {
    issues.push({ pointer: '/comment', message: `is required when the task is ${outcome}` });
  }
  const options = task.rejectOptions ?? [];
  if (rejectOption !== undefined && (outcome !== 'rejected' || !options.includes(rejectOption))) {
    const message =
      outcome === 'rejected' && options.length > 0
        ? `must be one of: ${options.join(', ')}`
        : 'is only for the rejection of a task that has reject options';
    issues.push({ pointer: '/rejectOption', message });
  }
  return issues;
}
