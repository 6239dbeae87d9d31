import type { ExportQuery, SubmissionOut } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { Reply, RouteRequest } from '@svcforms/http-kit';
import { submissionOut, type FormRecord, type SubmissionRecord } from '@svcforms/records';
import { Readable } from 'node:stream';
import { ownForm } from '../forms/forms.ts';
import { csvTable } from './csv.ts';
import { filterOf, searchOf, type Wanted } from './which-submissions.ts';

export interface ExportDeps {
  forms: Collection<FormRecord>;
  submissions: Collection<SubmissionRecord>;
}

/** How much of the submissions is held at once: so many, and about so many characters of data. */
const BATCH = 500;
const BATCH_CHARACTERS = 4 * 1024 * 1024;

const TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' } as const;
export const EXPORT_TYPES = ['text/csv', 'application/x-ndjson'];

/**
 * All submissions of a form, or those that are asked for, in a file that is made while it is sent. What is submitted meanwhile
 * is not in it: it goes from the newest that there is to the oldest. contract: api.md §3
 */
export function createExport({ forms, submissions }: ExportDeps) {
  async function* batches(formId: string, wanted: Wanted): AsyncGenerator<SubmissionOut[]> {
    const matches = searchOf(wanted);
    let limit = 50;
    let after: [string, string] | undefined;
    for (;;) {
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
      limit = nextLimit(found);
    }
  }

  async function* csv(form: FormRecord, wanted: Wanted): AsyncGenerator<string> {
    const table = csvTable(form.fields.map(({ name }) => name));
    yield table.header;
    for await (const batch of batches(form._id, wanted)) yield table.lines(batch);
  }

  async function* ndjson(form: FormRecord, wanted: Wanted): AsyncGenerator<string> {
    for await (const batch of batches(form._id, wanted)) {
      yield batch.map((submission) => `${JSON.stringify(submission)}\n`).join('');
    }
  }

  return async function exportSubmissions({
    params,
    query: { format, ...wanted },
    caller,
  }: RouteRequest<ExportQuery>): Promise<Reply> {
    const form = await ownForm(forms, caller, params['formId'] ?? '');
    const text = format === 'csv' ? csv(form, wanted) : ndjson(form, wanted);
    return {
      content: { type: TYPES[format], body: Readable.from(text, { objectMode: false }) },
      headers: { 'Content-Disposition': `attachment; filename="${form._id}.${format}"` },
    };
  };
}

/** As many as fit, if the next ones are like these. */
function nextLimit(found: readonly SubmissionRecord[]): number {
  const characters = found.reduce((sum, { data }) => sum + data.length, 0);
  const fitting = Math.floor(BATCH_CHARACTERS / Math.max(1, characters / found.length));
  return Math.max(1, Math.min(BATCH, fitting));
}
