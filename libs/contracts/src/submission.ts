import { z } from 'zod';
import { idOut, timeOut } from './schema-parts.ts';

const MAX_PAGE_LENGTH = 2048;

const data = z
  .record(z.string(), z.unknown())
  .meta({ description: 'Field name → value.', example: { email: 'ada@example.com' } });

/**
 * Body of the public POST of a submission. Keys that it doesn't know are dropped, not refused: an embed of another
 * version must not lose what a visitor typed.
 */
export const SubmissionIn = z
  .object({
    data,
    page: z
      .string()
      .overwrite((page) => page.slice(0, MAX_PAGE_LENGTH))
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

/** The answer of the public POST. */
export const SubmissionCreatedOut = z
  .object({ submissionId: idOut('sub', 'Id of the submission.') })
  .meta({ id: 'SubmissionCreated', description: 'A submission that was stored.' });
export type SubmissionCreatedOut = z.output<typeof SubmissionCreatedOut>;

/** What of a submission's circumstances is kept, and sent to webhooks. */
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
  })
  .meta({ id: 'SubmissionMetadata', description: 'How the submission came.' });
export type SubmissionMetadata = z.output<typeof SubmissionMetadata>;

/** A submission as a client gets it. contract: api.md §3 */
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

/** Body of POST /api/inbound/{formId}: any object; which values fit is up to the form. */
export const InboundFields = z.record(z.string(), z.unknown()).meta({
  description: 'Field name, or mapped key → value.',
  example: { email: 'ada@example.com', message: 'Hello' },
});

/** `data` of the 202 of POST /api/inbound/{formId}. spec: webhooks-tasks-inbound, Endpoints */
export const InboundAccepted = SubmissionCreatedOut.meta({
  id: 'InboundAccepted',
  description: 'An inbound submission that was stored.',
});
export type InboundAccepted = z.output<typeof InboundAccepted>;
