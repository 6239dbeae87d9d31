import { z } from 'zod';
import { isId, ULID_PATTERN } from '../api/ids.ts';
import { countOut, idOut } from '../api/schema-parts.ts';
import { isDate } from '../api/text-formats.ts';

const POPUP_EVENT_TYPES = ['shown', 'converted', 'declined', 'viewed', 'submitted'] as const;
export type PopupEventType = (typeof POPUP_EVENT_TYPES)[number];

/**
 * Request body of POST …/events. Unknown keys are dropped rather than refused, so that events of
 * other embed versions count too. See docs/reference/popups.md#popup-events.
 */
export const PopupEventIn = z
  .object({
    type: z.enum(POPUP_EVENT_TYPES).meta({
      description:
        'The popup was opened, its form was submitted, or the visitor declined it; `viewed`: the form was shown in a page; `submitted`: it was submitted there.',
      example: 'shown',
    }),
  })
  .meta({ id: 'PopupEventIn', description: 'A popup event.' });
export type PopupEventIn = z.output<typeof PopupEventIn>;

const MAX_DAYS = 366;
const DAY_MS = 86_400_000;

const day = (description: string, example: string) =>
  z
    .string()
    .refine(isDate, 'must be a valid date in the format YYYY-MM-DD')
    .meta({ description, example, format: 'date' })
    .optional();

/** First and last day, both in UTC and inclusive. */
const period = {
  from: day('First day (UTC). Default: 29 days before the last day.', '2026-03-01'),
  to: day('Last day (UTC). Default: today.', '2026-03-14'),
};

/** Query of GET …/forms/{formId}/stats. */
export const StatsQuery = z.strictObject(period).meta({ description: 'Period in days.' });
export type StatsQuery = z.output<typeof StatsQuery>;

/** Equals the maximum page size of the list of forms. */
const MAX_FORMS = 100;

/** Query of GET /api/stats. */
export const FormsStatsQuery = z
  .strictObject({
    formIds: z
      .string()
      .refine(
        (text) => text.split(',').every((id) => isId('frm', id)),
        'must be a comma-separated list of form ids',
      )
      .transform((text) => [...new Set(text.split(','))])
      .refine((ids) => ids.length <= MAX_FORMS, `must be at most ${MAX_FORMS} forms`)
      .meta({
        description: `Ids of 1 to ${MAX_FORMS} forms, comma-separated.`,
        example: 'frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y,frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Z',
        pattern: `^frm_${ULID_PATTERN}(,frm_${ULID_PATTERN}){0,${MAX_FORMS - 1}}$`,
      }),
    ...period,
  })
  .meta({ description: 'Forms, and period in days.' });
export type FormsStatsQuery = z.output<typeof FormsStatsQuery>;

/**
 * Lists the days from `from` to `to` in order. `to` defaults to `today`, `from` to 29 days before
 * the last day.
 * @returns an issue if the period is empty or longer than 366 days
 */
export function daysOf(
  { from, to }: StatsQuery,
  today: string,
): string[] | { pointer: string; message: string } {
  const last = Date.parse(to ?? today);
  const first = from === undefined ? last - 29 * DAY_MS : Date.parse(from);
  const count = (last - first) / DAY_MS + 1;
  if (count < 1) {
    return to === undefined
      ? { pointer: '/from', message: `must not be later than today, which is ${today}` }
      : { pointer: '/to', message: 'must not be earlier than from' };
  }
  if (count > MAX_DAYS) {
    return { pointer: '/from', message: `must be at most ${MAX_DAYS - 1} days before the last day` };
  }
  return Array.from({ length: count }, (_, n) => new Date(first + n * DAY_MS).toISOString().slice(0, 10));
}

const popupDay = {
  date: z.string().meta({ description: 'Day in UTC.', example: '2026-03-14' }),
  shown: countOut('Impressions.', 120),
  converted: countOut('Submissions in the popup.', 14),
  declined: countOut('Declines.', 31),
  viewed: countOut('Views of the form in the page and on the hosted page. Absent for none.', 85).optional(),
  submitted: countOut(
    'Submissions in the page and on the hosted page, as browsers count them with the views. Absent on days without views or such submissions, and on days before the server counted it.',
    12,
  ).optional(),
};

/** One day of GET …/forms/{formId}/stats. */
const StatsDayOut = z
  .object({
    ...popupDay,
    submissions: countOut(
      'Submissions of that day from all sources that are still stored. Erased and quarantined ones are missing.',
      17,
    ),
  })
  .meta({ id: 'StatsDay', description: 'Statistics of a form for one day.' });
type StatsDayOut = z.output<typeof StatsDayOut>;

/** Response data of GET …/forms/{formId}/stats. */
export const StatsOut = z.array(StatsDayOut).meta({
  id: 'Stats',
  description: 'One entry for each day of the period, in order, including days without data.',
});
export type StatsOut = z.output<typeof StatsOut>;

const PopupDayOut = z
  .object(popupDay)
  .meta({ id: 'PopupDay', description: 'Statistics of a popup for one day.' });

/** One entry of GET /api/stats. */
const FormStatsOut = z
  .object({
    formId: idOut('frm', 'Id of the form.'),
    totalSubmissions: countOut('Current number of submissions of the form, from all sources and days.', 1204),
    days: z.array(PopupDayOut).meta({
      description: 'One entry for each day of the period, in order, including days without data.',
    }),
  })
  .meta({ id: 'FormStats', description: 'Statistics of a form.' });

/** Response data of GET /api/stats. */
export const FormsStatsOut = z.array(FormStatsOut).meta({
  id: 'FormsStats',
  description: 'Statistics of the requested forms, in order, without those that do not exist.',
});
export type FormsStatsOut = z.output<typeof FormsStatsOut>;
