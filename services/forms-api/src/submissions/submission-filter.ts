import type { ExportQuery, FormField } from '@svcforms/contracts';
import type { Filter } from '@svcforms/document-store';
import type { SubmissionRecord } from '@svcforms/records';

/** The query for submissions of a form. */
export type SubmissionFilter = Pick<ExportQuery, 'q' | 'since' | 'until' | 'via'>;

/** The part of the query that the store can evaluate. */
export function filterOf(formId: string, { since, until, via }: SubmissionFilter): Filter<SubmissionRecord> {
  return {
    formId,
    ...(since === undefined && until === undefined
      ? {}
      : {
          createdAt: {
            ...(since === undefined ? {} : { $gte: since }),
            ...(until === undefined ? {} : { $lt: until }),
          },
        }),
    ...(via === undefined ? {} : { 'metadata.submittedVia': via }),
  };
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
