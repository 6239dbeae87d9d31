import { valueFields, type EventType, type FormField } from '@svcforms/contracts';
import { labelOf, optionLabel } from '../../../components/field-labels.ts';
import { filterTexts as texts } from '../../../texts/webhook-filters.ts';
import type { EditorOp, ValueKind } from './filter-draft.ts';

const EQUALITY = ['eq', 'ne', 'in'] as const;
const ORDER = ['gt', 'gte', 'lt', 'lte'] as const;
const PRESENCE = ['exists', 'missing'] as const;

/** Which operators make sense for which values. */
const OPS = {
  text: [...EQUALITY, 'contains', ...PRESENCE],
  number: [...EQUALITY, ...ORDER, ...PRESENCE],
  boolean: ['eq', 'ne', ...PRESENCE],
  list: ['contains', ...PRESENCE],
  moment: [...EQUALITY, ...ORDER, ...PRESENCE],
  any: [...EQUALITY, 'contains', ...ORDER, ...PRESENCE],
} as const satisfies Record<string, readonly EditorOp[]>;

/** The operators for values of unknown types. */
export const ALL_OPS: readonly EditorOp[] = OPS.any;

/** A value in the bodies of events that the editor offers. */
export interface PathChoice {
  path: string;
  label: string;
  /** The kind of its values; absent if they can have any. */
  kind?: ValueKind;
  ops: readonly EditorOp[];
  /** The values that it can have. */
  options?: { value: string; label: string }[];
  /** The type of its input. */
  input?: 'date' | 'time';
}

type Form = { fields: readonly FormField[] };

const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** The values of submitted fields, each name once, by the label in the first form that has it. */
export function fieldPaths(forms: readonly Form[]): PathChoice[] {
  const choices = new Map<string, PathChoice>();
  for (const field of forms.flatMap(({ fields }) => valueFields([...fields]))) {
    if (!choices.has(field.name)) choices.set(field.name, choiceOf(field));
  }
  return [...choices.values()];
}

function choiceOf(field: FormField): PathChoice {
  const { name, type, options } = field;
  const path = `/data/${escaped(name)}`;
  const label = labelOf(field);
  switch (type) {
    case 'number':
    case 'rating':
      return { path, label, kind: 'number', ops: OPS.number };
    case 'checkbox':
      return { path, label, kind: 'boolean', ops: OPS.boolean };
    case 'consent':
      // Its label is a whole sentence.
      return { path: `${path}/accepted`, label: texts.accepted(name), kind: 'boolean', ops: OPS.boolean };
    case 'date':
    case 'time':
      return { path, label, kind: 'text', ops: OPS.moment, input: type };
    case 'hidden':
      return { path, label, ops: OPS.any };
    default: {
      const ops = type === 'checkboxes' ? OPS.list : OPS.text;
      const named = options?.map((option) => ({ value: option.value, label: optionLabel(option) }));
      return { path, label, kind: 'text', ops, ...(named && { options: named }) };
    }
  }
}

/** The other values in the bodies of these types of events. */
export function eventPaths(types: readonly EventType[]): PathChoice[] {
  const has = (prefix: string) => types.some((type) => type.startsWith(prefix));
  const text = (path: keyof typeof texts.paths, options?: readonly string[]): PathChoice => ({
    path,
    label: texts.paths[path],
    kind: 'text',
    ops: OPS.text,
    ...(options && { options: options.map((value) => ({ value, label: value })) }),
  });
  const ofSubmissions = [
    text('/metadata/submittedVia', ['web', 'inbound', 'task']),
    text('/metadata/page'),
    text('/formId'),
  ];
  return [
    text('/eventType', types),
    ...(has('form.submission') || has('submission.') ? ofSubmissions : []),
    ...(has('decision.')
      ? [text('/data/decision/outcome', ['approved', 'rejected']), text('/data/formId')]
      : []),
    ...(has('hitl.task.') ? [text('/data/title'), text('/data/templateId')] : []),
    { ...text('/timestamp'), ops: OPS.moment },
  ];
}
