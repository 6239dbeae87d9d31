import { maySeeForm, valueFields, type FormField, type TaskIn } from '@svcforms/contracts';
import type { FormRecord, TaskRecord } from '@svcforms/records';
import { createHash } from 'node:crypto';
import { canonicalAction } from './action.ts';
import type { Actor } from './actor.ts';
import { checkPrefill } from './task-values.ts';

type Fields = readonly FormField[] | undefined;
type Comparison = (task: TaskRecord, input: TaskIn, fields: Fields) => boolean;

/**
 * The members of a request that a reviewer's decision depends on. Expiry, assignee and callback may
 * differ. ADR 0022
 */
const COMPARISONS: Readonly<Record<string, Comparison>> = {
  templateId: (task, input) => task.formId === input.templateId,
  title: (task, input) => task.title === input.title,
  description: (task, input) => (task.description ?? '') === (input.description ?? ''),
  prefill: samePrefill,
  editableFields: sameEditableFields,
  decisionMode: (task, input) => task.decisionMode === input.decisionMode,
  action: (task, { action }) => task.action === (action && canonicalAction(action)),
  policy: samePolicy,
};

/**
 * Returns the members in which a request differs from the one that created `task`. `form`: the
 * current form of the task; `null` when it was deleted. If the actor doesn't see it, the request is
 * for another form, and comparing the rest would let the actor guess what the task has.
 */
export function differingMembers(
  actor: Pick<Actor, 'memberOf'>,
  { task, form }: { task: TaskRecord; form: FormRecord | null },
  input: TaskIn,
): string[] {
  if (!maySeeForm(actor, form)) return ['templateId'];
  return Object.entries(COMPARISONS)
    .filter(([, isSame]) => !isSame(task, input, form?.fields))
    .map(([name]) => name);
}

/**
 * Hashes the prefill of the request: the stored one depends on the form, which may change between
 * two requests.
 */
export function hashOfPrefill(prefill: TaskIn['prefill']): string {
  return createHash('sha256').update(canonicalJson(prefill)).digest('hex');
}

/**
 * Whether the prefill is the JSON of the first request, or stands for exactly the values that the
 * reviewer sees.
 */
function samePrefill(task: TaskRecord, { prefill }: TaskIn, fields: Fields): boolean {
  if (task.prefillHash === hashOfPrefill(prefill)) return true;
  const shown = canonicalJson(JSON.parse(task.prefill));
  if (canonicalJson(prefill) === shown) return true;
  const checked = fields ? checkPrefill(fields, prefill) : { issues: [] };
  return 'values' in checked && canonicalJson(checked.values) === shown;
}

/** In any order; an absent list is the default of the decision mode. */
function sameEditableFields(task: TaskRecord, input: TaskIn, fields: Fields): boolean {
  if (task.editableFields === undefined && input.editableFields === undefined) return true;
  const all = task.decisionMode === 'form' ? fields && valueFields(fields).map(({ name }) => name) : [];
  const sorted = (names = all) => names && JSON.stringify(names.toSorted());
  return sorted(task.editableFields) === sorted(input.editableFields);
}

/**
 * Without a policy, a request asks for the default of the form, as it was when the task was
 * created.
 */
function samePolicy({ policy, hasDefaultPolicy }: TaskRecord, { policy: wanted }: TaskIn): boolean {
  if (!wanted) return !policy || hasDefaultPolicy === true;
  return policy !== undefined && sorted(policy) === sorted(wanted);
}

const sorted = ({ approvals = 1, users = [], groups = [] }: NonNullable<TaskIn['policy']>): string =>
  JSON.stringify([approvals, users.toSorted(), groups.toSorted()]);

/** JSON with sorted keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
