import type { ExportQuery } from '@svcforms/contracts';
import type { Filter } from '@svcforms/document-store';
import type { SubmissionRecord } from '@svcforms/records';

/** Of the submissions of a form, those that a client asks for. */
export type Wanted = Pick<ExportQuery, 'q' | 'since' | 'until' | 'via'>;

/** What of it the store can tell. */
export function filterOf(formId: string, { since, until, via }: Wanted): Filter {
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

/** The rest of it: whether a value holds the text; absent when none is looked for. */
export function searchOf({
  q,
}: Wanted): ((submission: Pick<SubmissionRecord, 'data'>) => boolean) | undefined {
  const wanted = q?.trim().toLowerCase();
  if (!wanted) return undefined;
  return ({ data }) => holds(JSON.parse(data), wanted);
}

/** In the values alone: the names of fields are the same everywhere. */
function holds(value: unknown, wanted: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(wanted);
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).some((member) => holds(member, wanted));
  }
  return value !== null && String(value as number | boolean).includes(wanted);
}
