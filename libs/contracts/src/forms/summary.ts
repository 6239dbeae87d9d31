import { z } from 'zod';
import { countOut } from '../api/schema-parts.ts';

const Choice = z
  .object({
    value: z
      .string()
      .meta({ description: 'The value; `true` or `false` for checkboxes and consents.', example: 'large' }),
    count: countOut('Submissions with this value.', 12),
  })
  .meta({ id: 'ChoiceCount', description: 'How often a value was chosen.' });

const Numbers = z
  .object({
    min: z.number().meta({ description: 'Smallest value.', example: 1 }),
    max: z.number().meta({ description: 'Largest value.', example: 10 }),
    mean: z.number().meta({ description: 'Arithmetic mean.', example: 7.4 }),
    median: z.number().meta({ description: 'Median.', example: 8 }),
  })
  .meta({ id: 'NumberSummary', description: 'Statistics of numbers.' });

const Nps = z
  .object({
    score: z.int().min(-100).max(100).meta({
      description: 'Net Promoter Score: the percentage of promoters minus that of detractors.',
      example: 42,
    }),
    promoters: countOut('Values of 9 and 10.', 50),
    passives: countOut('Values of 7 and 8.', 30),
    detractors: countOut('Values from 0 to 6.', 8),
  })
  .meta({ id: 'NpsSummary', description: 'Net Promoter Score of a rating from 0 to 10.' });

/** The values of one field. */
const FieldSummary = z
  .object({
    name: z.string().meta({ description: 'Name of the field.', example: 'size' }),
    answered: countOut('Submissions with a value.', 88),
    choices: z
      .array(Choice)
      .meta({
        description: 'For choices, ratings, checkboxes and consents: the most frequent values, at most 50.',
      })
      .optional(),
    numbers: Numbers.meta({ description: 'For numbers and ratings.' }).optional(),
    nps: Nps.meta({ description: 'For ratings from 0 to 10.' }).optional(),
  })
  .meta({ id: 'FieldSummary', description: 'Summary of the values of a field.' });
export type FieldSummary = z.output<typeof FieldSummary>;

/** Response data of GET …/forms/{formId}/summary. */
export const FormSummaryOut = z
  .object({
    submissions: countOut('Summarized submissions.', 88),
    isComplete: z.boolean().meta({
      description: 'False if the period has more submissions: then only the newest ones are summarized.',
      example: true,
    }),
    fields: z
      .array(FieldSummary)
      .meta({ description: 'In the order of the form, without texts and hidden fields.' }),
    pages: z
      .array(
        z
          .object({
            page: z
              .string()
              .meta({ description: 'URL without query.', example: 'https://example.com/pricing' }),
            count: countOut('Submissions from this page.', 12),
          })
          .meta({ id: 'PageCount', description: 'Submissions of a page.' }),
      )
      .meta({ description: 'Pages that sent their URL, by frequency, at most 20.' }),
    devices: z
      .array(
        z
          .object({
            device: z
              .enum(['desktop', 'phone', 'tablet'])
              .meta({ description: 'Kind of device.', example: 'phone' }),
            count: countOut('Submissions from such devices.', 12),
          })
          .meta({ id: 'DeviceCount', description: 'Submissions of a kind of device.' }),
      )
      .meta({ description: 'If the form stores user agents, by frequency.' }),
  })
  .meta({ id: 'FormSummary', description: 'Summary of the submissions of a form in a period.' });
export type FormSummaryOut = z.output<typeof FormSummaryOut>;
