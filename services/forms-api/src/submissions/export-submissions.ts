import type { ExportQuery, SubmissionOut } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { EnterSearch, PathRequest, Reply } from '@svcforms/http';
import { rowsThatFit } from '@svcforms/primitives';
import { type FormRecord, ownForm, submissionOut, type SubmissionRecord } from '@svcforms/records';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { csvTable } from './csv.ts';
import { filterOf, orderOf, searchOf, type SubmissionFilter } from './submission-filter.ts';

export interface ExportDeps {
  forms: Collection<FormRecord>;
  submissions: Collection<SubmissionRecord>;
  /** Limits exports that search to one per caller. */
  enterExport: EnterSearch;
}

/**
 * The limits of one batch: the number of submissions, and roughly the characters of their data. Of
 * ordinary submissions a hundred are about 35 KB. With larger batches, most exports left 100 MiB
 * more in memory until a major garbage collection; with these, few do.
 */
const PLAIN = { maxRows: 100, maxCharacters: 4 * 1024 * 1024 };
/** Smaller while searching: nothing is sent, so the reader doesn't slow it down. */
const SEARCH = { maxRows: 200, maxCharacters: 1024 * 1024 };

/** The size of the first rows isn't known: a submission can have a megabyte. */
const FIRST_ROWS = 4;

const TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' } as const;
export const EXPORT_TYPES = ['text/csv', 'application/x-ndjson'];

/**
 * Streams the accepted submissions of a form, or those that match the query, newest first.
 * Submissions that arrive during the export aren't in it.
 * docs/reference/forms.md#export-submissions
 */
export function createExport({ forms, submissions, enterExport }: ExportDeps) {
  async function* batches(
    { _id: formId, fields }: FormRecord,
    wanted: SubmissionFilter,
    signal: AbortSignal,
  ): AsyncGenerator<SubmissionOut[]> {
    const matches = searchOf(wanted, fields);
    const isQuarantine = wanted.status === 'quarantined';
    let limit = FIRST_ROWS;
    let after: string[] | undefined;
    // Without matches nothing is written, so a closed stream would go unnoticed.
    while (!signal.aborted) {
      const found = await submissions.find(filterOf(formId, wanted), {
        sort: orderOf(wanted).keys,
        limit,
        ...(after && { after }),
      });
      const kept = matches ? found.filter(matches) : found;
      if (kept.length > 0) yield kept.map(submissionOut);
      const last = found.at(-1);
      if (!last || found.length < limit) return;
      after = isQuarantine ? [last.quarantineKey ?? ''] : [last.createdAt, last._id];
      limit = rowsThatFit(found, ({ data }) => data.length, matches ? SEARCH : PLAIN);
      // The embedded store reads without waiting, and writing to a fast client doesn't wait either:
      // other requests run only in between.
      await nextTurn();
    }
  }

  async function* csv(
    form: FormRecord,
    wanted: SubmissionFilter,
    signal: AbortSignal,
  ): AsyncGenerator<string> {
    const table = csvTable(form.fields, { isQuarantine: wanted.status === 'quarantined' });
    yield table.header;
    for await (const batch of batches(form, wanted, signal)) yield table.lines(batch);
  }

  async function* ndjson(
    form: FormRecord,
    wanted: SubmissionFilter,
    signal: AbortSignal,
  ): AsyncGenerator<string> {
    for await (const batch of batches(form, wanted, signal)) {
      yield batch.map((submission) => `${JSON.stringify(submission)}\n`).join('');
    }
  }

  return async function exportSubmissions({
    params,
    query: { format, ...wanted },
    caller,
    signal,
  }: PathRequest<'formId', ExportQuery>): Promise<Reply> {
    const form = await ownForm(forms, caller, params.formId);
    const text = format === 'csv' ? csv(form, wanted, signal) : ndjson(form, wanted, signal);
    if (searchOf(wanted, form.fields)) {
      const release = await enterExport(caller.id, signal);
      // Releases at the end of the response, whichever side ended it.
      if (signal.aborted) release();
      else signal.addEventListener('abort', release);
    }
    return {
      content: { type: TYPES[format], body: Readable.from(text, { objectMode: false }) },
      headers: { 'Content-Disposition': `attachment; filename="${form._id}.${format}"` },
    };
  };
}
