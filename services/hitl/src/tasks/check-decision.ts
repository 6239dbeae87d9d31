import {
  AppError,
  isBlank,
  validationFailed,
  valueFields,
  withAgreedText,
  type DecisionIn,
  type Issue,
} from '@svcforms/contracts';
import { pendingValues, valuesDigest, type FormRecord, type TaskRecord } from '@svcforms/records';
import { checkEdits, checkResult } from './task-values.ts';

type Values = Record<string, unknown>;

/**
 * Checks a decision against its task and form. docs/reference/tasks.md#decide-a-task
 * The values of the task are its prefill, or those that the last vote proposed.
 * @returns the values that the task is resolved with
 * @throws AppError `VALIDATION_FAILED`, `CONFLICT` (the form was deleted)
 */
export function checkDecision(task: TaskRecord, form: FormRecord | null, decision: DecisionIn): Values {
  const issues = [...outcomeIssues(task, decision), ...commentIssues(task, decision)];
  if (!form) {
    throw new AppError(
      'CONFLICT',
      "The form of this task was deleted, so it can't be decided; cancel the task",
    );
  }
  const all = valueFields(form.fields).map(({ name }) => name);
  const editable = task.editableFields ?? (task.decisionMode === 'form' ? all : []);
  issues.push(...checkEdits(decision.fields, editable));
  if (issues.length > 0) throw validationFailed(issues);

  const prefill = pendingValues(task);
  const result = { ...prefill, ...decision.fields };
  if (decision.outcome === 'rejected') return result;
  const checked = checkResult(
    form.fields.map((field) => (field.name in decision.fields ? field : withAgreedText(field, prefill))),
    result,
    form.settings.jumps,
  );
  if ('issues' in checked) throw validationFailed(checked.issues);
  return checked.values;
}

/** @throws AppError `CONFLICT` if the decision is about other values than the task has */
export function checkValuesSeen(task: TaskRecord, { valuesDigest: seen }: DecisionIn): void {
  if (seen === undefined || seen === valuesDigest(task)) return;
  throw new AppError(
    'CONFLICT',
    'Someone else changed the values of this task. Load the task again, then decide.',
  );
}

function outcomeIssues({ decisionMode }: TaskRecord, { outcome }: DecisionIn): Issue[] {
  if ((outcome === 'submitted') === (decisionMode === 'form')) return [];
  const message =
    decisionMode === 'form'
      ? 'must be submitted: the decisionMode of the task is form'
      : 'must be approved or rejected: the decisionMode of the task is approval';
  return [{ pointer: '/outcome', message }];
}

function commentIssues(task: TaskRecord, { outcome, comment, rejectOption }: DecisionIn): Issue[] {
  const issues: Issue[] = [];
  const needsComment = outcome !== 'submitted' && task.requireComment?.includes(outcome);
  if (needsComment && isBlank(comment ?? '')) {
    issues.push({ pointer: '/comment', message: `is required when the task is ${outcome}` });
  }
  const options = task.rejectOptions ?? [];
  if (rejectOption !== undefined && (outcome !== 'rejected' || !options.includes(rejectOption))) {
    const message =
      outcome === 'rejected' && options.length > 0
        ? `must be one of: ${options.join(', ')}`
        : 'is only allowed when a task with rejectOptions is rejected';
    issues.push({ pointer: '/rejectOption', message });
  }
  return issues;
}
