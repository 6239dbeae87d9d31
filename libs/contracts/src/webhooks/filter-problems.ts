import { isObject, unknownKeys } from '../api/json-shape.ts';
import { isLongerThan } from '../api/text-formats.ts';
import {
  FILTER_OPS,
  isComparableText,
  type FilterCondition,
  type FilterOp,
  type FilterScalar,
  type WebhookFilter,
} from './filter-match.ts';

/** See docs/reference/webhooks.md#filter-limits. */
export const FILTER_LIMITS = {
  conditions: 50,
  depth: 3,
  pathLength: 256,
  textLength: 500,
  listLength: 100,
  /** Of the whole filter as JSON, because it is cached with its webhook. */
  jsonLength: 32_768,
} as const;

/** The properties of the bodies of events. A path with another first key could never match. */
const BODY_KEYS = ['eventType', 'formId', 'submissionId', 'timestamp', 'data', 'metadata'] as const;

/** The paths that conditions may have. */
export const FILTER_PATH = new RegExp(`^/(?:${BODY_KEYS.join('|')})(?:/(?:[^~/]|~[01])*)*$`);

interface FilterProblem {
  path: (string | number)[];
  message: string;
}

type Path = readonly (string | number)[];
type Report = (path: Path, message: string) => void;

/** What is wrong with a filter in a request, and what is expected instead. */
export function filterProblems(filter: unknown): FilterProblem[] {
  const problems: FilterProblem[] = [];
  const report: Report = (path, message) => void problems.push({ path: [...path], message });
  if (!isObject(filter)) report([], `must be an object with all or any: ${LIST}`);
  else checkGroup(filter, { path: [], depth: 1, report });
  if (problems.length > 0) return problems;
  const { conditions, jsonLength } = FILTER_LIMITS;
  if (conditionsOf(filter as WebhookFilter).length > conditions)
    report([], `must have at most ${conditions} conditions`);
  else if (JSON.stringify(filter).length > jsonLength)
    report([], `must have at most ${jsonLength} characters as JSON`);
  return problems;
}

const LIST = 'a list of conditions such as {"path": "/data/email", "op": "exists", "value": true}';

interface Context {
  path: Path;
  /** 1 for the filter itself. */
  depth: number;
  report: Report;
}

function checkGroup(group: Record<string, unknown>, { path, depth, report }: Context): void {
  const { all, any } = group;
  checkKeys(group, ['all', 'any'], { path, report });
  if (all !== undefined && any !== undefined) {
    return report(path, 'must have either all or any, not both; nest one group in the other');
  }
  const kind = all === undefined ? 'any' : 'all';
  const elements = group[kind];
  const at = [...path, kind];
  if (elements === undefined) return report(path, `must have all or any: ${LIST}`);
  if (!Array.isArray(elements)) return report(at, `must be ${LIST}`);
  if (elements.length === 0) return report(at, 'must have at least 1 entry');
  if (elements.length > FILTER_LIMITS.conditions)
    return report(at, `must have at most ${FILTER_LIMITS.conditions} entries`);
  for (const [index, element] of elements.entries()) {
    checkElement(element, { path: [...at, index], depth: depth + 1, report });
  }
}

function checkElement(element: unknown, context: Context): void {
  const { path, depth, report } = context;
  if (!isObject(element)) {
    return report(path, 'must be a condition with path, op and value, or a group with all or any');
  }
  if (!('all' in element) && !('any' in element)) return checkCondition(element, context);
  if (depth > FILTER_LIMITS.depth) {
    return report(path, `must be a condition, because groups can't be deeper than ${FILTER_LIMITS.depth}`);
  }
  checkGroup(element, context);
}

