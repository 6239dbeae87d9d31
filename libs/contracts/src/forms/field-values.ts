import { isEmpty, readFieldValue } from './field-value.ts';
import type { ValueReading } from './field-value.ts';
import type { FieldRules } from './field-types.ts';

/** The error of one field's value. */
export interface FieldIssue {
  field: string;
  message: string;
}

export interface CheckedValues {
  /** Normalized values of visible fields; empty ones unchanged. */
  values: Record<string, unknown>;
  /** Unchecked values of fields that `showIf` hides. */
  notShown: Record<string, unknown>;
  /** Unchecked values of keys that aren't fields. */
  unknown: Record<string, unknown>;
  /** At most one per field, in the order of the fields. */
  issues: FieldIssue[];
}

/**
 * Checks submitted data against the fields of a form, in browsers and on the server. Never throws,
 * and takes linear time for any data.
 *
 * A field that `showIf` hides is neither required nor checked. Its value and unknown keys are
 * returned separately: public submissions drop them, because a visitor can't have entered them;
 * inbound submissions and tasks keep them (`{ ...values, ...notShown, ...unknown }`).
 * docs/reference/forms.md#field-validation
 */
export function checkValues(
  fields: readonly FieldRules[],
  data: Readonly<Record<string, unknown>>,
): CheckedValues {
  const form = new Map(fields.map((field) => [field.name, field]));
  const sent = Object.entries(data);
  const answers = readAnswers(form, sent);
  const shown = shownFields(form, answers);

  const issues: FieldIssue[] = [];
  const values: [string, unknown][] = [];
  const notShown: [string, unknown][] = [];
  const unknown: [string, unknown][] = [];
  for (const field of shown) {
    const message = problemOf(field, answers.get(field));
    if (message !== undefined) issues.push({ field: field.name, message });
  }
  for (const [key, value] of sent) {
    const field = form.get(key);
    if (field === undefined) unknown.push([key, value]);
    else if (!shown.has(field)) notShown.push([key, value]);
    else values.push([key, keptValue(answers.get(field), value)]);
  }
  return {
    values: Object.fromEntries(values),
    notShown: Object.fromEntries(notShown),
    unknown: Object.fromEntries(unknown),
    issues,
  };
}

type Form = ReadonlyMap<string, FieldRules>;
/** Reads each value once, no matter how many fields depend on it. Empty fields have no entry. */
type Answers = ReadonlyMap<FieldRules, ValueReading>;

function readAnswers(form: Form, sent: readonly [string, unknown][]): Answers {
  const answers = new Map<FieldRules, ValueReading>();
  for (const [key, value] of sent) {
    const field = form.get(key);
    if (field !== undefined && !isEmpty(value)) answers.set(field, readFieldValue(field, value));
  }
  return answers;
}

function problemOf(field: FieldRules, answer: ValueReading | undefined): string | undefined {
  if (answer === undefined) return field.required ? 'is required' : undefined;
  if ('message' in answer) return answer.message;
  return field.required && field.type === 'checkbox' && answer.value === false ? 'must be ticked' : undefined;
}

function keptValue(answer: ValueReading | undefined, sent: unknown): unknown {
  return answer !== undefined && 'value' in answer ? answer.value : sent;
}

/**
 * Returns the fields whose own condition and those of the fields it depends on are met, in the
 * order of the form.
 */
function shownFields(form: Form, answers: Answers): ReadonlySet<FieldRules> {
  const decided = new Map<FieldRules, boolean>();
  for (const field of form.values()) {
    // Follows the chain of conditions to a decided field, then back. A chain may be too long for
    // recursion.
    const chain: FieldRules[] = [];
    let next: FieldRules | undefined = field;
    while (next !== undefined && !decided.has(next)) {
      // The value while the chain is followed: a circular chain, which no saved form has, hides its
      // fields.
      decided.set(next, false);
      chain.push(next);
      next = next.showIf && form.get(next.showIf.field);
    }
    for (const dependent of chain.reverse()) {
      const source = dependent.showIf && form.get(dependent.showIf.field);
      decided.set(
        dependent,
        dependent.showIf === undefined ||
          (source !== undefined &&
            decided.get(source) === true &&
            holds(source, answers.get(source), dependent.showIf.equals)),
      );
    }
  }
  return new Set([...form.values()].filter((field) => decided.get(field)));
}

type Wanted = NonNullable<FieldRules['showIf']>['equals'];

/**
 * Whether a field's value equals `wanted` or includes it. An empty value is `''`, or false for a
 * checkbox.
 */
function holds(field: FieldRules, answer: ValueReading | undefined, wanted: Wanted): boolean {
  const held = answer ?? { value: field.type === 'checkbox' ? false : '' };
  if ('message' in held) return false;
  const choice = wantedValue(field, wanted);
  return Array.isArray(held.value) ? held.value.includes(choice) : held.value === choice;
}

/** Normalizes the value of a condition on `field`; for multiple choices, one choice. */
export function wantedValue(field: FieldRules, wanted: Wanted): Wanted {
  const reading = readFieldValue(field, wanted);
  const value = 'value' in reading ? (reading.value as Wanted | [Wanted]) : wanted;
  return Array.isArray(value) ? value[0] : value;
}
