import { z } from 'zod';
import { PageQuery } from '../api/pagination.ts';
import { idOut, momentIn, timeOut } from '../api/schema-parts.ts';

const MAX_PAGE_LENGTH = 2048;

const data = z
  .record(z.string(), z.unknown())
  .meta({ description: 'Field name → value.', example: { email: 'ada@example.com' } });

/**
 * Body of a public submission. Unknown keys are dropped, so that embeds of another version don't
 * lose a visitor's input.
 */
export const SubmissionIn = z
  .object({
    data,
    page: z
      .string()
      // Not every store can keep a NUL or half of a surrogate pair.
      .overwrite((page) => page.slice(0, MAX_PAGE_LENGTH).replace(/\0|\p{Surrogate}/gu, ''))
      .meta({
        description: 'Address of the page that shows the form; its first 2048 characters are kept.',
        example: 'https://example.com/pricing',
      })
      .optional(),
    elapsedMs: z
      .number()
      .min(0)
      .meta({ description: 'Milliseconds from showing the form to sending it.', example: 8400 })
      .optional(),
    hp: z
      .string()
      .meta({ description: 'A field that people do not see: filled means that a robot did it.', example: '' })
      .optional(),
  })
  .meta({ id: 'SubmissionIn', description: 'What a visitor submits.' });
export type SubmissionIn = z.output<typeof SubmissionIn>;

/** Response to a public submission. */
export const SubmissionCreatedOut = z
  .object({ submissionId: idOut('sub', 'Id of the submission.') })
  .meta({ id: 'SubmissionCreated', description: 'A submission that was stored.' });
export type SubmissionCreatedOut = z.output<typeof SubmissionCreatedOut>;

/** Metadata that is stored and sent to webhooks. */
export const SubmissionMetadata = z
  .object({
    submittedVia: z
      .enum(['web', 'inbound', 'task'])
      .meta({ description: 'By a visitor, by another system, or by settling a task.', example: 'web' }),
    ipAddress: z
      .string()
      .meta({ description: 'Only where the form keeps it.', example: '203.0.113.7' })
      .optional(),
    userAgent: z
      .string()
      .meta({ description: 'Only where the form keeps it.', example: 'Mozilla/5.0' })
      .optional(),
    page: z
      .string()
      .meta({ description: 'Page that showed the form.', example: 'https://example.com/pricing' })
      .optional(),
    taskId: idOut('tsk', 'Task that made it.').optional(),
    resolvedBy: z
      .enum(['human', 'expiry'])
      .meta({ description: 'Whether a person resolved that task, or its expiry did.', example: 'human' })
      .optional(),
  })
  .meta({ id: 'SubmissionMetadata', description: 'How the submission came.' });
export type SubmissionMetadata = z.output<typeof SubmissionMetadata>;

/** The submission object. docs/reference/forms.md#submission-object */
export const SubmissionOut = z
  .object({
    id: idOut('sub', 'Id of the submission.'),
    formId: idOut('frm', 'Form that was submitted.'),
    data,
    metadata: SubmissionMetadata,
    createdAt: timeOut('When it was accepted.'),
  })
  .meta({ id: 'Submission', description: 'What was submitted.' });
export type SubmissionOut = z.output<typeof SubmissionOut>;

/** Body of POST /api/inbound/{formId}: any object; the form checks its values. */
export const InboundFields = z.record(z.string(), z.unknown()).meta({
  description: 'Field name, or mapped key → value.',
  example: { email: 'ada@example.com', message: 'Hello' },
});

/** Filters of submissions. */
const filters = {
  q: z
    .string()
    .max(200)
    .meta({
      description:
        'Text that a value contains; upper and lower case are the same. One request of a list searches a part of the form; `nextCursor` goes on.',
      example: 'ada',
    })
    .optional(),
  since: momentIn('Accepted from then on, …', '2026-03-14T00:00:00Z').optional(),
  until: momentIn('… before then.', '2026-03-15T00:00:00Z').optional(),
  via: z
    .enum(['web', 'inbound', 'task'])
    .meta({ description: 'By a visitor, by another system, or by settling a task.', example: 'web' })
    .optional(),
};
const isForward = ({ since, until }: { since?: string | undefined; until?: string | undefined }) =>
  since === undefined || until === undefined || since < until;
const backward = { path: ['until'], message: 'must be later than since' };

/** Query of the list of submissions. docs/reference/forms.md#list-submissions */
export const SubmissionQuery = PageQuery.extend(filters)
  .refine(isForward, backward)
  .meta({ description: 'Which submissions.' });
export type SubmissionQuery = z.output<typeof SubmissionQuery>;

/** Query of the export of submissions. */
export const ExportQuery = z
  .strictObject({
    format: z
      .enum(['csv', 'ndjson'])
      .default('csv')
      .meta({ description: 'One line a submission, as a table or as JSON.', example: 'csv' }),
    ...filters,
  })
  .refine(isForward, backward)
  .meta({ description: 'Which submissions, and how.' });
export type ExportQuery = z.output<typeof ExportQuery>;
