import { RATING_BOUNDS } from './field-types.ts';
import type { FieldRules, FieldType } from './field-types.ts';
import { isDate, isEmail, isTime, isWebUrl, numberIn, withSeconds } from './text-formats.ts';

/** A normalized value, or what was expected instead. */
export type ValueReading = { value: unknown } | { message: string };

type Reader = (value: unknown, field: FieldRules) => ValueReading;

/**
 * Whether a value is empty: what untouched HTML controls, and clients that fill every key, send.
 */
export function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

/**
 * Reads a value that isn't empty by the type and limits of its field, and normalizes what HTML
 * forms and JSON clients send (`"42"` and `42`, `"on"` and `true`). It doesn't check whether a
 * value is required.
 */
export function readFieldValue(field: FieldRules, value: unknown): ValueReading {
  return READERS[field.type](value, field);
}

const readText: Reader = (value, field) => {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
  if (typeof text !== 'string') return { message: 'must be text' };
  return lengthProblem(text, field) ?? { value: text };
};

/** Reads text of a format, without surrounding white space, as browsers do. */
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

/** Reads a date or time within the bounds. */
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
    : { message: `must be a list with some of: ${optionList(field)}` };
};

const TICKED: ReadonlySet<unknown> = new Set([true, 1, 'true', '1', 'on', 'yes']);
const UNTICKED: ReadonlySet<unknown> = new Set([false, 0, 'false', '0', 'off', 'no']);

const readCheckbox: Reader = (value) => {
  const mark = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (TICKED.has(mark)) return { value: true };
  if (UNTICKED.has(mark)) return { value: false };
  return { message: 'must be true or false' };
};

/** A hidden field accepts any JSON value. */
const readHidden: Reader = (value, field) =>
  typeof value === 'string' ? (lengthProblem(value, field) ?? { value }) : { value };

const READERS: Readonly<Record<FieldType, Reader>> = {
  text: readText,
  textarea: readText,
  email: readFormat(isEmail, 'must be an e-mail address, such as ada@example.com'),
  tel: readText,
  url: readFormat(isWebUrl, 'must be a web address that begins with https:// or http://'),
  number: readNumber,
  date: readMoment(isDate, 'must be a date that exists, as YYYY-MM-DD'),
  time: readMoment(isTime, 'must be a time of day, as HH:MM or HH:MM:SS'),
  select: readChoice,
  radio: readChoice,
  checkboxes: readChoices,
  checkbox: readCheckbox,
  rating: readRating,
  hidden: readHidden,
};

function lengthProblem(text: string, { minLength, maxLength }: FieldRules): { message: string } | undefined {
  // Characters are only counted if the number of code units, which is never smaller, exceeds the
  // limit.
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

/** Option values are text, but JSON clients may send numbers or booleans. */
function asChoice(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

const SHOWN_OPTIONS = 10;

function optionList({ options = [] }: FieldRules): string {
  const shown = options.slice(0, SHOWN_OPTIONS).map(({ value }) => value);
  return options.length > SHOWN_OPTIONS ? `${shown.join(', ')}, …` : shown.join(', ');
}
