import { isEmpty, readFieldValue } from './field-value.ts';
import { refuseInEnglish } from './field-value.ts';
import type { Refuse, ValueReading } from './field-value.ts';
import { BLOCK_TYPES } from './field-types.ts';
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
 * as is a value whose key is no field. Content has no values, so those are dropped. A visitor can't have meant such a value, so web submissions
 * drop it. Another system may have meant it, so inbound submissions keep it (`{ ...values,
 * ...notShown, ...unknown }`). `say` words the issues. See docs/reference/forms.md#field-validation.
 */
export function checkValues(
  fields: readonly FieldRules[],
  data: Readonly<Record<string, unknown>>,
  say: Refuse = refuseInEnglish,
): CheckedValues {
  const form = new Map(fields.map((field) => [field.name, field]));
  const sent = Object.entries(data);
  const readings = readValues(form, sent, say);
  const visible = visibleFields(form, readings);

  const issues: FieldIssue[] = [];
  const values: [string, unknown][] = [];
  const notShown: [string, unknown][] = [];
  const unknown: [string, unknown][] = [];
  for (const field of visible) {
    const message = problemOf(field, readings.get(field), say);
    if (message !== undefined) issues.push({ field: field.name, message });
  }
  for (const [key, value] of sent) {
    const field = form.get(key);
    if (field === undefined) unknown.push([key, value]);
    else if (isBlock(field)) continue;
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

const isBlock = ({ type }: FieldRules) => BLOCK_TYPES.includes(type);

type Form = ReadonlyMap<string, FieldRules>;
/**
 * Parsed values by field. Each value is parsed only once, even if several fields depend on it. A
 * field without a value has no entry.
 */
type Readings = ReadonlyMap<FieldRules, ValueReading>;

function readValues(form: Form, sent: readonly [string, unknown][], say: Refuse): Readings {
  const readings = new Map<FieldRules, ValueReading>();
  for (const [key, value] of sent) {
    const field = form.get(key);
    if (field !== undefined && !isBlock(field) && !isEmpty(value))
      readings.set(field, readFieldValue(field, value, say));
  }
  return readings;
}

function problemOf(field: FieldRules, reading: ValueReading | undefined, say: Refuse): string | undefined {
  if (isBlock(field)) return undefined;
  if (reading === undefined) return field.required ? say('required', undefined) : undefined;
  if ('message' in reading) return reading.message;
  if (field.required && field.type === 'checkbox' && reading.value === false) return say('check', undefined);
  return field.required && field.type === 'consent' && plainValue(reading.value) === false
    ? say('consent', undefined)
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

/** The value that conditions compare: of a consent, whether it was accepted. */
function plainValue(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'accepted' in value ? value.accepted : value;
}

type Expected = NonNullable<FieldRules['showIf']>['equals'];

/**
 * Whether the value of `field` equals `expected`, or is a list that contains it. A missing value
 * counts as `''`, and as `false` for a checkbox or a consent.
 */
function matchesCondition(field: FieldRules, reading: ValueReading | undefined, expected: Expected): boolean {
  const actual = reading ?? { value: /^(checkbox|consent)$/.test(field.type) ? false : '' };
  if ('message' in actual) return false;
  const choice = wantedValue(field, expected);
  const value = field.type === 'consent' ? plainValue(actual.value) : actual.value;
  return Array.isArray(value) ? value.includes(choice) : value === choice;
}

/**
 * The value that a condition expects from `field`, in the stored form; a single choice for
 * `checkboxes`.
 */
export function wantedValue(field: FieldRules, expected: Expected): Expected {
  const reading = readFieldValue(field, expected);
  const read = 'value' in reading ? reading.value : expected;
  const value = (field.type === 'consent' ? plainValue(read) : read) as Expected | [Expected];
  return Array.isArray(value) ? value[0] : value;
}
