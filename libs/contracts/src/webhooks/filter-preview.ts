import { z } from 'zod';
import { idOut, timeOut } from '../api/schema-parts.ts';
import { EVENT_TYPES, WEBHOOK_EVENT_TYPES } from './events.ts';
import { WebhookFilter } from './filter.ts';

const limit = z.int().min(1).max(100).default(20).meta({
  description: 'Most events to return, newest first. One more follows of each type that they lack.',
  example: 20,
});
const webhookId = z.string().max(64).meta({
  description: 'Webhook whose saved values stand for those that are absent here.',
  example: 'whk_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
});
const filter = WebhookFilter.optional();
const EVENTS = {
  description: 'Event types to try. Default: those of the webhook, or form.submission.new.',
  example: ['form.submission.new'],
};

const EXAMPLE = {
  filter: { all: [{ path: '/data/email', op: 'contains', value: '@example.com' }] },
  events: ['form.submission.new'],
  limit: 20,
};

/**
 * Request body of POST …/webhooks/filter/preview. See docs/reference/webhooks.md#preview-a-filter.
 */
export const FilterPreviewIn = z
  .strictObject({
    filter,
    webhookId: webhookId.optional(),
    events: z.array(z.enum(WEBHOOK_EVENT_TYPES)).min(1).meta(EVENTS).optional(),
    limit,
  })
  .meta({
    id: 'FilterPreviewIn',
    description: 'A filter to try on recent events of the form.',
    example: EXAMPLE,
  });
export type FilterPreviewIn = z.output<typeof FilterPreviewIn>;

/** Request body of POST /api/webhooks/filter/preview. */
export const AccountFilterPreviewIn = FilterPreviewIn.extend({
  events: z.array(z.enum(EVENT_TYPES)).min(1).meta(EVENTS).optional(),
  forms: z
    .array(z.string().max(64))
    .max(1000)
    .nullable()
    .meta({
      description:
        'Ids of the forms whose events to try. null: all forms of the account. Default: the forms of the webhook, or all.',
      example: ['frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y'],
    })
    .optional(),
}).meta({
  id: 'AccountFilterPreviewIn',
  description: 'A filter to try on recent events of the account.',
  example: EXAMPLE,
});
export type AccountFilterPreviewIn = z.output<typeof AccountFilterPreviewIn>;

const PreviewedEvent = z
  .object({
    eventType: z
      .enum(EVENT_TYPES)
      .meta({ description: 'Type of the event.', example: 'form.submission.new' }),
    formId: idOut('frm', 'Form of the event.'),
    submissionId: idOut('sub', 'Submission of the event, if it has one.').optional(),
    taskId: idOut('tsk', 'Task of the event, if it has one.').optional(),
    timestamp: timeOut('When the event happened.'),
    sample: z.boolean().meta({
      description: 'Whether it is a sample, because there is no recent event of its type.',
      example: false,
    }),
    passes: z.boolean().meta({ description: 'Whether the webhook would get the event.', example: false }),
    decidedBy: z.string().nullable().meta({
      description:
        'JSON pointer, within the filter, to the condition that decided. null if several did together, or without a filter.',
      example: '/all/0',
    }),
    found: z.string().nullable().meta({
      description:
        'What the path of that condition leads to, as JSON of at most 200 characters; null if it leads nowhere or no single condition decided.',
      example: '"ada@example.com"',
    }),
  })
  .meta({ id: 'PreviewedEvent', description: 'An event, and whether the filter lets it pass.' });

/** Response data of POST …/webhooks/filter/preview. */
export const FilterPreviewOut = z
  .object({
    passing: z.int().meta({ description: 'How many of the events pass.', example: 3 }),
    events: z.array(PreviewedEvent).meta({
      description: 'The newest events, newest first. One more follows of each type that they lack.',
    }),
  })
  .meta({ id: 'FilterPreview', description: 'What a filter does with recent events.' });
export type FilterPreviewOut = z.output<typeof FilterPreviewOut>;
