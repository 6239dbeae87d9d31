import { RATING_BOUNDS } from './field-types.ts';
import type { FieldRules, FieldType } from './field-types.ts';
import { isDate, isEmail, isTime, isWebUrl, numberIn, withSeconds } from '../api/text-formats.ts';

/** The value to store, or a message that says what is expected. */
export type ValueReading = { value: unknown } | { message: string };

type Reader = (value: unknown, field: FieldRules) => ValueReading;

/**
 * Whether a value is empty: what an untouched control of an HTML form sends, or a system that fills
 * every key.
 */
export function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

/**
 * Parses a non-empty value by the type and limits of its field. HTML forms and JSON clients write
 * the same value differently (`"42"` and `42`, `"on"` and `true`); the result has one stored form.
 * Doesn't check whether a value is required.
 */
export function readFieldValue(field: FieldRules, value: unknown): ValueReading {
  return READERS[field.type](value, field);
}

const readText: Reader = (value, field) => {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
  if (typeof text !== 'string') return { message: 'must be text' };
  return lengthProblem(text, field) ?? { value: text };
};

/** Parses text in a format. Surrounding whitespace is removed, as browsers do. */
function readFormat(isFormat: (text: string) => boolean, message: string): Reader {
  return (value, field) => {
    const text = typeof value === 'string' ? value.trim() : '';
    return isFormat(text) ? (lengthProblem(text, field) ?? { value: text }) : { message };
  };
}

const readNumber: Reader = (value, field) => {
  const number = asNumber(value);
  if (number === undefined) return { message: 'must be a number, such as 42 or 3.5' };
  const { min, max } = field;
  if (typeof min === 'number' && number < min) return { message: `must be at least ${min}` };
  if (typeof max === 'number' && number > max) return { message: `must be at most ${max}` };
  return { value: number };
};

const readRating: Reader = (value, field) => {
  const min = typeof field.min === 'number' ? field.min : RATING_BOUNDS.min;
  const max = typeof field.max === 'number' ? field.max : RATING_BOUNDS.max;
  const number = asNumber(value);
  return number !== undefined && Number.isInteger(number) && number >= min && number <= max
    ? { value: number }
    : { message: `must be a whole number from ${min} to ${max}` };
};

/** Parses a date or a time of day and checks its bounds. */
function readMoment(isMoment: (text: string) => boolean, message: string): Reader {
  return (value, { min, max }) => {
    const moment = typeof value === 'string' ? value.trim() : '';
    if (!isMoment(moment)) return { message };
    const isEarlier = typeof min === 'string' && withSeconds(moment) < withSeconds(min);
    if (isEarlier) return { message: `must be ${min} or later` };
    const isLater = typeof max === 'string' && withSeconds(moment) > withSeconds(max);
    return isLater ? { message: `must be ${max} or earlier` } : { value: moment };
  };
}

const readChoice: Reader = (value, field) => {
  const choice = asChoice(value);
  return field.options?.some((option) => option.value === choice)
    ? { value: choice }
    : { message: `must be one of: ${optionList(field)}` };
};

/** An HTML form sends one checked box as a plain value and several as a list. */
const readChoices: Reader = (value, field) => {
  const choices = new Set((Array.isArray(value) ? value : [value]).map(asChoice));
  const known = new Set<unknown>(field.options?.map((option) => option.value));
  return [...choices].every((choice) => known.has(choice))
    ? { value: [...choices] }
    : { message: `must be a list of values from: ${optionList(field)}` };
};

const CHECKED: ReadonlySet<unknown> = new Set([true, 1, 'true', '1', 'on', 'yes']);
const UNCHECKED: ReadonlySet<unknown> = new Set([false, 0, 'false', '0', 'off', 'no']);

const readCheckbox: Reader = (value) => {
  const mark = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (CHECKED.has(mark)) return { value: true };
  if (UNCHECKED.has(mark)) return { value: false };
  return { message: 'must be true or false' };
};

/** A hidden field accepts any JSON value, because pages and systems set it, not people. */
const readHidden: Reader = (value, field) =>
  typeof value === 'string' ? (lengthProblem(value, field) ?? { value }) : { value };

const READERS: Readonly<Record<FieldType, Reader>> = {
  text: readText,
  textarea: readText,
  email: readFormat(isEmail, 'must be an email address, such as ada@example.com'),
  tel: readText,
  url: readFormat(isWebUrl, 'must be a URL that starts with https:// or http://'),
  number: readNumber,
  date: readMoment(isDate, 'must be a valid date in the format YYYY-MM-DD'),
  time: readMoment(isTime, 'must be a time in the format HH:MM or HH:MM:SS'),
  select: readChoice,
  radio: readChoice,
  checkboxes: readChoices,
  checkbox: readCheckbox,
  rating: readRating,
  hidden: readHidden,
};

function lengthProblem(text: string, { minLength, maxLength }: FieldRules): { message: string } | undefined {
  // A text never has more code points than UTF-16 code units, so most texts don't need counting.
  if (minLength === undefined && (maxLength === undefined || text.length <= maxLength)) return undefined;
  const length = codePoints(text);
  if (minLength !== undefined && length < minLength) {
    return { message: `must have at least ${characters(minLength)}` };
  }
  if (maxLength !== undefined && length > maxLength) {
    return { message: `must have at most ${characters(maxLength)}` };
  }
  return undefined;
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function characters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`;
}

function asNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' ? numberIn(value.trim()) : undefined;
}

/** Option values are strings; a JSON client may send them as numbers or booleans. */
function asChoice(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

const MAX_LISTED_OPTIONS = 10;

function optionList({ options = [] }: FieldRules): string {
  const shown = options.slice(0, MAX_LISTED_OPTIONS).map(({ value }) => value);
  return options.length > MAX_LISTED_OPTIONS ? `${shown.join(', ')}, …` : shown.join(', ');
}
