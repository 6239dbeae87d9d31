import { pointerOf } from '../api/json-pointer.ts';
import { isObject, unknownKeys } from '../api/json-shape.ts';
import { isDate, isTime } from '../api/text-formats.ts';
import type { Issue } from '../errors/errors.ts';
import { BLOCK_TYPES, CHOICE_TYPES } from './field-types.ts';
import type { FieldRules, FieldType } from './field-types.ts';
import type { FieldProblem } from './field-problems.ts';
import { readFieldValue } from './field-value.ts';
import {
  CONDITION_OPS,
  conditionsIn,
  type LogicCondition,
  type ConditionOp,
  type Jump,
  type ShowIf,
} from './logic.ts';
import { pipedNames } from './pipe.ts';

/** The most conditions of one rule. */
export const MAX_CONDITIONS = 20;
export const MAX_JUMPS = 100;
export const MAX_ENDINGS = 20;

const TEXTS: readonly FieldType[] = ['text', 'textarea', 'email', 'tel', 'url', 'hidden'];
const MEASURES: readonly FieldType[] = ['number', 'rating', 'date', 'time', 'hidden'];

/** The operators that answers of a type can be compared with. */
export function opsFor(type: FieldType): ConditionOp[] {
  return CONDITION_OPS.filter((op) => {
    if (BLOCK_TYPES.includes(type)) return false;
    if (op === 'contains') return TEXTS.includes(type) || type === 'checkboxes';
    return op === 'gt' || op === 'lt' ? MEASURES.includes(type) : true;
  });
}

const EXAMPLE = '{"field": "plan", "op": "eq", "value": "team"}';

/**
 * What is wrong with the structure of a rule in a request: of `showIf`, which may have its old
 * form, or of `when`. The alternatives of a union couldn't say it.
 */
export function structureProblems(rule: unknown, mayBeOld: boolean): FieldProblem[] {
  if (rule === undefined) return [{ path: [], message: 'is required' }];
  if (!isObject(rule)) return [{ path: [], message: 'must be an object' }];
  const isGroup = 'all' in rule || 'any' in rule;
  if (!isGroup && mayBeOld && ('field' in rule || 'equals' in rule)) return oldProblems(rule);
  const unknown = unknownKeys(rule, ['all', 'any']);
  if (!isGroup) {
    return [
      ...unknown,
      { path: [], message: `must have all or any: a list of conditions such as ${EXAMPLE}` },
    ];
  }
  if ('all' in rule && 'any' in rule) {
    return [...unknown, { path: [], message: 'must have either all or any, not both' }];
  }
  const kind = 'all' in rule ? 'all' : 'any';
  const list = rule[kind];
  const at = (message: string) => [...unknown, { path: [kind], message }];
  if (!Array.isArray(list)) return at(`must be a list of conditions such as ${EXAMPLE}`);
  if (list.length === 0) return at('must have at least 1 entry');
  if (list.length > MAX_CONDITIONS) return at(`must have at most ${MAX_CONDITIONS} entries`);
  return [
    ...unknown,
    ...list.flatMap((condition, index) =>
      conditionProblems(condition).map(({ path, message }) => ({ path: [kind, index, ...path], message })),
    ),
  ];
}

function oldProblems(rule: Record<string, unknown>): FieldProblem[] {
  const { field, equals } = rule;
  return [
    ...unknownKeys(rule, ['field', 'equals']),
    ...textProblems('field', field),
    ...(equals === undefined
      ? [{ path: ['equals'], message: 'is required' }]
      : isScalar(equals)
        ? []
        : [{ path: ['equals'], message: NO_SCALAR }]),
  ];
}

function conditionProblems(condition: unknown): FieldProblem[] {
  if (!isObject(condition)) return [{ path: [], message: `must be a condition such as ${EXAMPLE}` }];
  if ('all' in condition || 'any' in condition) {
    return [{ path: [], message: "must be a condition with field, op and value; groups can't be nested" }];
  }
  const { field, op, value } = condition;
  const problems = [...unknownKeys(condition, ['field', 'op', 'value']), ...textProblems('field', field)];
  const add = (key: string, message: string) => problems.push({ path: [key], message });
  if (!CONDITION_OPS.some((known) => known === op)) {
    add('op', `${op === undefined ? 'is required:' : 'must be'} one of: ${CONDITION_OPS.join(', ')}`);
  } else if (op === 'answered') {
    if (value !== undefined && typeof value !== 'boolean') add('value', 'must be true or false');
  } else if (value === undefined) add('value', 'is required');
  else if (!isScalar(value)) add('value', NO_SCALAR);
  return problems;
}

