import { AppError, isAppError } from '@svcforms/contracts';
import type { PathRequest, Reply } from '@svcforms/http';
import type { Clock } from '@svcforms/primitives';
import { hasRecipients, releaseOf, submissionOut, type Seats, type SubmissionSink } from '@svcforms/records';
import type { OwnSubmission } from './own-submission.ts';

interface ReleaseDeps extends SubmissionSink {
  ownSubmission: OwnSubmission;
  seats: Pick<Seats, 'take'>;
  now: Clock;
}

/**
 * Releases a submission from quarantine: it counts as accepted, and its events are published. One
 * update does both and counts it toward the form's maximum, so a crash leaves the events pending,
 * and only one of several calls succeeds.
 */
export function createRelease({ ownSubmission, submissions, outbox, seats, now }: ReleaseDeps) {
  return async function release(request: PathRequest<'submissionId'>): Promise<Reply> {
    const { params, caller, requestId, trace, note } = request;
    const { submission, form } = await ownSubmission(caller, params.submissionId);
    const unavailable = () => new AppError('CONFLICT', 'This submission isn’t in quarantine');
    // The check comes before `take`, so that no seat is taken for a refused release.
    if (submission.quarantineKey === undefined) throw unavailable();
    const context = { requestId, trace, isQuiet: !hasRecipients(form), now: now() };
    const released = await seats
      .take(form, (seat) => {
        const { filter, update } = releaseOf(submission, { ...context, ...seat });
        return submissions.findOneAndUpdate(filter, update);
      })
      .catch((error: unknown) => {
        throw isAppError(error) && error.code === 'FORM_CLOSED'
          ? new AppError('CONFLICT', 'The form has its maximum number of submissions already')
          : error;
      });
    if (!released) throw unavailable();
    outbox.publish(released);
    note({ event: 'submission.released', formId: form._id, submissionId: released._id });
    return { data: submissionOut(released) };
  };
}
