import {
  AppError,
  checkValues,
  validationFailed,
  type SubmissionIn,
  type SubmissionOut,
} from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { Reply, RouteRequest } from '@svcforms/http-kit';
import {
  capturedMetadata,
  newSubmission,
  storeSubmission,
  type FormRecord,
  type SubmissionRecord,
  type SubmissionSink,
} from '@svcforms/records';

export interface SubmissionsDeps extends SubmissionSink {
  /** Reads what is stored now. */
  findForm: (formId: string) => Promise<FormRecord | null>;
  submissions: Collection<SubmissionRecord>;
  now: () => number;
}

export function createSubmissions(deps: SubmissionsDeps) {
  return {
    /** What a visitor sends. Keys that are no field, and fields that weren't shown, are left out. */
    submit: async (request: RouteRequest<unknown, SubmissionIn, null>): Promise<Reply> => {
      const { params, body, headers, newId, requestId, note } = request;
      const form = await deps.findForm(params['formId'] ?? '');
      if (!form || form.deletedAt) throw new AppError('NOT_FOUND', 'There is no such form');
      checkOrigin(form, headers.origin);
      const submissionId = newId('sub');
      // A robot is told what everybody is told, so that it learns nothing from the answer.
      if (body.hp) return { data: { submissionId } };

      const { values, issues } = checkValues(form.fields, body.data);
      if (issues.length > 0) {
        throw validationFailed(issues.map(({ field, message }) => ({ pointer: `/data/${field}`, message })));
      }
      const submission = newSubmission({
        id: submissionId,
        accountId: form.accountId,
        formId: form._id,
        data: JSON.stringify(values),
        metadata: {
          submittedVia: 'web',
          ...capturedMetadata(form, request),
          ...(body.page === undefined ? {} : { page: body.page }),
        },
        requestId,
        now: deps.now(),
      });
      await storeSubmission(deps, submission);
      note({ event: 'submission.accepted', formId: form._id, submissionId, accountId: form.accountId });
      return { data: { submissionId } };
    },

    get: async ({ params, caller }: RouteRequest): Promise<Reply> => {
      const found = await deps.submissions.findOne({
        _id: params['submissionId'] ?? '',
        accountId: caller.accountId,
      });
      const form = found && (await deps.findForm(found.formId));
      if (!found || !form || form.deletedAt) throw new AppError('NOT_FOUND', 'There is no such submission');
      return { data: submissionOut(found) };
    },
  };
}

function submissionOut({ _id, formId, data, metadata, createdAt }: SubmissionRecord): SubmissionOut {
  return { id: _id, formId, data: JSON.parse(data) as Record<string, unknown>, metadata, createdAt };
}

/** @throws AppError `ORIGIN_NOT_ALLOWED`. Without a list, any site may show the form. */
function checkOrigin(form: FormRecord, origin: string | undefined): void {
  const allowed = form.settings.allowedOrigins;
  if (allowed && (origin === undefined || !allowed.includes(origin))) {
    throw new AppError(
      'ORIGIN_NOT_ALLOWED',
      `This form can't be submitted from ${origin ?? 'a client that names no origin'}`,
    );
  }
}
