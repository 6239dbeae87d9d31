import { RATING_BOUNDS } from './field-types.ts';
import type { FieldRules, FieldType } from './field-types.ts';
import {
  isDate,
  isEmail,
  isLongerThan,
  isTime,
  isWebUrl,
  numberIn,
  withSeconds,
} from '../api/text-formats.ts';

/** The value to store, or a message that says what is expected. */
export type ValueReading = { value: unknown } | { message: string };

type Reader = (value: unknown, field: FieldRules, say: Refuse) => ValueReading;

/** The parameters of each kind of refusal. */
export interface Refusals {
  required: undefined;
  check: undefined;
  consent: undefined;
  text: undefined;
  number: undefined;
  min: number;
  max: number;
  rating: { min: number; max: number };
  earliest: string;
  latest: string;
  choose: FieldRules;
  chooseSome: FieldRules;
  checkbox: undefined;
  consentValue: undefined;
  newText: undefined;
  nothing: undefined;
  email: undefined;
  url: undefined;
  date: undefined;
  time: undefined;
  minLength: number;
  maxLength: number;
}

/** Says why a value is refused. */
export type Refuse = <K extends keyof Refusals>(kind: K, detail: Refusals[K]) => string;

const ENGLISH: { readonly [K in keyof Refusals]: (detail: Refusals[K]) => string } = {
  required: () => 'is required',
  check: () => 'must be checked',
  consent: () => 'must be accepted',
  text: () => 'must be text',
  number: () => 'must be a number, such as 42 or 3.5',
  min: (min) => `must be at least ${min}`,
  max: (max) => `must be at most ${max}`,
  rating: ({ min, max }) => `must be a whole number from ${min} to ${max}`,
  earliest: (min) => `must be ${min} or later`,
  latest: (max) => `must be ${max} or earlier`,
  choose: (field) => `must be one of: ${optionList(field)}`,
  chooseSome: (field) => `must be a list of values from: ${optionList(field)}`,
  checkbox: () => 'must be true or false',
  consentValue: () => 'must be true or false, or an object with accepted and the text that was shown',
  newText: () => 'has a new text; reload the page to read it',
  nothing: () => 'must be empty, because this type has no value',
  email: () => 'must be an email address, such as ada@example.com',
  url: () => 'must be a URL that starts with https:// or http://',
  date: () => 'must be a valid date in the format YYYY-MM-DD',
  time: () => 'must be a time in the format HH:MM or HH:MM:SS',
  minLength: (count) => `must have at least ${characters(count)}`,
  maxLength: (count) => `must have at most ${characters(count)}`,
};

/** The messages of the API, which programs get too. */
export const refuseInEnglish: Refuse = (kind, detail) => ENGLISH[kind](detail);

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
export function readFieldValue(
  field: FieldRules,
  value: unknown,
  say: Refuse = refuseInEnglish,
): ValueReading {
  return READERS[field.type](value, field, say);
}

const readText: Reader = (value, field, say) => {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
  if (typeof text !== 'string') return { message: say('text', undefined) };
  return lengthProblem(text, field, say) ?? { value: text };
};

/** Parses text in a format. Surrounding whitespace is removed, as browsers do. */
function readFormat(isFormat: (text: string) => boolean, kind: 'email' | 'url'): Reader {
  return (value, field, say) => {
    const text = typeof value === 'string' ? value.trim() : '';
    return isFormat(text)
      ? (lengthProblem(text, field, say) ?? { value: text })
      : { message: say(kind, undefined) };
  };
}

const readNumber: Reader = (value, field, say) => {
  const number = asNumber(value);
  if (number === undefined) return { message: say('number', undefined) };
  // Double precision has other digits than a longer text. JSON numbers have it already.
  const limit = typeof value === 'string' ? Number.MAX_SAFE_INTEGER : Infinity;
  const min = Math.max(boundOr(field.min, -limit), -limit);
  const max = Math.min(boundOr(field.max, limit), limit);
  if (number < min) return { message: say('min', min) };
  return number > max ? { message: say('max', max) } : { value: number };
};

