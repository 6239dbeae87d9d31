import type { ExportQuery, FormField } from '@svcforms/contracts';
import type { Filter } from '@svcforms/document-store';
import type { PageOrder } from '@svcforms/http';
import { ACCEPTED, quarantinedIn, type SubmissionRecord } from '@svcforms/records';

/** The query for submissions of a form. */
export type SubmissionFilter = Pick<ExportQuery, 'q' | 'since' | 'until' | 'via' | 'status'>;

/** The part of the query that the store can evaluate. */
export function filterOf(
  formId: string,
  { since, until, via, status }: SubmissionFilter,
): Filter<SubmissionRecord> {
  const ofSource = via === undefined ? {} : { 'metadata.submittedVia': via };
  // The few quarantined ones are found without reading the others.
  if (status === 'quarantined') return { ...quarantinedIn(formId, { since, before: until }), ...ofSource };
  return {
    formId,
    ...ACCEPTED,
    ...(since === undefined && until === undefined
      ? {}
      : {
          createdAt: {
            ...(since === undefined ? {} : { $gte: since }),
            ...(until === undefined ? {} : { $lt: until }),
          },
        }),
    ...ofSource,
  };
}

/** Newest first. */
export function orderOf({ status }: Pick<SubmissionFilter, 'status'>) {
  return status === 'quarantined'
    ? ({ name: 'status=quarantined', keys: ['-quarantineKey'] } as const satisfies PageOrder)
    : ({ keys: ['-createdAt', '-_id'] } as const satisfies PageOrder);
}

/**
 * The rest of the query: matches submissions with a value that contains the text. `undefined` without
 * a text. Consents aren't searched, because nearly all submissions have the same text there.
 */
export function searchOf(
  { q }: SubmissionFilter,
  fields: readonly FormField[],
): ((submission: Pick<SubmissionRecord, 'data'>) => boolean) | undefined {
  const wanted = q?.trim().toLowerCase();
  if (!wanted) return undefined;
  const consents = new Set(fields.filter(({ type }) => type === 'consent').map(({ name }) => name));
  return ({ data }) =>
    Object.entries(JSON.parse(data) as Record<string, unknown>).some(
      ([name, value]) => !consents.has(name) && containsText(value, wanted),
    );
}

/** Searches values only, because all submissions have the same field names. */
function containsText(value: unknown, wanted: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(wanted);
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).some((member) => containsText(member, wanted));
  }
  return value !== null && String(value as number | boolean).includes(wanted);
}
