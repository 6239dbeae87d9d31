import { isEmpty, readFieldValue } from './field-value.ts';
import { refuseInEnglish } from './field-value.ts';
import type { Refuse, ValueReading } from './field-value.ts';
import { BLOCK_TYPES, CHOICE_TYPES } from './field-types.ts';
import type { FieldRules } from './field-types.ts';
import {
  conditionsIn,
  courseOf,
  type LogicCondition,
  type LogicConditions,
  type Jump,
  type ShowIf,
} from './logic.ts';

/** An invalid value of one field. */
interface FieldIssue {
  field: string;
  message: string;
}

interface CheckedValues {
  /** Values of the visible fields in their stored form; empty values as they were sent. */
  values: Record<string, unknown>;
  /** Values of fields that logic hides, as they were sent and not validated. */
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
 * A field that `showIf` or a jump hides is neither required nor validated. Its value is returned
 * separately, as is a value whose key is no field. Content has no values, so those are dropped. A
 * visitor can't have meant such a value, so web submissions drop it. Another system may have meant
 * it, so inbound submissions keep it (`{ ...values, ...notShown, ...unknown }`). `say` words the
 * issues. See docs/reference/forms.md#field-validation.
 */
export function checkValues(
  fields: readonly FieldRules[],
  data: Readonly<Record<string, unknown>>,
  jumps: readonly Jump[] = [],
  say: Refuse = refuseInEnglish,
): CheckedValues {
  const form = new Map(fields.map((field) => [field.name, field]));
  const sent = Object.entries(data);
  const readings = readValues(form, sent, say);
  const visible = visibleFields(form, jumps, readings);

  const issues: FieldIssue[] = [];
  const values: [string, unknown][] = [];
  const notShown: [string, unknown][] = [];
  const unknown: [string, unknown][] = [];
  for (const field of form.values()) {
    if (!visible.has(field)) continue;
    const message = problemOf(field, readings.get(field), say);
    if (message) issues.push({ field: field.name, message });
  }
  for (const [key, value] of sent) {
    const field = form.get(key);
    if (!field) unknown.push([key, value]);
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
    if (field && !isBlock(field) && !isEmpty(value)) readings.set(field, readFieldValue(field, value, say));
  }
  return readings;
}

function problemOf(field: FieldRules, reading: ValueReading | undefined, say: Refuse): string | undefined {
  if (isBlock(field)) return undefined;
  if (!reading) return field.required ? say('required', undefined) : undefined;
  if ('message' in reading) return reading.message;
  return field.required && isTick(field) && comparable(field, reading.value) === false
    ? say(field.type === 'consent' ? 'consent' : 'check', undefined)
    : undefined;
}

function storedValue(reading: ValueReading | undefined, sent: unknown): unknown {
  return reading && 'value' in reading ? reading.value : sent;
}

/** Fields that are shown. */
function visibleFields(form: Form, jumps: readonly Jump[], readings: Readings): ReadonlySet<FieldRules> {
  const answers = new Map(
    [...readings].map(([field, reading]) => [
      field,
      // An invalid answer has no value.
      searchable(comparable(field, (reading as { value?: unknown }).value)),
    ]),
  );
  const answerOf = (field: FieldRules) =>
    answers.has(field) ? answers.get(field) : isTick(field) ? false : '';
  return courseOf([...form.values()], jumps, answerOf, wantedIn).visible;
}

/**
 * An answer. If it is a list, conditions find its entries in constant time, as each jump tests all
 * of them again.
 */
function searchable(answer: unknown): unknown {
  if (!Array.isArray(answer)) return answer;
  const entries = new Set<unknown>(answer);
  return Object.assign([...entries], { includes: (entry: unknown) => entries.has(entry) });
}

const isTick = ({ type }: FieldRules) => type === 'checkbox' || type === 'consent';

/** The value that conditions compare: of a consent, whether it was accepted. */
const comparable = ({ type }: FieldRules, value: unknown): unknown =>
  type === 'consent' ? ((value as { accepted?: unknown } | null | undefined)?.accepted ?? value) : value;

type Expected = string | number | boolean;

/** The value of a condition in the stored form of the answers. Parts of texts have none. */
function wantedIn(field: FieldRules, { op, value }: LogicCondition): Expected | undefined {
  const isText = op === 'answered' || (op === 'contains' && field.type !== 'checkboxes');
  return value === undefined || isText ? value : wantedValue(field, value);
}

/** Converts the values of a rule to the stored form of the answers that it compares them with. */
export function storedCondition<R extends ShowIf>(rule: R, form: Form): R {
  const list = conditionsIn(rule).list.map((condition) => {
    const source = form.get(condition.field);
    return source && condition.value !== undefined
      ? { ...condition, value: wantedIn(source, condition) }
      : condition;
  });
  if ('equals' in rule) return { ...rule, equals: list[0]?.value };
  return ('all' in rule ? { all: list } : { any: list }) as LogicConditions as R;
}

/** Jumps with the values of their conditions in the stored form. */
export const storedJumps = (jumps: readonly Jump[], form: Form): Jump[] =>
  jumps.map((jump) => (jump.when ? { ...jump, when: storedCondition(jump.when, form) } : jump));

/**
 * The value that a condition expects from `field`, in the stored form; a single choice for
 * `checkboxes`.
 */
export function wantedValue(field: FieldRules, expected: Expected): Expected {
  // Choices are stored as text. Reading one would search its options, which may be thousands, for
  // each of many conditions.
  if (CHOICE_TYPES.includes(field.type)) return String(expected);
  const reading = readFieldValue(field, expected);
  return comparable(field, 'value' in reading ? reading.value : expected) as Expected;
}
