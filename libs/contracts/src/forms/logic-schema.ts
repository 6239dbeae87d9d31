import { z } from 'zod';
import { isWebUrl } from '../api/text-formats.ts';
import type { LogicConditions, ShowIf as Rule } from './logic.ts';
import { MAX_CONDITIONS, MAX_ENDINGS, MAX_JUMPS, structureProblems } from './logic-problems.ts';

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const source = z.string().meta({ description: 'Name of another field of the form.', example: 'plan' });

const LogicCondition = z
  .discriminatedUnion('op', [
    z.strictObject({
      field: source,
      op: z.enum(['eq', 'ne', 'contains', 'gt', 'lt']).meta({
        description:
          'Equal, or not equal; of several choices: selected, or not. `contains`: part of a text, or a selected choice. Greater or later; less or earlier.',
      }),
      value: scalar.meta({ description: 'Value to compare the answer with.', example: 'team' }),
    }),
    z.strictObject({
      field: source,
      op: z.literal('answered').meta({ description: 'Whether there is an answer; a box is ticked.' }),
      value: z
        .boolean()
        .meta({ description: 'false: there is no answer. Default: true.', example: true })
        .optional(),
    }),
  ])
  .meta({
    id: 'LogicCondition',
    description: 'One condition on the answer to a field. It never holds while that field is hidden.',
    example: { field: 'plan', op: 'eq', value: 'team' },
  });

const list = z.array(LogicCondition).min(1).max(MAX_CONDITIONS);
const group = [
  z.strictObject({ all: list.meta({ description: 'All of these must hold.' }) }),
  z.strictObject({ any: list.meta({ description: 'At least one of these must hold.' }) }),
] as const;

function checked<T>(structure: z.ZodType<T>, mayBeOld: boolean) {
  return z.preprocess((input, context) => {
    for (const problem of structureProblems(input, mayBeOld))
      context.addIssue({ code: 'custom', ...problem });
    return input;
  }, structure);
}

/** When a field is shown: conditions, or one equality in the form of earlier versions. */
export const ShowIf = checked<Rule>(
  z.union([
    z.strictObject({
      field: source,
      equals: scalar.meta({
        description: 'Value that the other field must have; for several choices, one that must be selected.',
        example: 'team',
      }),
    }),
    ...group,
  ]),
  true,
).meta({
  id: 'ShowIf',
  description:
    'Conditions under which the field is shown, required and validated: on fields before it. `{field, equals}` is the form of earlier versions.',
  example: { all: [{ field: 'plan', op: 'eq', value: 'team' }] },
});

const When = checked<LogicConditions>(z.union(group), false).meta({
  id: 'LogicConditions',
  description: 'Conditions on answers.',
  example: { any: [{ field: 'score', op: 'lt', value: 7 }] },
});

const Jump = z
  .strictObject({
    from: z.int().min(1).max(100).meta({ description: 'Step after which visitors jump.', example: 1 }),
    to: z.union([z.int().min(1).max(100), z.literal('end')]).meta({
      description: 'Later step that follows instead of the next one, or the end of the form.',
      example: 3,
    }),
    when: When.optional(),
  })
  .meta({
    id: 'Jump',
    description:
      'Which step follows a step. The first jump from it whose conditions hold applies; one without conditions always does.',
  });

/** Jumps between the steps of a form. */
export const Jumps = z
  .array(Jump)
  .max(MAX_JUMPS)
  .meta({
    description: 'Jumps between steps. Fields on skipped steps are hidden.',
    example: [{ from: 1, to: 3, when: { all: [{ field: 'plan', op: 'eq', value: 'free' }] } }],
  });

const Ending = z
  .strictObject({
    name: z
      .string()
      .regex(
        /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/,
        'must start with a letter or _, followed by letters, digits, _ or -, and have at most 64 characters',
      )
      .meta({
        description: 'Name of the ending, unique in the form; key of its translations.',
        example: 'sales',
      }),
    when: When,
    title: z.string().meta({ description: 'Heading after submission.', example: 'Thank you' }).optional(),
    message: z
      .string()
      .meta({ description: 'Text after submission.', example: 'Our sales team will call you.' })
      .optional(),
    redirectUrl: z
      .string()
      .refine(isWebUrl, 'must be a URL that starts with https:// or http://')
      .meta({ description: 'URL to redirect to after submission.', example: 'https://example.com/demo' })
      .optional(),
  })
  .meta({ id: 'Ending', description: 'What visitors with certain answers see after submission.' });

/** Endings of a form by answer. */
export const Endings = z
  .array(Ending)
  .max(MAX_ENDINGS)
  .meta({
    description: 'Endings by answer: the first whose conditions hold replaces `thankYou`.',
    example: [
      {
        name: 'sales',
        when: { all: [{ field: 'seats', op: 'gt', value: 100 }] },
        message: 'Our sales team will call you.',
      },
    ],
  });
export type Ending = z.output<typeof Ending>;
