import type { ExportQuery, FieldType, FormField, SubmissionQuery } from '@svcforms/contracts';
import type { Filter } from '@svcforms/document-store';
import type { PageOrder } from '@svcforms/http';
import { ACCEPTED, quarantinedIn, type SubmissionRecord } from '@svcforms/records';
import { createdBetween } from '../created-between.ts';

/** The query for submissions of a form. */
export type SubmissionFilter = Pick<
  ExportQuery,
  'q' | 'where' | 'since' | 'until' | 'via' | 'status' | 'ids'
>;

/** The part of the query that the store can evaluate. */
export function filterOf(
  formId: string,
  { ids, since, until, via, status }: SubmissionFilter,
): Filter<SubmissionRecord> {
  const selected = {
    ...(ids === undefined ? {} : { _id: { $in: ids } }),
    ...(via === undefined ? {} : { 'metadata.submittedVia': via }),
  };
  // The few quarantined ones are found without reading the others.
  if (status === 'quarantined') return { ...quarantinedIn(formId, { since, before: until }), ...selected };
  return {
    formId,
    ...ACCEPTED,
    ...selected,
    ...createdBetween({ since, until }),
  };
}

/**
 * Newest first unless the query says otherwise. The cursors of one order aren't those of another.
 */
export function orderOf({
  status,
  sort,
}: Pick<SubmissionFilter, 'status'> & { sort?: SubmissionQuery['sort'] }) {
  const kind = status === 'quarantined' ? 'quarantined' : 'accepted';
  return ORDERS[kind][sort === 'createdAt' ? 'oldest' : 'newest'];
}

const ORDERS = {
  accepted: {
    newest: { keys: ['-createdAt', '-_id'] },
    oldest: { name: 'createdAt', keys: ['createdAt', '_id'] },
  },
  quarantined: {
    newest: { name: 'status=quarantined', keys: ['-quarantineKey'] },
    oldest: { name: 'status=quarantined&sort=createdAt', keys: ['quarantineKey'] },
  },
} as const satisfies Record<string, Record<string, PageOrder>>;

/**
 * The rest of the query: matches submissions with a value that contains the text `q`, and whose
 * fields meet each condition of `where`. `undefined` without both. `q` doesn't search consents,
 * because nearly all submissions have the same text there.
 */
export function searchOf(
  { q, where }: SubmissionFilter,
  fields: readonly FormField[],
): ((submission: Pick<SubmissionRecord, 'data'>) => boolean) | undefined {
  const wanted = q?.trim().toLowerCase();
  const conditions = where === undefined ? [] : [where].flat().map((text) => conditionOf(text, fields));
  if (!wanted && conditions.length === 0) return undefined;
  const consents = new Set(fields.filter(({ type }) => type === 'consent').map(({ name }) => name));
  return ({ data }) => {
    const values = JSON.parse(data) as Record<string, unknown>;
    const isFound =
      !wanted ||
      Object.entries(values).some(([name, value]) => !consents.has(name) && containsText(value, wanted));
    return isFound && conditions.every((meets) => meets(values));
  };
}

/**
 * Types whose values are compared as a whole, because a part of one is the same as another value.
 */
const WHOLE: readonly FieldType[] = [
  'select',
  'radio',
  'checkboxes',
  'checkbox',
  'number',
  'rating',
  'date',
  'time',
];

/** Reads `name:text`. */
function conditionOf(
  text: string,
  fields: readonly FormField[],
): (values: Readonly<Record<string, unknown>>) => boolean {
  const colon = text.indexOf(':');
  const [name, wanted] = [
    text.slice(0, colon),
    text
      .slice(colon + 1)
      .trim()
      .toLowerCase(),
  ];
  const type = fields.find((field) => field.name === name)?.type;
  const meets = type !== undefined && WHOLE.includes(type) ? isText : containsText;
  return (values) => {
    if (!Object.hasOwn(values, name)) return false;
    const value = values[name];
    // The answer to a consent, not the text that every submission has.
    if (type === 'consent' && typeof value === 'object' && value !== null && 'accepted' in value) {
      return String(value.accepted as unknown) === wanted;
    }
    return Array.isArray(value) ? value.some((entry) => meets(entry, wanted)) : meets(value, wanted);
  };
}

function isText(value: unknown, wanted: string): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value) && String(value).toLowerCase() === wanted;
}

/** Searches values only, because all submissions have the same field names. */
function containsText(value: unknown, wanted: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(wanted);
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).some((member) => containsText(member, wanted));
  }
  return value !== null && String(value as number | boolean).includes(wanted);
}