const NO_SCALAR = 'must be text or a number or true or false';
const isScalar = (value: unknown) =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

function textProblems(key: string, value: unknown): FieldProblem[] {
  if (typeof value === 'string') return [];
  return [{ path: [key], message: value === undefined ? 'is required' : 'must be text' }];
}

type Form = ReadonlyMap<string, FieldRules>;
type Position = readonly [step: number, index: number];

/**
 * Where visitors answer a field. Hidden fields without a condition have their value from the start.
 */
function positionsOf(fields: readonly FieldRules[]): ReadonlyMap<string, Position> {
  return new Map(
    fields.map(({ name, type, step = 1, showIf }, index) => [
      name,
      type === 'hidden' && !showIf ? [0, index] : [step, index],
    ]),
  );
}

const isBefore = ([step, index]: Position, [otherStep, otherIndex]: Position) =>
  step < otherStep || (step === otherStep && index < otherIndex);

/**
 * Conditions on fields that don't exist, that have no value or come later, operators and values
 * that don't fit the field, and conditions that depend on their own field. Conditions in the old
 * form may depend on later fields, as they always could.
 */
export function showIfProblems(fields: readonly FieldRules[]): FieldProblem[] {
  const form = new Map(fields.map((field) => [field.name, field]));
  const positions = positionsOf(fields);
  const circular = circularNames(form);
  return fields.flatMap(({ name, showIf }, index): FieldProblem[] => {
    if (!showIf) return [];
    return conditionPaths(showIf).flatMap(({ condition, path }) => {
      const at = (key: string, message: string) => [{ path: [index, 'showIf', ...path, key], message }];
      const source = form.get(condition.field);
      if (condition.field === name || !source) {
        return at('field', 'must be the name of another field of the form');
      }
      if (BLOCK_TYPES.includes(source.type)) return at('field', noValue(source));
      if (circular.has(name) && circular.has(source.name)) {
        return at('field', 'depends on this field in turn, so neither would ever be shown');
      }
      if ('equals' in showIf) return [];
      if (!isBefore(positions.get(source.name) ?? [0, 0], positions.get(name) ?? [0, 0])) {
        return at('field', 'comes later in the form; a condition can only depend on earlier fields');
      }
      return fitProblem(source, condition, at);
    });
  });
}

const noValue = ({ type }: FieldRules) => `must be the name of a field with a value; a ${type} has none`;

/** The conditions of a rule, with their paths in it. */
function conditionPaths(rule: ShowIf): { condition: LogicCondition; path: (string | number)[] }[] {
  const { list, isAny } = conditionsIn(rule);
  if ('equals' in rule) return list.map((condition) => ({ condition, path: [] }));
  return list.map((condition, index) => ({ condition, path: [isAny ? 'any' : 'all', index] }));
}

/**
 * Whether the operator fits the type of the field, and the value the answers that the field can
 * have.
 */
function fitProblem<P>(
  source: FieldRules,
  { op, value }: LogicCondition,
  at: (key: string, message: string) => P[],
): P[] {
  const { type } = source;
  const known = opsFor(type);
  if (!known.includes(op)) {
    return at('op', `doesn't fit a field of the type ${type}; it has: ${known.join(', ')}`);
  }
  if (op === 'answered' || value === undefined) return [];
  if (op === 'gt' || op === 'lt') {
    const expected = type === 'date' || type === 'time' ? MOMENTS[type] : NUMBER;
    return expected.fits(value) ? [] : at('value', `must be ${expected.kind}`);
  }
  if (op === 'contains') {
    if (type !== 'checkboxes') {
      if (typeof value !== 'string') return at('value', 'must be text');
      return value === '' ? at('value', 'must have at least 1 character') : [];
    }
  }
  // The value of an unanswered field.
  if (value === '' && op !== 'contains') return [];
  if (CHOICE_TYPES.includes(type) && optionValues(source).has(String(value))) return [];
  const { min: _, max: __, minLength: ___, maxLength: ____, options, ...rules } = source;
  const some = options?.slice(0, LISTED_OPTIONS);
  const reading = readFieldValue(type === 'rating' ? source : { ...rules, options: some }, value);
  return 'message' in reading ? at('value', reading.message) : [];
}

