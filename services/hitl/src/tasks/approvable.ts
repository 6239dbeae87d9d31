import {
  checkValues,
  CHOICE_TYPES,
  conditionsIn,
  isSkippable,
  pointerOf,
  wantedValue,
  type FormField,
  type FormSettings,
  type Issue,
  type TaskIn,
} from '@svcforms/contracts';
import { checkableFields } from '@svcforms/records';

type Values = Readonly<Record<string, unknown>>;

/** With more combinations than this, the task is accepted without trying them. */
const MAX_COMBINATIONS = 4_096;
/** The same for the fields to check in all combinations together, which takes half a second. */
const MAX_CHECKED_FIELDS = 200_000;

/** A value that meets no condition. */
const UNMATCHED = {};

/**
 * Reports what makes it impossible to approve or submit a task, whatever the reviewer enters:
 * values that the form rejects, in fields that the reviewer can't edit. Fields that the reviewer
 * can hide, and those that only the reviewer's own entries show, don't count. ADR 0023
 *
 * Only equalities are tried. If something else decides whether one of these fields is shown, the
 * task counts as approvable. ADR 0075
 */
export function unapprovableIssues(
  { fields, settings: { jumps = [] } }: { fields: readonly FormField[]; settings: FormSettings },
  prefill: Values,
  { decisionMode, editableFields }: Pick<TaskIn, 'decisionMode' | 'editableFields'>,
): Issue[] {
  const form = checkableFields(fields);
  const editable = new Set(editableFields ?? (decisionMode === 'form' ? form.map(({ name }) => name) : []));
  const fixed = form.filter(({ name }) => !editable.has(name));
  const obstacles = new Set(issuesOf(fixed.map(alwaysShown), prefill).keys());
  if (obstacles.size === 0) return [];

  const relevant = withSources(form, obstacles);
  if (relevant.some((field) => hasOtherConditions(field) || isSkippable(field.step ?? 1, jumps))) {
    if (editable.size > 0) return [];
    const { issues } = checkValues(form, prefill, jumps);
    return issues.map(({ field, message }) => issueOf(field, message));
  }
  const wanted = valuesWithConditions(relevant);
  const choices = relevant
    .filter(({ name }) => editable.has(name))
    .map((field) => choicesOf(field, wanted.get(field.name) ?? new Set()));
  const count = choices.reduce((product, { values }) => product * values.length, 1);
  if (count > MAX_COMBINATIONS || count * relevant.length > MAX_CHECKED_FIELDS) return [];

  // What is the same in all combinations is collected once: the relevant part of the prefill, and
  // choices with only one value.
  const relevantNames = new Set(relevant.map(({ name }) => name));
  const known = Object.fromEntries([
    ...Object.entries(prefill).filter(([name]) => relevantNames.has(name)),
    ...choices.map(({ field, values }) => [field.name, values[0]] as const),
  ]);
  const open = choices.filter(({ values }) => values.length !== 1);
  const freed = new Map(choices.map(({ field }) => [field.name, field]));
  const rules = relevant.map((field) => freed.get(field.name) ?? field);
  // The issues of the unchanged prefill are the clearest, but there may be none before the reviewer
  // makes a choice.
  let found = new Map([...issuesOf(relevant, prefill)].filter(([name]) => obstacles.has(name)));
  for (const chosen of combinations(open)) {
    const issues = issuesOf(rules, { ...known, ...chosen });
    if (issues.size === 0) return [];
    if (found.size === 0) found = issues;
  }
  return [...found].map(([name, message]) => issueOf(name, message));
}

const issueOf = (name: string, message: string): Issue => ({
  pointer: pointerOf(['prefill', name]),
  message: `${message}, and the reviewer can't edit it: set it in prefill or add it to editableFields`,
});

/** Whether the field has other conditions than one equality. */
function hasOtherConditions({ showIf }: FormField): boolean {
  if (!showIf) return false;
  const { list } = conditionsIn(showIf);
  return list.length > 1 || list.some(({ op }) => op !== 'eq');
}

const issuesOf = (fields: readonly FormField[], values: Values): Map<string, string> =>
  new Map(checkValues(fields, values).issues.map(({ field, message }) => [field, message]));

const alwaysShown = ({ showIf: _showIf, ...field }: FormField): FormField => field;

/** Returns these fields and those that their conditions depend on, in the order of the form. */
function withSources(form: readonly FormField[], names: ReadonlySet<string>): FormField[] {
  const byName = new Map(form.map((field) => [field.name, field]));
  const reached = new Set<string>(names);
  // Names that are added meanwhile are visited too.
  for (const name of reached) {
    const { showIf } = byName.get(name) ?? {};
    for (const { field } of showIf ? conditionsIn(showIf).list : []) reached.add(field);
  }
  return form.filter(({ name }) => reached.has(name));
}

/** By field: its values that show another one of `fields`. */
function valuesWithConditions(fields: readonly FormField[]): ReadonlyMap<string, ReadonlySet<unknown>> {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const wanted = new Map<string, Set<unknown>>();
  for (const { showIf } of fields) {
    for (const { field: name, value } of showIf ? conditionsIn(showIf).list : []) {
      const field = byName.get(name);
      if (!field || value === undefined) continue;
      wanted.set(name, (wanted.get(name) ?? new Set()).add(wantedValue(field, value)));
    }
  }
  return wanted;
}

interface Choices {
  field: FormField;
  /**
   * What a reviewer can enter, reduced to the values that the conditions on the field distinguish.
   */
  values: unknown[];
}

/**
 * Conditions only ever show fields, so a value that meets none of them, if the reviewer can
 * enter one, is the best choice.
 */
function choicesOf(field: FormField, wanted: ReadonlySet<unknown>): Choices {
  const { type, required, options = [] } = field;
  const isTick = type === 'checkbox' || type === 'consent';
  // There is always a text, number or date that meets no condition.
  if (!isTick && !CHOICE_TYPES.includes(type)) {
    return { field: { ...field, type: 'hidden' }, values: [UNMATCHED] };
  }
  const nothing = isTick ? false : '';
  const values = [...(required ? [] : [nothing]), ...(isTick ? [true] : options.map(({ value }) => value))];
  const best = values.find((value) => !wanted.has(value));
  return { field, values: best === undefined ? values : [best] };
}

function* combinations([first, ...rest]: readonly Choices[]): Generator<Values> {
  if (!first) return yield {};
  for (const chosen of combinations(rest)) {
    for (const value of first.values) yield { ...chosen, [first.field.name]: value };
  }
}
