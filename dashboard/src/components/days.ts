/** Days in URLs: YYYY-MM-DD, in the reader's time zone unless the screen says otherwise. */

/** The last day of inputs. Without a maximum, browsers accept years of six digits. */
export const LAST_DAY = '2999-12-31';
const FIRST_DAY = '1970-01-01';
const DAY = /^\d{4}-\d\d-\d\d$/;

/** Whether it is a day that exists, from 1970 to 2999. */
export function isDay(text: unknown): text is string {
  if (typeof text !== 'string' || !DAY.test(text) || text < FIRST_DAY || text > LAST_DAY) return false;
  const time = new Date(`${text}T00:00:00Z`);
  // February 30 would be a day in March.
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

/**
 * The start of a day (ISO 8601), in the reader's time zone. `daysLater` 1 is the next day, even
 * after days that don't have 24 hours.
 */
export function startOfDay(day: string, daysLater = 0): string {
  const start = new Date(`${day}T00:00:00`);
  start.setDate(start.getDate() + daysLater);
  return start.toISOString();
}

/** Whether a period ends before it starts. Either end can be open. */
export const isBackwards = (from: string | undefined, to: string | undefined): boolean =>
  Boolean(from && to && from > to);
