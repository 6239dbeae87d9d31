import { z } from 'zod';
import { CHOICE_TYPES, FIELD_TYPES } from './field-types.ts';
import type { FieldRules, FieldType } from './field-types.ts';
import { isEmpty, readFieldValue } from './field-value.ts';
import { isDate, isTime } from './text-formats.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;
const RESERVED_NAMES: readonly string[] = ['__proto__', 'prototype', 'constructor'];

/** The name of a field, and so a key of the submitted data. contract: api.md §3 */
export const FieldName = z
  .string()
  .regex(NAME, 'must begin with a letter or _ and go on with letters, digits, _ . or -, at most 64 in all')
  .refine((name) => !RESERVED_NAMES.includes(name), 'is reserved; choose another name')
  .meta({ description: 'Key of the value in submitted data.', example: 'email' });

const FieldOption = z
  .strictObject({
    value: z.string().meta({ description: 'What is submitted.', example: 'm' }),
    label: z
      .string()
      .meta({ description: 'What is shown. Absent: the value.', example: 'Medium' })
      .optional(),
  })
  .meta({ id: 'FieldOption', description: 'One choice of a field.' });

const ShowIf = z
  .strictObject({
    field: z.string().meta({ description: 'Name of another field of the form.', example: 'plan' }),
    equals: z
      .union([z.string(), z.number(), z.boolean()])
      .meta({ description: 'The value, or one of the values, that it has to hold.', example: 'team' }),
  })
  .meta({ id: 'ShowIf', description: 'The field is shown, required and checked only while this holds.' });

const bound = z.union([z.number(), z.string()]);
const length = z.int().min(0);

const fieldShape = z.strictObject({
  name: FieldName,
  type: z.enum(FIELD_TYPES).meta({ description: 'What it asks for.', example: 'email' }),
  label: z
    .string()
    .meta({ description: 'What a visitor reads. Absent: the name.', example: 'E-mail' })
    .optional(),
  required: z
    .boolean()
    .meta({ description: 'Whether it must be answered. Absent: no.', example: true })
    .optional(),
  placeholder: z
    .string()
    .meta({ description: 'Shown while it is empty.', example: 'ada@example.com' })
    .optional(),
  help: z
    .string()
    .meta({ description: 'Explanation below the field.', example: 'We never share it.' })
    .optional(),
  options: z
    .array(FieldOption)
    .meta({
      description: 'Choices of select, radio and checkboxes, which need at least one; values are unique.',
      example: [{ value: 's' }, { value: 'm', label: 'Medium' }],
    })
    .optional(),
  min: bound
    .meta({
      description:
        'Least value: a number for number and rating (absent: 1), YYYY-MM-DD for date, HH:MM for time. Other types ignore it.',
      example: 1,
    })
    .optional(),
  max: bound
    .meta({ description: 'Greatest value, like `min`. Absent for rating: 5, and at most 100.', example: 10 })
    .optional(),
  minLength: length.meta({ description: 'Least number of characters of text.', example: 2 }).optional(),
  maxLength: length
    .meta({
      description: 'Greatest number of characters of text. Absent: only the size of the body limits it.',
      example: 500,
    })
    .optional(),
  defaultValue: z
    .union([z.string(), z.number(), z.boolean(), z.array(z.string())])
    .meta({ description: 'Filled in at first; a value that the field takes.', example: 'm' })
    .optional(),
  showIf: ShowIf.optional(),
  step: z
    .int()
    .min(1)
    .max(100)
    .meta({
      description: 'Page of the form that shows the field, in forms of several steps. Absent: 1.',
      example: 2,
    })
    .optional(),
});

/** One field of a form. The same in requests and answers: it is saved as it was sent. */
export const FormField = fieldShape
  .superRefine((field, context) => {
    for (const { path, message } of fieldProblems(field)) context.addIssue({ code: 'custom', path, message });
  })
  .meta({ id: 'FormField', description: 'One field of a form.' });
export type FormField = z.output<typeof FormField>;

interface Problem {
  path: (string | number)[];
  message: string;
}

function fieldProblems(field: FormField): Problem[] {
  const problems = [...optionProblems(field), ...boundProblems(field), ...lengthProblems(field)];
  return problems.length > 0 ? problems : defaultProblems(field);
}