/** More than a message names. */
const LISTED_OPTIONS = 20;

/** By the list of options: thousands of conditions may depend on a field with thousands of them. */
const valuesOfOptions = new WeakMap<object, ReadonlySet<string>>();

function optionValues({ options = [] }: FieldRules): ReadonlySet<string> {
  const known = valuesOfOptions.get(options);
  if (known) return known;
  const values = new Set(options.map(({ value }) => value));
  valuesOfOptions.set(options, values);
  return values;
}

const NUMBER = { fits: (value: unknown) => typeof value === 'number', kind: 'a number' };
const MOMENTS = {
  date: {
    fits: (value: unknown) => typeof value === 'string' && isDate(value),
    kind: 'a valid date in the format YYYY-MM-DD',
  },
  time: {
    fits: (value: unknown) => typeof value === 'string' && isTime(value),
    kind: 'a time in the format HH:MM or HH:MM:SS',
  },
};

/** Names of the fields on cycles of conditions, and between two cycles. */
function circularNames(form: Form): ReadonlySet<string> {
  const edges = new Map(
    [...form].map(([name, { showIf }]) => [
      name,
      (showIf ? conditionsIn(showIf).list : []).map(({ field }) => field).filter((field) => form.has(field)),
    ]),
  );
  const dependents = new Map<string, string[]>();
  for (const [name, sources] of edges) {
    for (const source of sources) {
      const known = dependents.get(source);
      if (known) known.push(name);
      else dependents.set(source, [name]);
    }
  }
  const withoutSources = peeled(form.keys(), edges, dependents);
  return peeled(withoutSources, dependents, edges);
}

/** The names that remain after repeatedly removing those without outgoing edges. */
function peeled(
  names: Iterable<string>,
  out: ReadonlyMap<string, readonly string[]>,
  back: ReadonlyMap<string, readonly string[]>,
): Set<string> {
  const left = new Set(names);
  const count = new Map(
    [...left].map((name) => [name, (out.get(name) ?? []).filter((other) => left.has(other)).length]),
  );
  const free = [...left].filter((name) => count.get(name) === 0);
  for (let name = free.pop(); name !== undefined; name = free.pop()) {
    left.delete(name);
    for (const other of back.get(name) ?? []) {
      if (!left.has(other)) continue;
      const rest = (count.get(other) ?? 0) - 1;
      count.set(other, rest);
      if (rest === 0) free.push(other);
    }
  }
  return left;
}

interface Endings {
  jumps?: readonly Jump[] | undefined;
  endings?:
    | readonly { name: string; when: ShowIf; title?: string | undefined; message?: string | undefined }[]
    | undefined;
}

/**
 * Contradictions of jumps and endings with the fields of a form. The pointers refer to the body of
 * the form. docs/reference/forms.md#jumps
 */
export function checkLogic(fields: readonly FieldRules[], { jumps = [], endings = [] }: Endings): Issue[] {
  const form = new Map(fields.map((field) => [field.name, field]));
  const positions = positionsOf(fields);
  const numbers = fields.filter(({ type }) => type !== 'hidden').map(({ step = 1 }) => step);
  const steps = [...new Set(numbers)].sort((one, other) => one - other);
  const aStep = `must be the number of a step with fields: ${steps.join(', ') || 'the form has none'}`;
  const issues: Issue[] = [];
  const report = (path: (string | number)[], message: string) =>
    void issues.push({ pointer: pointerOf(path), message });
  const checkRule = (rule: ShowIf, path: (string | number)[], end: Position): void => {
    for (const { condition, path: within } of conditionPaths(rule)) {
      const at = (key: string, message: string) => [report([...path, ...within, key], message)];
      const source = form.get(condition.field);
      if (!source) at('field', 'must be the name of a field of the form');
      else if (BLOCK_TYPES.includes(source.type)) at('field', noValue(source));
      else if (!isBefore(positions.get(source.name) ?? [0, 0], end)) {
        at('field', 'is on a later step; a jump can only depend on its own step and earlier ones');
      } else fitProblem(source, condition, at);
    }
  };
  for (const [index, { from, to, when }] of jumps.entries()) {
    const path = ['settings', 'jumps', index];
    if (!steps.includes(from)) report([...path, 'from'], aStep);
    if (to !== 'end' && to <= from) {
      report([...path, 'to'], `must be a step after ${from}, because visitors can't jump backwards; or end`);
    } else if (to !== 'end' && !steps.includes(to)) report([...path, 'to'], `${aStep}; or end`);
    if (when) checkRule(when, [...path, 'when'], [from, Infinity]);
  }
  const names = new Set<string>();
  for (const [index, { name, when }] of endings.entries()) {
    const path = ['settings', 'endings', index];
    if (names.has(name)) report([...path, 'name'], 'is the name of an earlier ending');
    names.add(name);
    checkRule(when, [...path, 'when'], [Infinity, 0]);
  }
  // Without jumps, these conditions work as they always did.
  for (const [index, field] of jumps.length > 0 ? fields.entries() : []) {
    const { showIf, step = 1, type } = field;
    const source = showIf && 'equals' in showIf ? form.get(showIf.field) : undefined;
    if (source && type !== 'hidden' && (positions.get(source.name)?.[0] ?? 0) > step) {
      report(['fields', index, 'showIf', 'field'], 'is on a later step, which is not possible with jumps');
    }
  }
  return issues;
}

