import {
  checkValues,
  pointerOf,
  valueFields,
  type FormField,
  type Issue,
  type Jump,
} from '@svcforms/contracts';
import { checkableFields } from '@svcforms/records';

type Values = Record<string, unknown>;
type CheckedTaskValues = { values: Values } | { issues: Issue[] };

/**
 * Checks the values that a task starts with and returns them as they are stored. No field is
 * required yet, but each value must belong to a field and be valid for it, even if logic hides the
 * field: the reviewer's own entries may show it.
 * docs/reference/tasks.md#prefill-and-editable-fields
 */
export function checkPrefill(form: readonly FormField[], prefill: Values): CheckedTaskValues {
  const fields = valueFields(form);
  const optional = checkableFields(fields).map(({ showIf: _showIf, ...field }) => ({
    ...field,
    required: false,
  }));
  const { values, unknown, issues } = checkValues(optional, prefill);
  const all = [
    ...issues.map(({ field, message }) => issueAt('prefill', field, message)),
    ...Object.keys(unknown).map((key) => issueAt('prefill', key, notAField(fields))),
  ];
  return all.length > 0 ? { issues: all } : { values };
}

/** Reports names that aren't fields of the form. */
export function checkEditableFields(all: readonly FormField[], names: readonly string[]): Issue[] {
  const fields = valueFields(all);
  return names.flatMap((name, index) =>
    fields.some((field) => field.name === name)
      ? []
      : [{ pointer: pointerOf(['editableFields', index]), message: notAField(fields) }],
  );
}

/** Reports values of fields that the reviewer can't edit. */
export function checkEdits(edits: Values, editable: readonly string[]): Issue[] {
  const allowed =
    editable.length === 0 ? 'it has no editable fields' : `editable fields: ${editable.join(', ')}`;
  return Object.keys(edits)
    .filter((name) => !editable.includes(name))
    .map((name) => issueAt('fields', name, `can't be edited in this task; ${allowed}`));
}

/**
 * Checks the values of an approval or a submission, which the form must accept. Fields that logic
 * hides needn't have values, and keep those that the task gave them.
 */
export function checkResult(
  fields: readonly FormField[],
  result: Values,
  jumps?: readonly Jump[],
): CheckedTaskValues {
  const { values, notShown, unknown, issues } = checkValues(checkableFields(fields), result, jumps);
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
    ? 'is not a field of the form, which has none'
    : `is not a field of the form; its fields: ${fields.map(({ name }) => name).join(', ')}`;
}
