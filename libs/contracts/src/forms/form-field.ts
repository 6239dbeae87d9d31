import { z } from 'zod';
import { fieldProblems, nameProblems } from './field-problems.ts';
import type { FieldProblem } from './field-problems.ts';
import { FIELD_TYPES, RATING_STYLES } from './field-types.ts';
import { showIfProblems } from './logic-problems.ts';
import { ShowIf } from './logic-schema.ts';
import { pictureUrl } from './theme.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;
const RESERVED_NAMES: readonly string[] = ['__proto__', 'prototype', 'constructor'];

/**
 * The name of a field, which is the key of its value in submitted data. See
 * docs/reference/forms.md#fields.
 */
export const FieldName = z
  .string()
  .regex(
    NAME,
    'must start with a letter or _, followed by letters, digits, _ . or -, and have at most 64 characters',
  )
  .refine((name) => !RESERVED_NAMES.includes(name), 'is reserved; choose another name')
  .meta({ description: 'Name of the field; key of its value in submitted data.', example: 'email' });

const FieldOption = z
  .strictObject({
    value: z
      .string()
      .meta({ description: 'Submitted value; not empty for `select` and `radio`.', example: 'm' }),
    label: z
      .string()
      .meta({ description: 'Label of the option. Default: the value.', example: 'Medium' })
      .optional(),
  })
  .meta({ id: 'FieldOption', description: 'One option of a field.' });

const bound = z.union([z.number(), z.string()]);
const length = z.int().min(0);

const fieldShape = z.strictObject({
  name: FieldName,
  type: z.enum(FIELD_TYPES).meta({ description: 'Type of the field.', example: 'email' }),
  label: z
    .string()
    .meta({
      description:
        'Label of the field. Default: the name. May contain links: `[terms](https://…)`. Text of a `heading`, a `paragraph` (Markdown) or a `consent`, which need it.',
      example: 'Email',
    })
    .optional(),
  src: pictureUrl
    .meta({
      description: 'URL of an `image`, which needs it. Other types ignore it.',
      example: 'https://www.example.com/map.png',
    })
    .optional(),
  alt: z
    .string()
    .max(500)
    .meta({
      description: 'Alternative text of an `image`. Default: none, for pictures that only decorate.',
      example: 'Map of the venue',
    })
    .optional(),
  required: z
    .boolean()
    .meta({ description: 'Whether a value is required. Default: false.', example: true })
    .optional(),
  placeholder: z
    .string()
    .meta({ description: 'Placeholder while the field is empty.', example: 'ada@example.com' })
    .optional(),
  help: z
    .string()
    .meta({ description: 'Help text below the field.', example: 'We never share it.' })
    .optional(),
  options: z
    .array(FieldOption)
    .meta({
      description:
        'Options of `select`, `radio` and `checkboxes`, which need at least one. Values must be unique.',
      example: [{ value: 's' }, { value: 'm', label: 'Medium' }],
    })
    .optional(),
  min: bound
    .meta({
      description:
        'Minimum: a number for `number` and `rating` (default: 1), YYYY-MM-DD for `date`, HH:MM for `time`. Other types ignore it.',
      example: 1,
    })
    .optional(),
  max: bound
    .meta({
      description: 'Maximum, in the format of `min`. For `rating` at most 100, by default 5.',
      example: 10,
    })
    .optional(),
  ratingStyle: z
    .enum(RATING_STYLES)
    .meta({
      description:
        'How a `rating` is drawn. Default: stars for up to seven values from 1, else numbers. Other types ignore it.',
      example: 'stars',
    })
    .optional(),
  minLength: length.meta({ description: 'Minimum number of characters of a text.', example: 2 }).optional(),
  maxLength: length
    .meta({
      description: 'Maximum number of characters of a text. Default: no limit but the size of the body.',
      example: 500,
    })
    .optional(),
  defaultValue: z
    .union([z.string(), z.number(), z.boolean(), z.array(z.string())])
    .meta({ description: 'Default value; must be valid for the field.', example: 'm' })
    .optional(),
  showIf: ShowIf.optional(),
  step: z
    .int()
    .min(1)
    .max(100)
    .meta({
      description: 'Step that shows the field, in a form with several steps. Default: 1.',
      example: 2,
    })
    .optional(),
});

/**
 * One field of a form. Requests and responses have the same properties, because a field is stored
 * as it was sent.
 */
export const FormField = fieldShape
  .superRefine((field, context) => report(fieldProblems(field), context))
  .meta({ id: 'FormField', description: 'A field of a form.' });
export type FormField = z.output<typeof FormField>;

/** The fields of a form; the list may be empty. */
export const FormFields = z
  .array(FormField)
  .superRefine((fields, context) => report([...nameProblems(fields), ...showIfProblems(fields)], context))
  .meta({
    description: 'Fields of the form, in order. Names must be unique.',
    example: [{ name: 'email', type: 'email', label: 'Email', required: true }],
  });

function report(problems: readonly FieldProblem[], context: z.RefinementCtx): void {
  for (const { path, message } of problems) context.addIssue({ code: 'custom', path, message });
}
