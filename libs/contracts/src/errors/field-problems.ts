import { CHOICE_TYPES, RATING_BOUNDS } from '../forms/field-types.ts';
import type { FieldRules, FieldType } from '../forms/field-types.ts';
import { isEmpty, readFieldValue } from '../forms/field-value.ts';
import { isDate, isTime, withSeconds } from '../forms/text-formats.ts';

/** A contradiction in field definitions. The path is relative to the checked field or list. */
export interface FieldProblem {
  path: (string | number)[];
  message: string;
}

/** Returns the contradictions within one field. Limits that its type doesn't use are ignored. */
export function fieldProblems(field: FieldRules & { defaultValue?: unknown }): FieldProblem[] {
  const problems = [...optionProblems(field), ...boundProblems(field), ...lengthProblems(field)];
  // The default is checked against the other members, so they must be valid.
  return problems.length > 0 ? problems : defaultProblems(field, field.defaultValue);
}

/** A choice needs options, and their values must differ. */
function optionProblems({ type, options = [] }: FieldRules): FieldProblem[] {
  if (CHOICE_TYPES.includes(type) && options.length === 0) {
    return [{ path: ['options'], message: `needs at least one option for the type ${type}` }];
  }
  return repeated(options.map(({ value }) => value)).map((index) => ({
    path: ['options', index, 'value'],
    message: 'is the value of an earlier option',
  }));
}

type Bound = FieldRules['min'];

const BOUNDS: Partial<Record<FieldType, { fits: (bound: Bound) => boolean; kind: string }>> = {
  number: { fits: (bound) => typeof bound === 'number', kind: 'a number' },
  rating: {
    fits: (bound) => typeof bound === 'number' && Number.isInteger(bound) && bound >= 0 && bound <= 100,
    kind: 'a whole number from 0 to 100',
  },
  date: {
    fits: (bound) => typeof bound === 'string' && isDate(bound),
    kind: 'a date that exists, as YYYY-MM-DD',
  },
  time: {
    fits: (bound) => typeof bound === 'string' && isTime(bound),
    kind: 'a time of day, as HH:MM or HH:MM:SS',
  },
};

function boundProblems(field: FieldRules): FieldProblem[] {
  const expected = BOUNDS[field.type];
  if (expected === undefined) return [];
  const unfit = (['min', 'max'] as const)
    .filter((key) => field[key] !== undefined && !expected.fits(field[key]))
    .map((key) => ({ path: [key], message: `must be ${expected.kind} for the type ${field.type}` }));
  if (unfit.length > 0) return unfit;
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
  const reading = readFieldValue(field, defaultValue);
  return 'message' in reading ? [{ path: ['defaultValue'], message: reading.message }] : [];
}

/** Returns the names that occur more than once. */
export function nameProblems(fields: readonly FieldRules[]): FieldProblem[] {
  return repeated(fields.map(({ name }) => name)).map((index) => ({
    path: [index, 'name'],
    message: 'is the name of an earlier field',
  }));
}

/** Returns conditions on fields that don't exist, and circular conditions. */
export function showIfProblems(fields: readonly FieldRules[]): FieldProblem[] {
  const form = new Map(fields.map((field) => [field.name, field]));
  const circular = circularNames(form);
  return fields.flatMap(({ name, showIf }, index) => {
    const path = [index, 'showIf', 'field'];
    if (showIf === undefined) return [];
    if (showIf.field === name || !form.has(showIf.field)) {
      return [{ path, message: 'must be the name of another field of the form' }];
    }
    return circular.has(name)
      ? [{ path, message: 'depends on this field itself, so neither could be shown' }]
      : [];
  });
}

/** Returns the names of the fields whose chain of conditions is circular. */
function circularNames(form: ReadonlyMap<string, FieldRules>): ReadonlySet<string> {
  const circular = new Set<string>();
  const visited = new Set<string>();
  for (const start of form.keys()) {
    const chain = new Set<string>();
    let name: string | undefined = start;
    while (name !== undefined && !visited.has(name)) {
      visited.add(name);
      chain.add(name);
      name = form.get(name)?.showIf?.field;
    }
    if (name === undefined || !chain.has(name)) continue;
    const names = [...chain];
    for (const member of names.slice(names.indexOf(name))) circular.add(member);
  }
  return circular;
}

/** Returns the indices of entries that repeat an earlier one. */
function repeated(values: readonly string[]): number[] {
  const seen = new Set<string>();
  return values.flatMap((value, index) => {
    const isRepeated = seen.has(value);
    seen.add(value);
    return isRepeated ? [index] : [];
  });
}
