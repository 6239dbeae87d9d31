import { z } from 'zod';
import { isId, ULID_PATTERN } from '../ids.ts';
import { idOut } from '../api/schema-parts.ts';
import { isDate } from '../forms/text-formats.ts';

export const POPUP_EVENT_TYPES = ['shown', 'converted', 'declined'] as const;
export type PopupEventType = (typeof POPUP_EVENT_TYPES)[number];

/**
 * Body of POST …/events. Unknown keys are dropped, so that events of embeds of another version
 * count too. docs/reference/popups.md#popup-events
 */
export const PopupEventIn = z
  .object({
    type: z.enum(POPUP_EVENT_TYPES).meta({
      description: 'The popup was opened, its form submitted, or the visitor said no.',
      example: 'shown',
    }),
  })
  .meta({ id: 'PopupEventIn', description: 'What happened to a popup.' });
export type PopupEventIn = z.output<typeof PopupEventIn>;

const MAX_DAYS = 366;
const DAY_MS = 86_400_000;

const day = (description: string, example: string) =>
  z
    .string()
    .refine(isDate, 'must be a day that exists, as YYYY-MM-DD')
    .meta({ description, example, format: 'date' })
    .optional();

/** Days in UTC, both inclusive. */
const period = {
  from: day('First day. Absent: 29 days before the last one.', '2026-03-01'),
  to: day('Last day. Absent: today.', '2026-03-14'),
};

/** Query of GET …/forms/{formId}/stats. */
export const StatsQuery = z.strictObject(period).meta({ description: 'Which days.' });
export type StatsQuery = z.output<typeof StatsQuery>;

/** The largest page of forms. */
const MAX_FORMS = 100;

/** Query of GET /api/stats. */
export const FormsStatsQuery = z
  .strictObject({
    formIds: z
      .string()
      .refine(
        (text) => text.split(',').every((id) => isId('frm', id)),
        'must be ids of forms with commas between',
      )
      .transform((text) => [...new Set(text.split(','))])
      .refine((ids) => ids.length <= MAX_FORMS, `must be at most ${MAX_FORMS} forms`)
      .meta({
        description: `Ids of 1 to ${MAX_FORMS} forms, with commas between.`,
        example: 'frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y,frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Z',
        pattern: `^frm_${ULID_PATTERN}(,frm_${ULID_PATTERN}){0,${MAX_FORMS - 1}}$`,
      }),
    ...period,
  })
  .meta({ description: 'Which forms and days.' });
export type FormsStatsQuery = z.output<typeof FormsStatsQuery>;

/**
 * Returns the days from `from` to `to`, each `today` by default; an issue for an empty range or
 * more than 366 days.
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

const number = (description: string, example: number) => z.int().meta({ description, example });

const popupDay = {
  date: z.string().meta({ description: 'The day, in UTC.', example: '2026-03-14' }),
  shown: number('How often the popup was opened.', 120),
  converted: number('How often its form was submitted in it.', 14),
  declined: number('How often a visitor said no.', 31),
};

/** A day of GET …/forms/{formId}/stats. */
const StatsDayOut = z
  .object({
    ...popupDay,
    submissions: number('Submissions of the form that came that day, in whatever way.', 17),
  })
  .meta({ id: 'StatsDay', description: 'What came of a form on one day.' });
type StatsDayOut = z.output<typeof StatsDayOut>;

/** Response of GET …/forms/{formId}/stats. */
export const StatsOut = z.array(StatsDayOut).meta({
  id: 'Stats',
  description: 'Every day that was asked for, in order; also those on which nothing came.',
});
export type StatsOut = z.output<typeof StatsOut>;

const PopupDayOut = z
  .object(popupDay)
  .meta({ id: 'PopupDay', description: 'What came of a popup on one day.' });

/** An entry of GET /api/stats. */
const FormStatsOut = z
  .object({
    formId: idOut('frm', 'Which form.'),
    totalSubmissions: number(
      'Submissions that the form has now, in whatever way and whenever they came.',
      1204,
    ),
    days: z.array(PopupDayOut).meta({
      description: 'Every day that was asked for, in order; also those on which nothing came.',
    }),
  })
  .meta({ id: 'FormStats', description: 'What came of one of several forms.' });

/** Response of GET /api/stats. */
export const FormsStatsOut = z.array(FormStatsOut).meta({
  id: 'FormsStats',
  description: 'The forms that were asked for, in order, but for those that are not there.',
});
export type FormsStatsOut = z.output<typeof FormsStatsOut>;
