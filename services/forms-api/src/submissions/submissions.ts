import type { SubmissionQuery } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { findPage, type EnterSearch, type PathRequest, type Reply } from '@svcforms/http';
import {
  ownForm,
  submissionOut,
  type Eraser,
  type FormRecord,
  type SubmissionRecord,
} from '@svcforms/records';
import type { OwnSubmission } from './own-submission.ts';
import { filterOf, orderOf, searchOf } from './submission-filter.ts';

export interface SubmissionsDeps {
  forms: Collection<FormRecord>;
  submissions: Collection<SubmissionRecord>;
  enterSearch: EnterSearch;
  eraser: Pick<Eraser, 'submissions'>;
}

/** Lists, reads and deletes submissions. */
export function createSubmissions({
  forms,
  submissions,
  enterSearch,
  eraser,
  ownSubmission,
}: SubmissionsDeps & { ownSubmission: OwnSubmission }) {
  return {
    list: async ({
      params,
      query,
      caller,
      signal,
    }: PathRequest<'formId', SubmissionQuery>): Promise<Reply> => {
      const form = await ownForm(forms, caller, params.formId);
      const matches = searchOf(query, form.fields);
      const release = matches ? await enterSearch(caller.id, signal) : () => {};
      try {
        const { items, pagination } = await findPage(submissions, filterOf(form._id, query), {
          prefix: 'sub',
          ...query,
          order: orderOf(query),
          ...(matches ? { matches, signal } : {}),
          sizeOf: ({ data }) => data.length,
        });
        return { data: items.map(submissionOut), pagination };
      } finally {
        release();
      }
    },

    get: async ({ params, caller }: PathRequest<'submissionId'>): Promise<Reply> => {
      const { submission } = await ownSubmission(caller, params.submissionId);
      return { data: submissionOut(submission) };
    },

    remove: async ({ params, caller, note, audit }: PathRequest<'submissionId'>): Promise<Reply> => {
      const { submission } = await ownSubmission(caller, params.submissionId);
      const { _id, formId } = submission;
      await eraser.submissions([submission], () => audit({}));
      note({ event: 'submission.deleted', formId, submissionId: _id });
      return {};
    },
  };
}
