import type { ExportQuery, SubmissionOut } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { PathRequest, Reply } from '@svcforms/http';
import { submissionOut, type FormRecord, type SubmissionRecord } from '@svcforms/records';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ownForm } from '../forms/own-form.ts';
import { csvTable } from './csv.ts';
import type { EnterSearch } from '../search/search-limiter.ts';
import { filterOf, searchOf, type Wanted } from './submission-filter.ts';

export interface ExportDeps {
  forms: Collection<FormRecord>;
  submissions: Collection<SubmissionRecord>;
  /** Limits exports that search to one per caller. */
  enterExport: EnterSearch;
}

/** How much of the submissions is held at once: so many, and about so many characters of data. */
const BATCH = 500;
const BATCH_CHARACTERS = 4 * 1024 * 1024;
/** While it searches, less: nothing is sent meanwhile, so the reader doesn't slow it down. */
const SEARCH_BATCH = 200;
const SEARCH_CHARACTERS = 1024 * 1024;

const TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' } as const;
export const EXPORT_TYPES = ['text/csv', 'application/x-ndjson'];

/**
 * All submissions of a form, or those that are asked for, in a file that is made while it is sent. What is submitted meanwhile
 * is not in it: it goes from the newest that there is to the oldest. contract: api.md §3
 */
export function createExport({ forms, submissions, enterExport }: ExportDeps) {
  async function* batches(
    formId: string,
    wanted: Wanted,
    signal: AbortSignal,
  ): AsyncGenerator<SubmissionOut[]> {
    const matches = searchOf(wanted);
    let limit = 50;
    let after: [string, string] | undefined;
    // Where nothing is found, nothing asks whether the stream is still read.
    while (!signal.aborted) {
      const found = await submissions.find(filterOf(formId, wanted), {
        sort: ['-createdAt', '-_id'],
        limit,
        ...(after && { after }),
      });
      const kept = matches ? found.filter(matches) : found;
      if (kept.length > 0) yield kept.map(submissionOut);
      const last = found.at(-1);
      if (!last || found.length < limit) return;
      after = [last.createdAt, last._id];
      limit = nextLimit(found, matches !== undefined);
      // Other requests come first: the embedded store answers without waiting.
      if (matches) await nextTurn();
    }
  }

  async function* csv(form: FormRecord, wanted: Wanted, signal: AbortSignal): AsyncGenerator<string> {
    const table = csvTable(form.fields.map(({ name }) => name));
    yield table.header;
    for await (const batch of batches(form._id, wanted, signal)) yield table.lines(batch);
  }

  async function* ndjson(form: FormRecord, wanted: Wanted, signal: AbortSignal): AsyncGenerator<string> {
    for await (const batch of batches(form._id, wanted, signal)) {
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
    if (searchOf(wanted)) {
      const release = await enterExport(caller.id, signal);
      // At the end of the response, whoever ended it.
      if (signal.aborted) release();
      else signal.addEventListener('abort', release);
    }
    return {
      content: { type: TYPES[format], body: Readable.from(text, { objectMode: false }) },
      headers: { 'Content-Disposition': `attachment; filename="${form._id}.${format}"` },
    };
  };
}

/** As many as fit, if the next ones are like these. */
function nextLimit(found: readonly SubmissionRecord[], isSearch: boolean): number {
  const [most, mostCharacters] = isSearch ? [SEARCH_BATCH, SEARCH_CHARACTERS] : [BATCH, BATCH_CHARACTERS];
  const characters = found.reduce((sum, { data }) => sum + data.length, 0);
  const fitting = Math.floor(mostCharacters / Math.max(1, characters / found.length));
  return Math.max(1, Math.min(most, fitting));
}
