import { z } from 'zod';
import type { WebhookFilter as Filter } from './filter-match.ts';
import { FILTER_LIMITS, FILTER_PATH, filterProblems } from './filter-problems.ts';

const path = z.string().max(FILTER_LIMITS.pathLength).regex(FILTER_PATH).meta({
  description:
    'JSON pointer (RFC 6901) into the body of the event. The value of a field is at `/data/` and its name; `/` in a key is `~1` and `~` is `~0`.',
  example: '/data/email',
});

const text = z.string().max(FILTER_LIMITS.textLength);
const scalar = z.union([text, z.number(), z.boolean(), z.null()]);

const FilterCondition = z
  .discriminatedUnion('op', [
    z.strictObject({
      path,
      op: z.enum(['eq', 'ne']).meta({ description: 'Equal, or not equal. Types are strict: 5 is not "5".' }),
      value: scalar.meta({ description: 'Text, a number, true, false or null.', example: 'team' }),
    }),
    z.strictObject({
      path,
      op: z.literal('in').meta({ description: 'Equal to one value of the list.' }),
      value: z
        .array(scalar)
        .min(1)
        .max(FILTER_LIMITS.listLength)
        .meta({ description: 'Values to compare with.', example: ['team', 'business'] }),
    }),
    z.strictObject({
      path,
      op: z.literal('exists').meta({ description: 'Whether the path leads to a value; null is one.' }),
      value: z.boolean().meta({ description: 'false: the path leads nowhere.', example: true }),
    }),
    z.strictObject({
      path,
      op: z.enum(['gt', 'gte', 'lt', 'lte']).meta({
        description: 'Greater than, greater or equal, less than, less or equal; also later and earlier.',
      }),
      value: z.union([z.number(), text]).meta({
        description:
          'A number; or a date (`2026-03-14`), a time with its offset (`2026-03-14T09:26:53Z`), or a time of day (`09:30`).',
        example: 100,
      }),
    }),
    z.strictObject({
      path,
      op: z.literal('contains').meta({ description: 'The text contains this text, or the list this value.' }),
      value: z
        .union([text.min(1), z.number(), z.boolean(), z.null()])
        .meta({ description: 'Part of a text, or an element of a list.', example: '@example.com' }),
    }),
  ])
  .meta({
    id: 'WebhookFilterCondition',
    description: 'One condition on the body of an event.',
    example: { path: '/data/email', op: 'contains', value: '@example.com' },
  });

function groupOf<T extends z.ZodType>(element: T) {
  const list = z.array(element).min(1).max(FILTER_LIMITS.conditions);
  return z.union([
    z.strictObject({ all: list.meta({ description: 'All of these must match.' }) }),
    z.strictObject({ any: list.meta({ description: 'At least one of these must match.' }) }),
  ]);
}

const innerGroup = groupOf(FilterCondition).meta({
  id: 'WebhookFilterInnerGroup',
  description: 'A group of conditions.',
});
const group = groupOf(z.union([FilterCondition, innerGroup])).meta({
  id: 'WebhookFilterGroup',
  description: 'A group of conditions, and of groups of them.',
});
const structure: z.ZodType<Filter> = groupOf(z.union([FilterCondition, group]));

/**
 * The filter of a webhook, in requests and as it was saved. `filterProblems` says what is wrong and
 * where, which the alternatives of a union couldn't. See docs/reference/webhooks.md#filters.
 */
export const WebhookFilter = z
  .preprocess((input, context) => {
    for (const problem of filterProblems(input)) context.addIssue({ code: 'custom', ...problem });
    return input;
  }, structure)
  .meta({
    id: 'WebhookFilter',
    description:
      'Which of the subscribed events are sent: those whose body matches. Absent: all. Groups nest up to three deep.',
    example: { all: [{ path: '/data/email', op: 'contains', value: '@example.com' }] },
  });
export type WebhookFilter = Filter;