function optionProblems({ type, options = [] }: FormField): Problem[] {
  if (CHOICE_TYPES.includes(type) && options.length === 0) {
    return [{ path: ['options'], message: `needs at least one option for the type ${type}` }];
  }
  return repeated(options.map(({ value }) => value)).map((index) => ({
    path: ['options', index, 'value'],
    message: 'is the value of an earlier option',
  }));
}

const BOUND_KINDS: Partial<Record<FieldType, { fits: (bound: unknown) => boolean; kind: string }>> = {
  number: { fits: (bound) => typeof bound === 'number', kind: 'a number' },
  rating: {
    fits: (bound) => typeof bound === 'number' && Number.isInteger(bound) && bound >= 0 && bound <= 100,
    kind: 'a whole number from 0 to 100',
  },
  date: {
    fits: (bound) => typeof bound === 'string' && isDate(bound),
    kind: 'a date that exists, as YYYY-MM-DD',
  },
  time: {
    fits: (bound) => typeof bound === 'string' && isTime(bound),
    kind: 'a time of day, as HH:MM or HH:MM:SS',
  },
};

function boundProblems(field: FormField): Problem[] {
  const expected = BOUND_KINDS[field.type];
  if (expected === undefined) return [];
  const { min, max } = field;
  const unfit = (['min', 'max'] as const)
    .filter((key) => field[key] !== undefined && !expected.fits(field[key]))
    .map((key) => ({ path: [key], message: `must be ${expected.kind} for the type ${field.type}` }));
  if (unfit.length > 0 || min === undefined) return unfit;
  // The least value has to be one that the field takes itself: that also minds the default bounds of a rating.
  const reading = readFieldValue({ ...field, min: undefined }, min);
  if (!('message' in reading)) return [];
  return [
    { path: ['min'], message: `must not be greater than max` + (max === undefined ? ', which is 5' : '') },
  ];
}

function lengthProblems({ minLength, maxLength }: FormField): Problem[] {
  return minLength !== undefined && maxLength !== undefined && minLength > maxLength
    ? [{ path: ['minLength'], message: 'must not be greater than maxLength' }]
    : [];
}

function defaultProblems(field: FormField): Problem[] {
  if (isEmpty(field.defaultValue)) return [];
  const reading = readFieldValue(field, field.defaultValue);
  return 'message' in reading ? [{ path: ['defaultValue'], message: reading.message }] : [];
}

/** The fields of a form, which may have none. */
export const FormFields = z
  .array(FormField)
  .superRefine((fields, context) => {
    const problems = [...nameProblems(fields), ...showIfProblems(fields)];
    for (const { path, message } of problems) context.addIssue({ code: 'custom', path, message });
  })
  .meta({
    description: 'What the form asks, in order; names are unique.',
    example: [{ name: 'email', type: 'email', label: 'E-mail', required: true }],
  });

function nameProblems(fields: readonly FieldRules[]): Problem[] {
  return repeated(fields.map(({ name }) => name)).map((index) => ({
    path: [index, 'name'],
    message: 'is the name of an earlier field',
  }));
}

function showIfProblems(fields: readonly FieldRules[]): Problem[] {
  const form = new Map(fields.map((field) => [field.name, field]));
  const circular = circularFields(form);
  return fields.flatMap(({ name, showIf }, index) => {
    const path = [index, 'showIf', 'field'];
    if (showIf === undefined) return [];
    if (showIf.field === name || !form.has(showIf.field)) {
      return [{ path, message: 'must be the name of another field of the form' }];
    }
    return circular.has(name)
      ? [{ path, message: 'depends on this field itself, so neither could be shown' }]
      : [];
  });
}

/** Names of fields whose chain of conditions comes back to them. */
function circularFields(form: ReadonlyMap<string, FieldRules>): ReadonlySet<string> {
  const circular = new Set<string>();
  const visited = new Set<string>();
  for (const start of form.keys()) {
    const chain = new Set<string>();
    let name: string | undefined = start;
    while (name !== undefined && !visited.has(name)) {
      visited.add(name);
      chain.add(name);
      name = form.get(name)?.showIf?.field;
    }
    if (name === undefined || !chain.has(name)) continue;
    const names = [...chain];
    for (const member of names.slice(names.indexOf(name))) circular.add(member);
  }
  return circular;
}

/** Indices of entries that repeat an earlier one. */
function repeated(values: readonly string[]): number[] {
  const seen = new Set<string>();
  return values.flatMap((value, index) => {
    const isRepeated = seen.has(value);
    seen.add(value);
    return isRepeated ? [index] : [];
  });
}