/** The texts of a form that may contain answers, in one language. */
export interface PipedTexts {
  title?: string | undefined;
  intro?: string | undefined;
  submitLabel?: string | undefined;
  thankYou?: { title?: string | undefined; message?: string | undefined } | undefined;
  endings?: Readonly<Record<string | number, { title?: string | undefined; message?: string | undefined }>>;
  fields: readonly (readonly [
    key: string | number,
    field: FieldRules,
    texts: {
      label?: string | undefined;
      placeholder?: string | undefined;
      help?: string | undefined;
      alt?: string | undefined;
      options?: readonly (readonly [key: string | number, label: string | undefined])[];
    },
  ])[];
}

/** Types whose answers have no text: ticks have none, content has no answer. */
const hasText = ({ type }: FieldRules) => !['checkbox', 'consent', ...BLOCK_TYPES].includes(type);

/**
 * Placeholders for answers that don't exist, have no text, or come later. `inBody` turns the path
 * of a text into that of the body. docs/reference/forms.md#answers-in-texts
 */
export function checkPiping(
  fields: readonly FieldRules[],
  texts: PipedTexts,
  inBody: (path: (string | number)[]) => (string | number)[],
): Issue[] {
  const form = new Map(fields.map((field) => [field.name, field]));
  const positions = positionsOf(fields);
  const check = (text: string | undefined, path: (string | number)[], at: Position): Issue[] =>
    pipedNames(text ?? '').flatMap((name): Issue[] => {
      const issue = (message: string) => [
        { pointer: pointerOf(inBody(path)), message: `{{${name}}} ${message}` },
      ];
      const source = form.get(name);
      if (!source) return issue('is not the answer to a field of the form; change or remove it');
      if (!hasText(source)) return issue(`has no text, because ${name} is of the type ${source.type}`);
      return isBefore(positions.get(name) ?? [0, 0], at)
        ? []
        : issue('is answered later in the form; texts can only contain earlier answers');
    });
  const start: Position = [0, Infinity];
  const end: Position = [Infinity, 0];
  const { title, intro, submitLabel, thankYou, endings = {} } = texts;
  return [
    ...check(title, ['title'], start),
    ...check(intro, ['intro'], start),
    ...texts.fields.flatMap(([key, field, { options = [], ...own }]) => {
      // A consent shows exactly the text that it stores.
      if (field.type === 'consent') return [];
      const at: Position = positions.get(field.name) ?? end;
      return [
        ...(['label', 'placeholder', 'help', 'alt'] as const).flatMap((name) =>
          check(own[name], ['fields', key, name], at),
        ),
        ...options.flatMap(([option, label]) => check(label, optionPath(key, option), at)),
      ];
    }),
    ...check(submitLabel, ['submitLabel'], end),
    ...(['title', 'message'] as const).flatMap((name) => check(thankYou?.[name], ['thankYou', name], end)),
    ...Object.entries(endings).flatMap(([key, ending]) =>
      (['title', 'message'] as const).flatMap((name) => check(ending[name], ['endings', key, name], end)),
    ),
  ];
}

const optionPath = (field: string | number, option: string | number) =>
  typeof option === 'number'
    ? ['fields', field, 'options', option, 'label']
    : ['fields', field, 'options', option];