function checkCondition(condition: Record<string, unknown>, { path, report }: Context): void {
  checkKeys(condition, ['path', 'op', 'value'], { path, report });
  const { op, value } = condition;
  const pathProblem = problemOfPath(condition['path']);
  if (pathProblem !== undefined) report([...path, 'path'], pathProblem);
  if (!isOp(op)) {
    return report([...path, 'op'], `${op === undefined ? 'is required: ' : 'must be '}${ONE_OP}`);
  }
  const at = [...path, 'value'];
  if (value === undefined) return report(at, `is required: ${EXPECTED[op]}`);
  if (op !== 'in') {
    const problem = problemOfValue(op, value);
    if (problem !== undefined) report(at, problem);
    return;
  }
  if (!Array.isArray(value) || value.length === 0 || value.length > FILTER_LIMITS.listLength) {
    return report(at, `must be ${EXPECTED.in}`);
  }
  for (const [index, each] of value.entries()) {
    const problem = problemOfValue('in', each);
    if (problem !== undefined) report([...at, index], problem);
  }
}

const ONE_OP = `one of: ${FILTER_OPS.join(', ')}`;
const SCALAR = 'text, a number, true, false or null';
const ORDERED =
  'a number such as 42, a date such as "2026-03-14", a time with its offset such as "2026-03-14T09:26:53Z", or a time of day such as "09:30"';

const EXPECTED: Readonly<Record<FilterOp, string>> = {
  eq: SCALAR,
  ne: SCALAR,
  in: `a list of 1 to ${FILTER_LIMITS.listLength} values`,
  exists: 'true or false',
  gt: ORDERED,
  gte: ORDERED,
  lt: ORDERED,
  lte: ORDERED,
  contains: SCALAR,
};

function problemOfValue(op: FilterOp, value: unknown): string | undefined {
  if (op === 'exists') return typeof value === 'boolean' ? undefined : `must be ${EXPECTED.exists}`;
  if (!isScalar(value)) {
    return `must be ${op === 'in' ? SCALAR : EXPECTED[op]}; compare the parts of lists and objects by their paths, or a list with contains`;
  }
  if (typeof value === 'string' && isLongerThan(value, FILTER_LIMITS.textLength))
    return `must have at most ${FILTER_LIMITS.textLength} characters`;
  if (op === 'contains') return value === '' ? 'must have at least 1 character' : undefined;
  if (op === 'eq' || op === 'ne' || op === 'in') return undefined;
  const isOrdered = typeof value === 'number' || (typeof value === 'string' && isComparableText(value));
  return isOrdered ? undefined : `must be ${ORDERED}`;
}

function problemOfPath(path: unknown): string | undefined {
  if (path === undefined) return 'is required: a JSON pointer such as /data/email';
  if (typeof path !== 'string') return 'must be a JSON pointer such as /data/email';
  if (isLongerThan(path, FILTER_LIMITS.pathLength))
    return `must have at most ${FILTER_LIMITS.pathLength} characters`;
  if (!path.startsWith('/')) {
    const instead = /^(?:data|metadata)\.[^/~]+$/.test(path)
      ? `/${path.replaceAll('.', '/')}`
      : '/data/email';
    return `must be a JSON pointer, which starts with /, such as ${instead}`;
  }
  if (/~(?![01])/.test(path)) return 'must have ~0 for each ~ in a key, and ~1 for each /';
  return FILTER_PATH.test(path)
    ? undefined
    : `must start with one of: ${BODY_KEYS.map((key) => `/${key}`).join(', ')}; the value of a field is in /data`;
}

function checkKeys(
  object: Record<string, unknown>,
  known: readonly string[],
  { path, report }: Pick<Context, 'path' | 'report'>,
): void {
  for (const problem of unknownKeys(object, known)) report([...path, ...problem.path], problem.message);
}

/** The conditions of a filter in their order, however deep. */
function conditionsOf(filter: WebhookFilter): FilterCondition[] {
  const elements = 'all' in filter ? filter.all : filter.any;
  return elements.flatMap((element) => ('op' in element ? [element] : conditionsOf(element)));
}

const isOp = (value: unknown): value is FilterOp => FILTER_OPS.some((op) => op === value);

const isScalar = (value: unknown): value is FilterScalar =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
