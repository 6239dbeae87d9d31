import { z } from 'zod';
import type { Issue } from '../errors/errors.ts';
import { issuesOf } from './json-pointer.ts';

type InputReading<T> = { ok: true; value: T } | { ok: false; issues: Issue[] };

/**
 * Parses client input with `schema`. Never throws on bad input: the issues say in plain words where
 * the problem is and what is expected. See docs/reference/errors.md#validation-errors.
 */
export function readInput<T>(schema: z.ZodType<T>, input: unknown): InputReading<T> {
  const result = schema.safeParse(input, { error: plainMessage });
  return result.success ? { ok: true, value: result.data } : { ok: false, issues: issuesOf(result.error) };
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

/** The message of an issue for which the schema has none of its own. */
function plainMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is required'
        : `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return issue.input === undefined
        ? `is required: ${oneOf(issue.values)}`
        : `must be ${oneOf(issue.values)}`;
    case 'too_big':
      return `must ${sizeLimit(issue.origin, 'at most', issue.maximum)}`;
    case 'too_small':
      return `must ${sizeLimit(issue.origin, 'at least', issue.minimum)}`;
    case 'unrecognized_keys':
      return `is an unknown key${knownKeys(issue.inst)}`;
    case 'invalid_union':
      return unionMessage(issue);
    default:
      return undefined;
  }
}

function sizeLimit(origin: string, bound: string, limit: number | bigint): string {
  if (origin === 'string') return `have ${bound} ${limit} character${limit === 1 ? '' : 's'}`;
  if (origin === 'array') return `have ${bound} ${limit} ${limit === 1 ? 'entry' : 'entries'}`;
  return `be ${bound} ${limit}`;
}

function knownKeys(schema: unknown): string {
  if (!(schema instanceof z.ZodObject)) return '';
  const keys = Object.keys(schema.shape);
  return keys.length > 0 ? `; known keys: ${keys.join(', ')}` : '; no keys are expected';
}

/** The message when no alternative of a union matches. It lists what each alternative expects. */
function unionMessage(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  if (issue.input === undefined) return 'is required';
  if (Array.isArray(issue.options)) return `must be ${oneOf(issue.options)}`;
  const expectations = (issue.errors ?? []).map(([first]) => first?.message.replace(/^must be /, '') ?? '');
  return `must be ${[...new Set(expectations)].join(' or ')}`;
}

function oneOf(values: readonly unknown[]): string {
  const names = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return names.length === 1 ? `${names[0]}` : `one of: ${names.join(', ')}`;
}
