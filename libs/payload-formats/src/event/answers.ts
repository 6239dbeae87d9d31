import { BLOCK_TYPES, labelText } from '@svcforms/contracts';
import type { Envelope, PayloadEvent, PayloadForm } from './payload-event.ts';

/** A submitted value with the label of its field. */
export interface Answer {
  /** The key in the submitted data. */
  name: string;
  /** The label of the field; the key if the form has no such field. */
  label: string;
  /** The type of the field; `null` if the form has no such field. */
  type: string | null;
  value: unknown;
  /** The value as people read it, with the labels of options. Empty for an empty answer. */
  text: string;
}

type Field = PayloadForm['fields'][number];

/**
 * The submitted values of an event: first those of the form's fields, in their order, then all
 * others. Lazy, because messages show only the first ones. Events without values have none.
 */
export function* answersOf({ type, form }: PayloadEvent, { data }: Envelope): Generator<Answer> {
  const values = submittedValues(type, data);
  const fields = (form?.fields ?? []).filter((field) => !BLOCK_TYPES.includes(field.type));
  const known = new Set(fields.map(({ name }) => name));
  for (const field of fields) {
    if (Object.hasOwn(values, field.name)) yield answerOf(field.name, values[field.name], field);
  }
  for (const name of Object.keys(values)) {
    if (!known.has(name)) yield answerOf(name, values[name]);
  }
}

function submittedValues(type: PayloadEvent['type'], data: Envelope['data']): Record<string, unknown> {
  if (type === 'form.submission.new' || type === 'submission.created') return data;
  const { submission } = data;
  const isObject = typeof submission === 'object' && submission !== null;
  return type === 'hitl.task.completed' && isObject ? (submission as Record<string, unknown>) : {};
}

function answerOf(name: string, value: unknown, field?: Field): Answer {
  const label = labelText(field?.label ?? '').trim() || name;
  return { name, label, type: field?.type ?? null, value, text: textOf(value, field) };
}

function textOf(
  value: unknown,
  field: Field | undefined,
  labels = new Map(field?.options?.map((option) => [option.value, option.label])),
): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return (labels.get(value) || value).trim();
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) {
    const texts = value.map((item) => textOf(item, field, labels)).filter((text) => text !== '');
    return texts.join(', ');
  }
  if (field?.type === 'consent' && 'accepted' in (value as object))
    return (value as { accepted: unknown }).accepted === true ? 'Yes' : 'No';
  return JSON.stringify(value);
}
