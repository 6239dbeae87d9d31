import { isBlank } from '@svcforms/contracts';
import { required, type Options } from './admin-command.ts';
import { UsageError } from './usage-error.ts';

/**
 * The value of `--name`, which the API must accept too. A line break would look like another object
 * in a list.
 */
export function nameOf(options: Options): string {
  const name = required(options, 'name');
  if (name.length > 200 || /\p{Cc}/u.test(name))
    throw new UsageError(
      '--name must have at most 200 characters, without line breaks and other control characters',
    );
  if (isBlank(name)) throw new UsageError('--name must have a visible character');
  return name;
}

/** The value, if it is an allowed one. @throws UsageError */
export function oneOf<T extends string>(allowed: readonly T[], name: string, value: string): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new UsageError(`${name} must be one of: ${allowed.join(', ')}`);
  return found;
}

/**
 * Milliseconds since the epoch. `Date` alone takes "1" for the year 2001, reads times without a
 * zone as local ones, and takes February 30 for a day in March.
 */
export function timeOf(text: string, option: string): number {
  const isTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text);
  const time = isTime ? Date.parse(text) : NaN;
  const day = text.slice(0, 10);
  if (Number.isNaN(time) || new Date(day).toISOString().slice(0, 10) !== day)
    throw new UsageError(`--${option} must be a time such as 2027-01-31T00:00:00Z`);
  return time;
}
