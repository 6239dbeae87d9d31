import {
  checkValues,
  CHOICE_TYPES,
  pointerOf,
  wantedValue,
  type FormField,
  type Issue,
  type TaskIn,
} from '@svcforms/contracts';
import { checkableFields } from '@svcforms/records';

type Values = Readonly<Record<string, unknown>>;

/** With more combinations than this, the task is accepted without trying them. */
const MAX_COMBINATIONS = 4_096;

/** A value that meets no condition. */
const UNMATCHED = {};

/**
 * Reports what makes it impossible to approve or submit a task, whatever the reviewer enters:
 * values that the form rejects, in fields that the reviewer can't edit. Fields that the reviewer
 * can hide, and those that only the reviewer's own entries show, don't count. ADR 0023
 */
export function unapprovableIssues(
  fields: readonly FormField[],
  prefill: Values,
  { decisionMode, editableFields }: Pick<TaskIn, 'decisionMode' | 'editableFields'>,
): Issue[] {
  const form = checkableFields(fields);
  const editable = new Set(editableFields ?? (decisionMode === 'form' ? form.map(({ name }) => name) : []));
  const fixed = form.filter(({ name }) => !editable.has(name));
  const obstacles = new Set(issuesOf(fixed.map(alwaysShown), prefill).keys());
  if (obstacles.size === 0) return [];

  const relevant = withSources(form, obstacles);
  const choices = relevant
    .filter(({ name }) => editable.has(name))
    .map((field) => choicesOf(field, conditionsOn(field, relevant)));
  if (choices.reduce((product, { values }) => product * values.length, 1) > MAX_COMBINATIONS) return [];

  const freed = new Map(choices.map(({ field }) => [field.name, field]));
  const rules = relevant.map((field) => freed.get(field.name) ?? field);
  // The issues of the unchanged prefill are the clearest, but there may be none before the reviewer
  // makes a choice.
  let found = new Map([...issuesOf(relevant, prefill)].filter(([name]) => obstacles.has(name)));
  for (const chosen of combinations(choices)) {
    const issues = issuesOf(rules, { ...prefill, ...chosen });
    if (issues.size === 0) return [];
    if (found.size === 0) found = issues;
  }
  return [...found].map(([name, message]) => ({
    pointer: pointerOf(['prefill', name]),
    message: `${message}, and the reviewer can't edit it: set it in prefill or add it to editableFields`,
  }));
}

const issuesOf = (fields: readonly FormField[], values: Values): Map<string, string> =>
  new Map(checkValues(fields, values).issues.map(({ field, message }) => [field, message]));

const alwaysShown = ({ showIf: _showIf, ...field }: FormField): FormField => field;

/** Returns these fields and those that their conditions depend on, in the order of the form. */
function withSources(form: readonly FormField[], names: ReadonlySet<string>): FormField[] {
  const byName = new Map(form.map((field) => [field.name, field]));
  const reached = new Set<string>();
  for (const name of names) {
    let next: string | undefined = name;
    while (next !== undefined && !reached.has(next)) {
      reached.add(next);
      next = byName.get(next)?.showIf?.field;
    }
  }
  return form.filter(({ name }) => reached.has(name));
}

/** Returns the values of `field` that show another one of `fields`. */
const conditionsOn = (field: FormField, fields: readonly FormField[]): ReadonlySet<unknown> =>
  new Set(
    fields.flatMap(({ showIf }) => (showIf?.field === field.name ? [wantedValue(field, showIf.equals)] : [])),
  );

interface Choices {
  field: FormField;
  /**
   * What a reviewer can enter, reduced to the values that the conditions on the field distinguish.
   */
  values: unknown[];
}

/**
 * Conditions only ever show fields, so a value that meets none of them, if the reviewer can enter
 * one, is the best choice.
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
