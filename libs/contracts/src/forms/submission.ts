import { z } from 'zod';
import { isId, ULID_PATTERN } from '../api/ids.ts';
import { PageQuery } from '../api/pagination.ts';
import { idOut, momentIn, timeOut } from '../api/schema-parts.ts';
import { storableText } from '../errors/whole-characters.ts';
import { QUARANTINE_REASONS, SUBMISSION_STATUSES } from './spam.ts';

const MAX_PAGE_LENGTH = 2048;

const data = z
  .record(z.string(), z.unknown())
  .meta({ description: 'Values by field name.', example: { email: 'ada@example.com' } });

/**
 * Request body of the public POST of a submission. Unknown keys are dropped rather than refused, so
 * that an embed of another version never loses a visitor's input.
 */
export const SubmissionIn = z
  .object({
    data,
    page: z
      .string()
      .overwrite((page) => storableText(page.slice(0, MAX_PAGE_LENGTH)))
      .meta({
        description: 'URL of the page with the form; its first 2048 characters are stored.',
        example: 'https://example.com/pricing',
      })
      .optional(),
    elapsedMs: z
      .number()
      .min(0)
      .meta({ description: 'Milliseconds between showing and submitting the form.', example: 8400 })
      .optional(),
    metadata: z
      .object({
        language: z
          .string()
          .meta({
            description:
              'Language in which the form was shown (BCP 47). Messages about invalid values are in it, if we speak it. Default: the preferred one in `Accept-Language`, else that of the form’s texts, else English.',
            example: 'de',
          })
          .optional(),
      })
      .meta({ description: 'What the visitor’s browser says about the submission.' })
      .optional(),
    hp: z
      .string()
      .meta({
        description: 'Honeypot: a field that people cannot see. A value means that a bot filled it in.',
        example: '',
      })
      .optional(),
    token: z
      .string()
      .meta({
        description: 'Token of the form, for forms with spam protection. Usable once.',
        example: 'v1.…',
      })
      .optional(),
    proof: z
      .string()
      .meta({
        description: 'Proof of work for the token: base64 of the challenge as JSON with the `number`.',
        example: 'eyJhbGdvcml0aG0iOiJTSEEtMjU2Ii…',
      })
      .optional(),
  })
  .meta({ id: 'SubmissionIn', description: 'A submission by a visitor.' });
export type SubmissionIn = z.output<typeof SubmissionIn>;

/** Response data of the public POST of a submission. */
export const SubmissionCreatedOut = z
  .object({ submissionId: idOut('sub', 'Id of the submission.') })
  .meta({ id: 'SubmissionCreated', description: 'A stored submission.' });
export type SubmissionCreatedOut = z.output<typeof SubmissionCreatedOut>;

/** Metadata that is stored with a submission and sent to webhooks. */
export const SubmissionMetadata = z
  .object({
    submittedVia: z.enum(['web', 'inbound', 'task']).meta({
      description:
        'Source of the submission: a visitor (`web`), another system (`inbound`), or a resolved task (`task`).',
      example: 'web',
    }),
    ipAddress: z
      .string()
      .meta({ description: 'Only if the form stores it.', example: '203.0.113.7' })
      .optional(),
    userAgent: z
      .string()
      .meta({ description: 'Only if the form stores it.', example: 'Mozilla/5.0' })
      .optional(),
    page: z
      .string()
      .meta({ description: 'URL of the page with the form.', example: 'https://example.com/pricing' })
      .optional(),
    language: z
      .string()
      .meta({ description: 'Language in which the form was shown, as a BCP 47 tag.', example: 'de' })
      .optional(),
    taskId: idOut('tsk', 'Task that created the submission.').optional(),
    resolvedBy: z
      .enum(['human', 'expiry'])
      .meta({ description: 'Whether a person or the expiry resolved that task.', example: 'human' })
      .optional(),
  })
  .meta({ id: 'SubmissionMetadata', description: 'Metadata of a submission.' });
export type SubmissionMetadata = z.output<typeof SubmissionMetadata>;

