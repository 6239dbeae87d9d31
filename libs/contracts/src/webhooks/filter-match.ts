import { segmentsOf } from '../api/json-pointer.ts';
import { isDate, isTime, numberIn, withSeconds } from '../api/text-formats.ts';
import { valueAt } from '../api/value-at.ts';
import { MAX_COMPARED } from '../forms/logic.ts';

export const FILTER_OPS = ['eq', 'ne', 'in', 'exists', 'gt', 'gte', 'lt', 'lte', 'contains'] as const;
export type FilterOp = (typeof FILTER_OPS)[number];

/** A value without parts, which a condition compares with. */
export type FilterScalar = string | number | boolean | null;

export interface FilterCondition {
  /** JSON pointer (RFC 6901) into the body of the event. */
  path: string;
  op: FilterOp;
  value: FilterScalar | FilterScalar[];
}

/** A condition or a nested group. */
type FilterElement = FilterCondition | WebhookFilter;

/** The filter of a webhook: all or any of its elements must match. */
export type WebhookFilter = { all: FilterElement[] } | { any: FilterElement[] };

/** Whether an event passes a filter. */
export interface FilterVerdict {
  passes: boolean;
  /**
   * The JSON pointer, within the filter, of the condition that decided; `null` if several did
   * together.
   */
  decidedBy: string | null;
}

/**
 * Whether the body of an event passes the filter. The dispatcher, the preview and the test event
 * all use this function. docs/reference/webhooks.md#filters
 * @param body the parsed JSON that the webhook would get
 */
export function evaluateFilter(filter: WebhookFilter, body: unknown): FilterVerdict {
  const [kind, elements] = 'all' in filter ? (['all', filter.all] as const) : (['any', filter.any] as const);
  // One failure decides `all`, and one success decides `any`.
  const deciding = kind === 'any';
  const verdicts: FilterVerdict[] = [];
  for (const [index, element] of elements.entries()) {
    const verdict = evaluateElement(element, body);
    const located = { ...verdict, decidedBy: within(`/${kind}/${index}`, verdict.decidedBy) };
    if (verdict.passes === deciding) return located;
    verdicts.push(located);
  }
  const [only] = verdicts;
  return { passes: !deciding, decidedBy: only && verdicts.length === 1 ? only.decidedBy : null };
}

const within = (pointer: string, inner: string | null) => (inner === null ? null : pointer + inner);

function evaluateElement(element: FilterElement, body: unknown): FilterVerdict {
  if ('op' in element) return { passes: matches(element, body), decidedBy: '' };
  return evaluateFilter(element, body);
}

function matches({ path, op, value }: FilterCondition, body: unknown): boolean {
  const found = valueAtPointer(body, path);
  switch (op) {
    case 'exists':
      return (found !== undefined) === value;
    case 'ne':
      return found === undefined || found.value !== value;
    case 'eq':
      return found !== undefined && found.value === value;
    case 'in':
      return found !== undefined && Array.isArray(value) && value.some((each) => each === found.value);
    case 'contains':
      return found !== undefined && contains(beginningOf(found.value), value);
    default:
      return found !== undefined && isOrdered(compare(beginningOf(found.value), value), op);
  }
}

/** The value that a JSON pointer leads to; see {@link valueAt}. */
export const valueAtPointer = (body: unknown, pointer: string): { value: unknown } | undefined =>
  valueAt(body, segmentsOf(pointer));

/** The part of a text or list that is searched: thousands of conditions may test one event. */
const beginningOf = (value: unknown): unknown =>
  typeof value === 'string' || Array.isArray(value) ? value.slice(0, MAX_COMPARED) : value;

function contains(actual: unknown, value: FilterCondition['value']): boolean {
  if (Array.isArray(actual)) return actual.some((element) => element === value);
  return typeof actual === 'string' && typeof value === 'string' && actual.includes(value);
}

function isOrdered(order: number | undefined, op: 'gt' | 'gte' | 'lt' | 'lte'): boolean {
  if (order === undefined) return false;
  switch (op) {
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
  }
}

/**
 * Negative, 0 or positive as `actual` is before, equal to or after `value`; undefined if they have
 * no order.
 */
function compare(actual: unknown, value: FilterCondition['value']): number | undefined {
  if (typeof value === 'number') {
    const number = typeof actual === 'string' ? numberIn(actual) : actual;
    return typeof number === 'number' ? number - value : undefined;
  }
  if (typeof value !== 'string' || typeof actual !== 'string') return undefined;
  if (isTime(value)) return isTime(actual) ? secondsOf(actual) - secondsOf(value) : undefined;
  const [one, other] = [momentOf(actual), momentOf(value)];
  return one === undefined || other === undefined ? undefined : one - other;
}

function secondsOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = withSeconds(time).split(':').map(Number);
  return (hours * 60 + minutes) * 60 + seconds;
}

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2})?)(?:\.\d{1,9})?(?:Z|[+-](\d{2}:\d{2}))$/;

/**
 * A date, which stands for its start in UTC, or a time with its offset: milliseconds since the
 * epoch.
 */
function momentOf(text: string): number | undefined {
  if (isDate(text)) return Date.parse(text);
  const [, date = '', time = '', offset = '00:00'] = DATE_TIME.exec(text) ?? [];
  return isDate(date) && isTime(time) && isTime(offset) ? Date.parse(text) : undefined;
}

/** Whether `gt`, `gte`, `lt` and `lte` can compare with this text. */
export const isComparableText = (text: string): boolean => isTime(text) || momentOf(text) !== undefined;
