import type { FormField, TaskIn } from '@svcforms/contracts';
import type { TaskRecord } from '@svcforms/records';
import { createHash } from 'node:crypto';
import { checkPrefill } from './task-values.ts';

type Fields = readonly FormField[] | undefined;
type Comparison = (task: TaskRecord, input: TaskIn, fields: Fields) => boolean;

/** Everything that a reviewer's decision is about. How long the task waits, and whom it notifies, may differ. */
const COMPARISONS: Readonly<Record<string, Comparison>> = {
  templateId: (task, input) => task.formId === input.templateId,
  title: (task, input) => task.title === input.title,
  description: (task, input) => (task.description ?? '') === (input.description ?? ''),
  prefill: samePrefill,
  editableFields: sameEditableFields,
  decisionMode: (task, input) => task.decisionMode === input.decisionMode,
};

/**
 * The names of what a request asks for differently than the one that created `task`. `fields`: those of the task's form as it
 * is now; absent when it was deleted.
 */
export function differences(task: TaskRecord, input: TaskIn, fields: Fields): string[] {
  return Object.entries(COMPARISONS)
    .filter(([, isSame]) => !isSame(task, input, fields))
    .map(([name]) => name);
}

/** Of the prefill as it was requested, so that a later change of the form doesn't make the same request another one. */
export function hashOfPrefill(prefill: TaskIn['prefill']): string {
  return createHash('sha256').update(canonicalJson(prefill)).digest('hex');
}

/** Requested in the same way, or in another way that stands for exactly the values that the reviewer sees. */
function samePrefill(task: TaskRecord, { prefill }: TaskIn, fields: Fields): boolean {
  if (task.prefillHash === hashOfPrefill(prefill)) return true;
  const seen = canonicalJson(JSON.parse(task.prefill));
  if (canonicalJson(prefill) === seen) return true;
  const checked = fields ? checkPrefill(fields, prefill) : { issues: [] };
  return 'values' in checked && canonicalJson(checked.values) === seen;
}

/** The order doesn't matter; absent is the default of the mode. */
function sameEditableFields(task: TaskRecord, input: TaskIn, fields: Fields): boolean {
  if (task.editableFields === undefined && input.editableFields === undefined) return true;
  const all = task.decisionMode === 'form' ? fields?.map(({ name }) => name) : [];
  const sorted = (names = all) => names && JSON.stringify(names.toSorted());
  return sorted(task.editableFields) === sorted(input.editableFields);
}

/** JSON in which the order of keys doesn't matter. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
