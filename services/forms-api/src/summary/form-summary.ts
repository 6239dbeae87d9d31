import { daysOf, validationFailed, type StatsQuery } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { EnterSearch, PathRequest, Reply } from '@svcforms/http';
import { isoTime, rowsThatFit, type Clock } from '@svcforms/primitives';
import { ACCEPTED, ownForm, type FormRecord, type SubmissionRecord } from '@svcforms/records';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createSummary } from './summarize.ts';

export interface FormSummaryDeps {
  forms: Collection<FormRecord>;
  submissions: Collection<SubmissionRecord>;
  enterSearch: EnterSearch;
  now: Clock;
}

/** What one request summarizes at most, like a search: the newest submissions. */
const MAX_ROWS = 5_000;
const MAX_MS = 1_000;
const FIRST_BATCH = 8;
const BATCH = { maxRows: 200, maxCharacters: 1024 * 1024 };

/**
 * Summarizes the newest submissions of a period, by question, page and device.
 * docs/reference/forms.md#summary
 */
export function createFormSummary({ forms, submissions, enterSearch, now }: FormSummaryDeps) {
  return async ({ params, query, caller, signal }: PathRequest<'formId', StatsQuery>): Promise<Reply> => {
    const form = await ownForm(forms, caller, params.formId);
    const days = daysOf(query, isoTime(now()).slice(0, 10));
    if (!Array.isArray(days)) throw validationFailed([days]);
    const createdAt = { $gte: `${days[0]}T00:00:00.000Z`, $lte: `${days.at(-1)}T23:59:59.999Z` };
    const release = await enterSearch(caller.id, signal);
    try {
      const summary = createSummary(form.fields);
      const startedAt = performance.now();
      let after: [string, string] | undefined;
      let rows = 0;
      let limit = FIRST_BATCH;
      for (;;) {
        const found = await submissions.find(
          { formId: form._id, ...ACCEPTED, createdAt },
          { sort: ['-createdAt', '-_id'], limit, ...(after && { after }) },
        );
        const left = MAX_ROWS - rows;
        found.slice(0, left).forEach((submission) => summary.add(submission));
        rows += found.length;
        const last = found.at(-1);
        if (!last || found.length < limit) return { data: summary.result(true) };
        if (rows > MAX_ROWS || performance.now() - startedAt >= MAX_MS || signal.aborted)
          return { data: summary.result(false) };
        after = [last.createdAt, last._id];
        limit = Math.min(
          rowsThatFit(found, ({ data }) => data.length, BATCH),
          // One more shows whether any are left out.
          MAX_ROWS + 1 - rows,
        );
        // The embedded store reads without waiting, so other requests run only in between.
        await nextTurn();
      }
    } finally {
      release();
    }
  };
}
