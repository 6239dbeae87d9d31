/**
 * Whether `text` looks like an email address: a name, `@`, and a host with a dot. Accepts
 * international addresses.
 */
export function isEmail(text: string): boolean {
  if (text.length > 254) return false;
  const at = text.lastIndexOf('@');
  const labels = text.slice(at + 1).split('.');
  return (
    at > 0 &&
    /^[^\s@"(),:;<>[\]\\]+$/.test(text.slice(0, at)) &&
    labels.length > 1 &&
    labels.every(isHostLabel)
  );
}

function isHostLabel(label: string): boolean {
  return /^[\p{L}\p{M}\p{N}-]+$/u.test(label) && !label.startsWith('-') && !label.endsWith('-');
}

/** Whether `text` is empty or has only white space and invisible characters. */
export function isBlank(text: string): boolean {
  // U+2800 is the braille pattern without dots.
  return /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);
}

/** Whether `text` has more characters (code points) than this. An emoji can have two code units. */
export function isLongerThan(text: string, max: number): boolean {
  // A text never has more code points than UTF-16 code units, so most texts don't need counting.
  if (text.length <= max) return false;
  let count = 0;
  for (const _ of text) count += 1;
  return count > max;
}

/**
 * Whether `text` is an absolute http or https URL. One whose host has more than 2000 characters,
 * with any user name and password, isn't: parsing a host takes time that grows with the square of
 * its length. `parseUrl` in libs/primitives has the same limit.
 */
export function isWebUrl(text: string): boolean {
  try {
    // The parser throws for texts without a host, too.
    return (
      /^https?:\/\/(?![/\\]*[^/\\?#]{2001})/i.test(text) && !/\p{Cc}/u.test(text) && Boolean(new URL(text))
    );
  } catch {
    return false;
  }
}

/** Whether `text` is an existing date in the format `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  return year > 0 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

/** Whether `text` is a time of day in the format `HH:MM` or `HH:MM:SS`. */
export function isTime(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/.test(text);
}

/** Adds missing seconds, so that `09:00` and `09:00:00` compare as equal. Dates stay unchanged. */
export function withSeconds(time: string): string {
  return time.padEnd(8, ':00');
}

/** Parses a decimal number; undefined if `text` isn't a finite one. */
export function numberIn(text: string): number | undefined {
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}
