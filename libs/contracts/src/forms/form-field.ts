import { z } from 'zod';
import { fieldProblems, nameProblems, showIfProblems } from '../errors/field-problems.ts';
import type { FieldProblem } from '../errors/field-problems.ts';
import { FIELD_TYPES } from './field-types.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;
const RESERVED_NAMES: readonly string[] = ['__proto__', 'prototype', 'constructor'];

/** The name of a field, which is its key in submissions. docs/reference/forms.md#fields */
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

/** A field of a form, the same in requests and responses. */
export const FormField = fieldShape
  .superRefine((field, context) => report(fieldProblems(field), context))
  .meta({ id: 'FormField', description: 'One field of a form.' });
export type FormField = z.output<typeof FormField>;

/** The fields of a form; may be empty. */
export const FormFields = z
  .array(FormField)
  .superRefine((fields, context) => report([...nameProblems(fields), ...showIfProblems(fields)], context))
  .meta({
    description: 'What the form asks, in order; names are unique.',
    example: [{ name: 'email', type: 'email', label: 'E-mail', required: true }],
  });

function report(problems: readonly FieldProblem[], context: z.RefinementCtx): void {
  for (const { path, message } of problems) context.addIssue({ code: 'custom', path, message });
}
