import { AppError } from '@svcforms/contracts';
import type { PathRequest, Reply } from '@svcforms/http';
import type { Clock } from '@svcforms/primitives';
import {
  hasRecipients,
  releaseOf,
  submissionOut,
  type FormRecord,
  type SubmissionRecord,
  type SubmissionSink,
} from '@svcforms/records';

interface ReleaseDeps extends SubmissionSink {
  /** @throws AppError `NOT_FOUND` */
  ownSubmission: (
    caller: { accountId: string },
    submissionId: string,
  ) => Promise<{ submission: SubmissionRecord; form: FormRecord }>;
  now: Clock;
}

/**
 * Releases a submission from quarantine: it counts as accepted, and its events are published. One
 * update does both, so a crash leaves the events pending, and only one of several calls succeeds.
 */
export function createRelease({ ownSubmission, submissions, outbox, now }: ReleaseDeps) {
  return async function release(request: PathRequest<'submissionId'>): Promise<Reply> {
    const { params, caller, requestId, trace, note } = request;
    const { submission, form } = await ownSubmission(caller, params.submissionId);
    const { filter, update } = releaseOf(submission, {
      requestId,
      trace,
      isQuiet: !hasRecipients(form),
      now: now(),
    });
    const released = await submissions.findOneAndUpdate(filter, update);
    if (!released) throw new AppError('CONFLICT', 'This submission isn’t in quarantine');
    outbox.publish(released);
    note({ event: 'submission.released', formId: form._id, submissionId: released._id });
    return { data: submissionOut(released) };
  };
}
