import { z } from 'zod';
import { isDate } from './text-formats.ts';

export const POPUP_EVENT_TYPES = ['shown', 'converted', 'declined'] as const;
export type PopupEventType = (typeof POPUP_EVENT_TYPES)[number];

/**
 * Body of POST …/events. Keys that it doesn't know are dropped: embeds of another version must be counted, too.
 * spec: popup-forms, Events
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

/** Query of GET …/stats: days in UTC, both of them included. */
export const StatsQuery = z
  .strictObject({
    from: day('First day. Absent: 29 days before the last one.', '2026-03-01'),
    to: day('Last day. Absent: today.', '2026-03-14'),
  })
  .meta({ description: 'Which days.' });
export type StatsQuery = z.output<typeof StatsQuery>;

/**
 * The days from `from` to `to`, in order; `today` where the query doesn't say.
 * @returns an issue instead where there are none, or more than 366.
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

/** A day of GET …/stats. */
const StatsDayOut = z
  .object({
    date: z.string().meta({ description: 'The day, in UTC.', example: '2026-03-14' }),
    shown: number('How often the popup was opened.', 120),
    converted: number('How often its form was submitted in it.', 14),
    declined: number('How often a visitor said no.', 31),
    submissions: number('Submissions of the form that came that day, in whatever way.', 17),
  })
  .meta({ id: 'StatsDay', description: 'What came of a form on one day.' });
type StatsDayOut = z.output<typeof StatsDayOut>;

/** The answer of GET …/stats. */
export const StatsOut = z.array(StatsDayOut).meta({
  id: 'Stats',
  description: 'Every day that was asked for, in order; also those on which nothing came.',
});
export type StatsOut = z.output<typeof StatsOut>;