/** A submission in responses. See docs/reference/forms.md#submission-object. */
export const SubmissionOut = z
  .object({
    id: idOut('sub', 'Id of the submission.'),
    formId: idOut('frm', 'Form that was submitted.'),
    data,
    metadata: SubmissionMetadata,
    formVersion: z
      .int()
      .meta({
        description:
          'Published version of the form that was submitted. Absent in submissions from before forms had versions.',
        example: 3,
      })
      .optional(),
    status: z.enum(SUBMISSION_STATUSES).meta({
      description: 'Whether the submission is in quarantine. It then caused no events.',
      example: 'accepted',
    }),
    quarantineReason: z
      .enum(QUARANTINE_REASONS)
      .meta({ description: 'Why the submission is in quarantine.', example: 'too_fast' })
      .optional(),
    createdAt: timeOut('When the submission arrived.'),
  })
  .meta({ id: 'Submission', description: 'A submission.' });
export type SubmissionOut = z.output<typeof SubmissionOut>;

/** Request body of POST /api/inbound/{formId}: any object. The form validates the values. */
export const InboundFields = z.record(z.string(), z.unknown()).meta({
  description: 'Values by field name or mapped key.',
  example: { email: 'ada@example.com', message: 'Hello' },
});

const MAX_CONDITIONS = 5;

/** The name of a field can't contain a colon. */
const condition = z
  .string()
  .regex(
    /^[A-Za-z_][\w.-]{0,63}:.{1,200}$/su,
    'must be a field name, a colon and a text of at most 200 characters',
  );

/** Filters of the submissions of a form. */
const filters = {
  where: z
    .union([condition, z.array(condition).max(MAX_CONDITIONS)])
    .meta({
      description: `Field name, colon, text: the value of that field must contain the text; not case-sensitive. Choices, numbers, dates, times and checkboxes must equal it. Up to ${MAX_CONDITIONS}, all of which must match. Searches like \`q\`.`,
      example: 'size:large',
    })
    .optional(),
  q: z
    .string()
    .max(200)
    .meta({
      description:
        'Text that a value must contain; not case-sensitive. One request searches a part of the submissions; continue with `nextCursor`.',
      example: 'ada',
    })
    .optional(),
  since: momentIn(
    'Arrived at or after this time. A release from quarantine doesn’t change the time of arrival.',
    '2026-03-14T00:00:00Z',
  ).optional(),
  until: momentIn('Arrived before this time.', '2026-03-15T00:00:00Z').optional(),
  via: z
    .enum(['web', 'inbound', 'task'])
    .meta({
      description:
        'Source of the submission: a visitor (`web`), another system (`inbound`), or a resolved task (`task`).',
      example: 'web',
    })
    .optional(),
  status: z
    .enum(SUBMISSION_STATUSES)
    .default('accepted')
    .meta({ description: 'Accepted submissions, or those in quarantine.', example: 'quarantined' }),
};
const isValidPeriod = ({ since, until }: { since?: string | undefined; until?: string | undefined }) =>
  since === undefined || until === undefined || since < until;
const invalidPeriod = { path: ['until'], message: 'must be later than since' };

/** Query of the list of submissions. See docs/reference/forms.md#list-submissions. */
export const SubmissionQuery = PageQuery.extend({
  ...filters,
  sort: z
    .enum(['-createdAt', 'createdAt'])
    .default('-createdAt')
    .meta({ description: 'Order by time of arrival; `-` is newest first.', example: 'createdAt' }),
})
  .refine(isValidPeriod, invalidPeriod)
  .meta({ description: 'Filter and page of the submissions.' });
export type SubmissionQuery = z.output<typeof SubmissionQuery>;

const MAX_EXPORTED_IDS = 200;

/** Query of the export of submissions. */
export const ExportQuery = z
  .strictObject({
    format: z
      .enum(['csv', 'ndjson'])
      .default('csv')
      .meta({ description: 'Format of the export, with one submission per line.', example: 'csv' }),
    ids: z
      .string()
      .refine(
        (text) => text.split(',').every((id) => isId('sub', id)),
        'must be a comma-separated list of submission ids',
      )
      .transform((text) => [...new Set(text.split(','))])
      .refine((ids) => ids.length <= MAX_EXPORTED_IDS, `must be at most ${MAX_EXPORTED_IDS} submissions`)
      .meta({
        description: `Only these submissions: 1 to ${MAX_EXPORTED_IDS} ids, comma-separated.`,
        example: 'sub_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
        pattern: `^sub_${ULID_PATTERN}(,sub_${ULID_PATTERN}){0,${MAX_EXPORTED_IDS - 1}}$`,
      })
      .optional(),
    ...filters,
  })
  .refine(isValidPeriod, invalidPeriod)
  .meta({ description: 'Filter and format of the export.' });
export type ExportQuery = z.output<typeof ExportQuery>;
