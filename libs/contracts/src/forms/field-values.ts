import { isEmpty, readFieldValue } from './field-value.ts';
import type { ValueReading } from './field-value.ts';
import type { FieldRules } from './field-types.ts';

/** An invalid value of one field. */
interface FieldIssue {
  field: string;
  message: string;
}

interface CheckedValues {
  /** Values of the visible fields in their stored form; empty values as they were sent. */
  values: Record<string, unknown>;
  /** Values of fields that `showIf` hides, as they were sent and not validated. */
  notShown: Record<string, unknown>;
  /** Values whose key is no field, as they were sent. */
  unknown: Record<string, unknown>;
  /** At most one issue per field, in the order of the fields. */
  issues: FieldIssue[];
}

/**
 * Validates submitted data against the fields of a form, with the same rules in the browser and on
 * the server. Never throws. Takes linear time in the size of the data for any keys and values.
 *
 * A field that `showIf` hides is neither required nor validated. Its value is returned separately,
 * as is a value whose key is no field. A visitor can't have meant such a value, so web submissions
 * drop it. Another system may have meant it, so inbound submissions keep it (`{ ...values,
 * ...notShown, ...unknown }`). See docs/reference/forms.md#field-validation.
 */
export function checkValues(
  fields: readonly FieldRules[],
  data: Readonly<Record<string, unknown>>,
): CheckedValues {
  const form = new Map(fields.map((field) => [field.name, field]));
  const sent = Object.entries(data);
  const readings = readValues(form, sent);
  const visible = visibleFields(form, readings);

  const issues: FieldIssue[] = [];
  const values: [string, unknown][] = [];
  const notShown: [string, unknown][] = [];
  const unknown: [string, unknown][] = [];
  for (const field of visible) {
    const message = problemOf(field, readings.get(field));
    if (message !== undefined) issues.push({ field: field.name, message });
  }
  for (const [key, value] of sent) {
    const field = form.get(key);
    if (field === undefined) unknown.push([key, value]);
    else if (!visible.has(field)) notShown.push([key, value]);
    else values.push([key, storedValue(readings.get(field), value)]);
  }
  return {
    values: Object.fromEntries(values),
    notShown: Object.fromEntries(notShown),
    unknown: Object.fromEntries(unknown),
    issues,
  };
}

type Form = ReadonlyMap<string, FieldRules>;
/**
 * Parsed values by field. Each value is parsed only once, even if several fields depend on it. A
 * field without a value has no entry.
 */
type Readings = ReadonlyMap<FieldRules, ValueReading>;

function readValues(form: Form, sent: readonly [string, unknown][]): Readings {
  const readings = new Map<FieldRules, ValueReading>();
  for (const [key, value] of sent) {
    const field = form.get(key);
    if (field !== undefined && !isEmpty(value)) readings.set(field, readFieldValue(field, value));
  }
  return readings;
}

function problemOf(field: FieldRules, reading: ValueReading | undefined): string | undefined {
  if (reading === undefined) return field.required ? 'is required' : undefined;
  if ('message' in reading) return reading.message;
  return field.required && field.type === 'checkbox' && reading.value === false
    ? 'must be checked'
    : undefined;
}

function storedValue(reading: ValueReading | undefined, sent: unknown): unknown {
  return reading !== undefined && 'value' in reading ? reading.value : sent;
}

/**
 * Fields whose condition holds and that depend only on visible fields, in the order of the form.
 */
function visibleFields(form: Form, readings: Readings): ReadonlySet<FieldRules> {
  const decided = new Map<FieldRules, boolean>();
  for (const field of form.values()) {
    // Follows the chain of conditions to a decided field, then decides the fields of the chain in
    // reverse. Recursion could overflow the stack, because a chain may have any length.
    const chain: FieldRules[] = [];
    let next: FieldRules | undefined = field;
    while (next !== undefined && !decided.has(next)) {
      // A preliminary value that ends a cycle. Saved forms have no cycles; here a cycle hides its
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
            matchesCondition(source, readings.get(source), dependent.showIf.equals)),
      );
    }
  }
  return new Set([...form.values()].filter((field) => decided.get(field)));
}

type Expected = NonNullable<FieldRules['showIf']>['equals'];

/**
 * Whether the value of `field` equals `expected`, or is a list that contains it. A missing value
 * counts as `''`, and as `false` for a checkbox.
 */
function matchesCondition(field: FieldRules, reading: ValueReading | undefined, expected: Expected): boolean {
  const actual = reading ?? { value: field.type === 'checkbox' ? false : '' };
  if ('message' in actual) return false;
  const choice = wantedValue(field, expected);
  return Array.isArray(actual.value) ? actual.value.includes(choice) : actual.value === choice;
}

/**
 * The value that a condition expects from `field`, in the stored form; a single choice for
 * `checkboxes`.
 */
export function wantedValue(field: FieldRules, expected: Expected): Expected {
  const reading = readFieldValue(field, expected);
  const value = 'value' in reading ? (reading.value as Expected | [Expected]) : expected;
  return Array.isArray(value) ? value[0] : value;
}
