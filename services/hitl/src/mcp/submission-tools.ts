import { AppError, SubmissionOut } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { findPage } from '@svcforms/http';
import { ACCEPTED, submissionOut, type SubmissionRecord } from '@svcforms/records';
import { z } from 'zod';
import type { FindForm } from '../tasks/find-form.ts';
import { cursor, formId, limit, nextCursor, submissionId, tool, type Tool } from './tool.ts';

interface SubmissionToolsDeps {
  submissions: Pick<Collection<SubmissionRecord>, 'findOne' | 'find'>;
  findForm: FindForm;
}

export function submissionTools({ submissions, findForm }: SubmissionToolsDeps): Tool[] {
  return [
    tool({
      name: 'get_submission',
      title: 'Get a submission',
      description: 'Returns the values that a visitor, or the resolution of a task, submitted.',
      scopes: ['submissions:read'],
      readOnly: true,
      idempotent: true,
      input: z.strictObject({ submissionId }),
      output: SubmissionOut,
      async run(args, { actor }) {
        const found = await submissions.findOne({ _id: args.submissionId, accountId: actor.accountId });
        const message = `There is no submission ${args.submissionId}`;
        if (!found) throw new AppError('NOT_FOUND', message);
        // The same error for the submission of a form that the actor doesn't see.
        await findForm(actor, found.formId, message);
        return submissionOut(found);
      },
    }),
    tool({
      name: 'list_submissions',
      title: 'List submissions',
      description: 'Lists the submissions of a form, newest first, without those in quarantine.',
      scopes: ['submissions:read'],
      readOnly: true,
      idempotent: true,
      input: z.strictObject({ formId, limit, cursor }),
      output: z.object({ submissions: z.array(SubmissionOut), nextCursor }),
      async run({ formId: id, ...page }, { actor }) {
        const form = await findForm(actor, id);
        const { items, pagination } = await findPage(
          submissions,
          { formId: form._id, ...ACCEPTED },
          { prefix: 'sub', ...page, sizeOf: ({ data }) => data.length },
        );
        return { submissions: items.map(submissionOut), nextCursor: pagination.nextCursor };
      },
    }),
  ];
}
