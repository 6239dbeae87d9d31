import { isEmpty, readFieldValue } from './field-value.ts';
import type { ValueReading } from './field-value.ts';
import type { FieldRules } from './field-types.ts';

/** What is wrong with the value of one field. */
export interface FieldIssue {
  field: string;
  message: string;
}

export interface CheckedValues {
  /** Values of fields that are shown, in the form in which they are kept; empty ones as they were sent. */
  values: Record<string, unknown>;
  /** Values of fields that `showIf` hides, as they were sent and unchecked. */
  notShown: Record<string, unknown>;
  /** What belongs to no field, as it was sent. */
  unknown: Record<string, unknown>;
  /** At most one a field, in the order of the fields. */
  issues: FieldIssue[];
}

/**
 * Checks submitted data against the fields of a form; the same in the browser and on the server. Never throws, and
 * takes time linear in the data, whatever the keys and values are.
 *
 * A field that `showIf` hides is neither required nor checked. Its value, like a key that is no field, is handed
 * back apart: a visitor couldn't have meant it, so the web drops it; another system may well have, so inbound keeps
 * it (`{ ...values, ...notShown, ...unknown }`). docs/reference/forms.md#field-validation
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
/** Each value is read once, however many fields depend on it. A field without an answer has no entry. */
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

/** Fields that their `showIf`, and those of the fields that it depends on, let through; in the order of the form. */
function shownFields(form: Form, answers: Answers): ReadonlySet<FieldRules> {
  const decided = new Map<FieldRules, boolean>();
  for (const field of form.values()) {
    // Down the chain of conditions to what is decided already, then back up. Not recursion: a chain may be long.
    const chain: FieldRules[] = [];
    let next: FieldRules | undefined = field;
    while (next !== undefined && !decided.has(next)) {
      // Stands while the chain is followed: a circle, which no saved form has, hides its fields.
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

/** Whether the answer to `field` is `wanted`, or has it among its choices. No answer is `''`, an unticked box false. */
function holds(field: FieldRules, answer: ValueReading | undefined, wanted: Wanted): boolean {
  const held = answer ?? { value: field.type === 'checkbox' ? false : '' };
  if ('message' in held) return false;
  const choice = wantedValue(field, wanted);
  return Array.isArray(held.value) ? held.value.includes(choice) : held.value === choice;
}

/** What a condition wants of `field`, in the form in which its answers are kept: of several choices, one. */
export function wantedValue(field: FieldRules, wanted: Wanted): Wanted {
  const reading = readFieldValue(field, wanted);
  const value = 'value' in reading ? (reading.value as Wanted | [Wanted]) : wanted;
  return Array.isArray(value) ? value[0] : value;
}
