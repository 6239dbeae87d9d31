import { checkValues, pointerOf, type FormField, type Issue } from '@svcforms/contracts';
import { checkableFields } from '@svcforms/records';

type Values = Record<string, unknown>;
export type CheckedTaskValues = { values: Values } | { issues: Issue[] };

/**
 * The values that a task begins with, in the form in which they are kept. Nothing is required of them yet, but each has to
 * belong to a field of the form and fit it. contract: tasks.md, Task
 */
export function checkPrefill(fields: readonly FormField[], prefill: Values): CheckedTaskValues {
  const optional = checkableFields(fields).map((field) => ({ ...field, required: false }));
  const { values, notShown, unknown, issues } = checkValues(optional, prefill);
  const refused = [
    ...issues.map(({ field, message }) => issueAt('prefill', field, message)),
    ...Object.keys(unknown).map((key) => issueAt('prefill', key, notAField(fields))),
  ];
  return refused.length > 0 ? { issues: refused } : { values: { ...values, ...notShown } };
}

/** Names that are no field of the form. */
export function checkEditableFields(fields: readonly FormField[], names: readonly string[]): Issue[] {
  return names.flatMap((name, index) =>
    fields.some((field) => field.name === name)
      ? []
      : [{ pointer: pointerOf(['editableFields', index]), message: notAField(fields) }],
  );
}

/** What a reviewer changed, as far as they were not to. */
export function checkEdits(edits: Values, editable: readonly string[]): Issue[] {
  const which = editable.length === 0 ? 'none may be' : `these may be: ${editable.join(', ')}`;
  return Object.keys(edits)
    .filter((name) => !editable.includes(name))
    .map((name) => issueAt('fields', name, `must not be changed in this task; ${which}`));
}

/** The result of an approval or a submission, which has to be what the form takes. */
export function checkResult(fields: readonly FormField[], result: Values): CheckedTaskValues {
  const { values, notShown, unknown, issues } = checkValues(checkableFields(fields), result);
  return issues.length > 0
    ? { issues: issues.map(({ field, message }) => issueAt('fields', field, message)) }
    : { values: { ...values, ...notShown, ...unknown } };
}

const issueAt = (part: string, name: string, message: string): Issue => ({
  pointer: pointerOf([part, name]),
  message,
});

function notAField(fields: readonly FormField[]): string {
  return fields.length === 0
    ? 'is no field of the form, which has none'
    : `is no field of the form; it has: ${fields.map(({ name }) => name).join(', ')}`;
}
