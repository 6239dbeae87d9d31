import { isEmpty, readFieldValue } from './field-value.ts';
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
  hidden: Record<string, unknown>;
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
 * it (`{ ...values, ...hidden, ...unknown }`). contract: api.md §3, §4
 */
export function checkValues(
  fields: readonly FieldRules[],
  data: Readonly<Record<string, unknown>>,
): CheckedValues {
  const sent = new Map(Object.entries(data));
  const form = new Map(fields.map((field) => [field.name, field]));
  const shown = shownFields(form, sent);

  const issues: FieldIssue[] = [];
  const kept = new Map<string, unknown>();
  for (const field of shown) {
    const reading = readAnswer(field, sent.get(field.name));
    if ('message' in reading) issues.push({ field: field.name, message: reading.message });
    else kept.set(field.name, reading.value);
  }

  const entries = [...sent];
  return {
    values: Object.fromEntries(entries.filter(([key]) => kept.has(key)).map(([key]) => [key, kept.get(key)])),
    hidden: Object.fromEntries(entries.filter(([key]) => isHidden(form.get(key), shown))),
    unknown: Object.fromEntries(entries.filter(([key]) => !form.has(key))),
    issues,
  };
}

function readAnswer(field: FieldRules, value: unknown): ReturnType<typeof readFieldValue> {
  if (isEmpty(value)) return field.required ? { message: 'is required' } : { value };
  const reading = readFieldValue(field, value);
  const declined =
    field.type === 'checkbox' && field.required && 'value' in reading && reading.value === false;
  return declined ? { message: 'must be ticked' } : reading;
}

function isHidden(field: FieldRules | undefined, shown: ReadonlySet<FieldRules>): boolean {
  return field !== undefined && !shown.has(field);
}

type Form = ReadonlyMap<string, FieldRules>;
type Sent = ReadonlyMap<string, unknown>;

/** Fields that their `showIf`, and those of the fields that it depends on, let through. */
function shownFields(form: Form, sent: Sent): ReadonlySet<FieldRules> {
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
    for (const dependent of chain.reverse()) decided.set(dependent, isShown(dependent, form, sent, decided));
  }
  return new Set([...decided].filter(([, isIn]) => isIn).map(([field]) => field));
}

function isShown(
  { showIf }: FieldRules,
  form: Form,
  sent: Sent,
  decided: ReadonlyMap<FieldRules, boolean>,
): boolean {
  if (showIf === undefined) return true;
  const source = form.get(showIf.field);
  if (source === undefined || decided.get(source) !== true) return false;
  const wanted = heldValues(source, showIf.equals);
  return heldValues(source, sent.get(source.name)).some((value) => wanted.includes(value));
}

/** What a field holds, for comparing: the read value, each one of a list; no answer is `''`, an unticked box false. */
function heldValues(field: FieldRules, value: unknown): unknown[] {
  if (isEmpty(value)) return [field.type === 'checkbox' ? false : ''];
  const reading = readFieldValue(field, value);
  const held = 'value' in reading ? reading.value : value;
  return Array.isArray(held) ? held : [held];
}
