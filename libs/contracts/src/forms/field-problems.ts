import { CHOICE_TYPES, RATING_BOUNDS } from './field-types.ts';
import type { FieldRules, FieldType } from './field-types.ts';
import { isEmpty, readFieldValue } from './field-value.ts';
import { unsafeLink, unsafeLinkMessage } from './markdown.ts';
import { pointerOf } from '../api/json-pointer.ts';
import { isDate, isLongerThan, isTime, withSeconds } from '../api/text-formats.ts';
import type { Issue } from '../errors/errors.ts';

/** A contradiction in the definition of fields. The path is relative to the checked value. */
export interface FieldProblem {
  path: (string | number)[];
  message: string;
}

/**
 * Contradictions within one field. A limit that doesn't apply to the type of the field is ignored.
 */
export function fieldProblems(
  field: FieldRules & { defaultValue?: unknown; src?: string | undefined },
): FieldProblem[] {
  const problems = [
    ...contentProblems(field),
    ...optionProblems(field),
    ...boundProblems(field),
    ...lengthProblems(field),
  ];
  // The default value is validated against the other properties, so they must be valid first.
  return problems.length > 0 ? problems : defaultProblems(field, field.defaultValue);
}

const MAX_TEXT = 5000;

/** Content needs something to show, and a consent the text that visitors agree to. */
function contentProblems({
  type,
  label = '',
  src,
}: FieldRules & { src?: string | undefined }): FieldProblem[] {
  if (type === 'image' && src === undefined) {
    return [{ path: ['src'], message: 'is required for the type image: a URL that starts with https://' }];
  }
  const message = textProblem({ type, label });
  return message === undefined ? [] : [{ path: ['label'], message }];
}

/**
 * What is wrong with the text of a heading, a paragraph or a consent. Other labels may be anything.
 */
export function textProblem({ type, label = '' }: Pick<FieldRules, 'type' | 'label'>): string | undefined {
  if (!/^(heading|paragraph|consent)$/.test(type)) return undefined;
  if (!label.trim()) return `is required for the type ${type}: the text to show`;
  if (isLongerThan(label, MAX_TEXT)) return `must have at most ${MAX_TEXT} characters`;
  const link = type === 'heading' ? undefined : unsafeLink(label);
  return link === undefined ? undefined : unsafeLinkMessage(link);
}

/** A choice needs options, and two options with the same value would be indistinguishable. */
function optionProblems({ type, options = [] }: FieldRules): FieldProblem[] {
  if (CHOICE_TYPES.includes(type) && options.length === 0) {
    return [{ path: ['options'], message: `needs at least one option for the type ${type}` }];
  }
  return repeated(options.map(({ value }) => value)).map((index) => ({
    path: ['options', index, 'value'],
    message: 'is the value of an earlier option',
  }));
}

/**
 * Finds empty option values of `select` and `radio`, which can't be chosen because empty means no
 * answer. A field of the form that is replaced or copied may keep its own.
 */
export function emptyOptions(fields: readonly FieldRules[], saved: readonly FieldRules[] = []): Issue[] {
  const kept = new Set(saved.filter((field) => emptyOption(field) >= 0).map(({ name }) => name));
  return fields.flatMap((field, index) => {
    const option = emptyOption(field);
    if (option < 0 || kept.has(field.name)) return [];
    const message = `must not be empty for the type ${field.type}, because an empty value is no answer`;
    return [{ pointer: pointerOf(['fields', index, 'options', option, 'value']), message }];
  });
}

const emptyOption = ({ type, options = [] }: FieldRules): number =>
  type === 'select' || type === 'radio' ? options.findIndex(({ value }) => value === '') : -1;

type Bound = FieldRules['min'];

const BOUNDS: Partial<Record<FieldType, { fits: (bound: Bound) => boolean; kind: string }>> = {
  number: { fits: (bound) => typeof bound === 'number', kind: 'a number' },
  rating: {
    fits: (bound) => typeof bound === 'number' && Number.isInteger(bound) && bound >= 0 && bound <= 100,
    kind: 'a whole number from 0 to 100',
  },
  date: {
    fits: (bound) => typeof bound === 'string' && isDate(bound),
    kind: 'a valid date in the format YYYY-MM-DD',
  },
  time: {
    fits: (bound) => typeof bound === 'string' && isTime(bound),
    kind: 'a time in the format HH:MM or HH:MM:SS',
  },
};

function boundProblems(field: FieldRules): FieldProblem[] {
  const expected = BOUNDS[field.type];
  if (expected === undefined) return [];
  const mismatched = (['min', 'max'] as const)
    .filter((key) => field[key] !== undefined && !expected.fits(field[key]))
    .map((key) => ({ path: [key], message: `must be ${expected.kind} for the type ${field.type}` }));
  if (mismatched.length > 0) return mismatched;
  const { min, max } = field.type === 'rating' ? { ...RATING_BOUNDS, ...definedBounds(field) } : field;
  if (!isGreater(min, max)) return [];
  return field.min === undefined
    ? [{ path: ['max'], message: `must not be less than min, which is ${min}` }]
    : [{ path: ['min'], message: `must not be greater than max, which is ${max}` }];
}

function definedBounds({ min, max }: FieldRules): { min?: Bound; max?: Bound } {
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

function isGreater(min: Bound, max: Bound): boolean {
  if (typeof min === 'number' && typeof max === 'number') return min > max;
  return typeof min === 'string' && typeof max === 'string' && withSeconds(min) > withSeconds(max);
}

function lengthProblems({ minLength, maxLength }: FieldRules): FieldProblem[] {
  return minLength !== undefined && maxLength !== undefined && minLength > maxLength
    ? [{ path: ['minLength'], message: `must not be greater than maxLength, which is ${maxLength}` }]
    : [];
}

function defaultProblems(field: FieldRules, defaultValue: unknown): FieldProblem[] {
  if (isEmpty(defaultValue)) return [];
  if (field.type === 'consent') {
    return [{ path: ['defaultValue'], message: 'is not allowed, because only the visitor can consent' }];
  }
  const reading = readFieldValue(field, defaultValue);
  return 'message' in reading ? [{ path: ['defaultValue'], message: reading.message }] : [];
}

/** Fields that repeat the name of an earlier field. */
export function nameProblems(fields: readonly FieldRules[]): FieldProblem[] {
  return repeated(fields.map(({ name }) => name)).map((index) => ({
    path: [index, 'name'],
    message: 'is the name of an earlier field',
  }));
}

/** Indexes of entries that repeat an earlier one. */
function repeated(values: readonly string[]): number[] {
  const seen = new Set<string>();
  return values.flatMap((value, index) => {
    const isRepeated = seen.has(value);
    seen.add(value);
    return isRepeated ? [index] : [];
  });
}
