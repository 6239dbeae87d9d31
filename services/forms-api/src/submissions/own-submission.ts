import { AppError, maySeeForm, type FormMember } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { FormRecord, SubmissionRecord } from '@svcforms/records';

/** Returns a submission that the caller may see, with its form. @throws AppError `NOT_FOUND` */
export type OwnSubmission = (
  caller: FormMember & { accountId: string },
  submissionId: string,
) => Promise<{ submission: SubmissionRecord; form: FormRecord }>;

/** A submission whose form is being deleted isn't found either. */
export function createOwnSubmission(deps: {
  submissions: Pick<Collection<SubmissionRecord>, 'findOne'>;
  /** Reads the stored form. */
  findForm: (formId: string) => Promise<FormRecord | null>;
}): OwnSubmission {
  return async function ownSubmission(caller, submissionId) {
    const { accountId } = caller;
    const submission = await deps.submissions.findOne({ _id: submissionId, accountId });
    const form = submission && (await deps.findForm(submission.formId));
    if (!submission || !form || form.deletedAt || !maySeeForm(caller, form))
      throw new AppError('NOT_FOUND', 'There is no such submission');
    return { submission, form };
  };
}