const readRating: Reader = (value, field, say) => {
  const min = boundOr(field.min, RATING_BOUNDS.min);
  const max = boundOr(field.max, RATING_BOUNDS.max);
  const number = asNumber(value);
  return number !== undefined && Number.isInteger(number) && number >= min && number <= max
    ? { value: number }
    : { message: say('rating', { min, max }) };
};

/** Parses a date or a time of day and checks its bounds. */
function readMoment(isMoment: (text: string) => boolean, kind: 'date' | 'time'): Reader {
  return (value, { min, max }, say) => {
    const moment = typeof value === 'string' ? value.trim() : '';
    if (!isMoment(moment)) return { message: say(kind, undefined) };
    const isEarlier = typeof min === 'string' && withSeconds(moment) < withSeconds(min);
    if (isEarlier) return { message: say('earliest', min) };
    const isLater = typeof max === 'string' && withSeconds(moment) > withSeconds(max);
    return isLater ? { message: say('latest', max) } : { value: moment };
  };
}

const readChoice: Reader = (value, field, say) => {
  const choice = asChoice(value);
  return field.options?.some((option) => option.value === choice)
    ? { value: choice }
    : { message: say('choose', field) };
};

/** An HTML form sends one checked box as a plain value and several as a list. */
const readChoices: Reader = (value, field, say) => {
  const choices = new Set([value].flat().map(asChoice));
  const unknown = new Set(choices);
  for (const option of field.options ?? []) unknown.delete(option.value);
  return unknown.size === 0 ? { value: [...choices] } : { message: say('chooseSome', field) };
};

const CHECKED: ReadonlySet<unknown> = new Set([true, 1, 'true', '1', 'on', 'yes']);
const UNCHECKED: ReadonlySet<unknown> = new Set([false, 0, 'false', '0', 'off', 'no']);

const readCheckbox: Reader = (value, _, say) => {
  const mark = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (CHECKED.has(mark)) return { value: true };
  if (UNCHECKED.has(mark)) return { value: false };
  return { message: say('checkbox', undefined) };
};

/**
 * Stores the text with the answer, so that it stays known what was agreed to. A client that sends
 * the text that it showed is refused if the form has another one by now.
 */
const readConsent: Reader = (value, { label = '', wordings = [label] }, say) => {
  const isObject = typeof value === 'object' && value !== null && 'accepted' in value;
  const { accepted, text = label } = isObject
    ? (value as { accepted: unknown; text?: unknown })
    : { accepted: value };
  const reading = readCheckbox(accepted, CONSENT, say);
  if ('message' in reading) {
    return { message: say('consentValue', undefined) };
  }
  return typeof text === 'string' && (text === label || wordings.includes(text))
    ? { value: { accepted: reading.value, text } }
    : { message: say('newText', undefined) };
};

const CONSENT: FieldRules = { name: '', type: 'checkbox' };

const readNothing: Reader = (_, __, say) => ({ message: say('nothing', undefined) });

/** A hidden field accepts any JSON value, because pages and systems set it, not people. */
const readHidden: Reader = (value, field, say) =>
  typeof value === 'string' ? (lengthProblem(value, field, say) ?? { value }) : { value };

const READERS: Readonly<Record<FieldType, Reader>> = {
  text: readText,
  textarea: readText,
  email: readFormat(isEmail, 'email'),
  tel: readText,
  url: readFormat(isWebUrl, 'url'),
  number: readNumber,
  date: readMoment(isDate, 'date'),
  time: readMoment(isTime, 'time'),
  select: readChoice,
  radio: readChoice,
  checkboxes: readChoices,
  checkbox: readCheckbox,
  rating: readRating,
  hidden: readHidden,
  consent: readConsent,
  heading: readNothing,
  paragraph: readNothing,
  image: readNothing,
  divider: readNothing,
};

function lengthProblem(
  text: string,
  { minLength = 0, maxLength = Infinity }: FieldRules,
  say: Refuse,
): { message: string } | undefined {
  if (minLength > 0 && !isLongerThan(text, minLength - 1)) return { message: say('minLength', minLength) };
  return isLongerThan(text, maxLength) ? { message: say('maxLength', maxLength) } : undefined;
}

function characters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`;
}

function asNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' ? numberIn(value.trim()) : undefined;
}

const boundOr = (bound: FieldRules['min'], otherwise: number): number =>
  typeof bound === 'number' ? bound : otherwise;

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
