import type { SubmissionOut } from '@svcforms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { inParallel } from '../../api/in-parallel.ts';
import { refreshSubmissions, releaseSubmission } from '../../api/submissions.ts';
import { toastSuccess } from '../../components/toast.tsx';
import { submissionsTexts } from '../../texts/submissions.ts';

/** Releases submissions from quarantine. After the first failure, no other request starts. */
export function useRelease() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (submissions: readonly SubmissionOut[]) =>
      inParallel(submissions, ({ id }) => releaseSubmission(id), { stopsAtFailure: true }),
    onSuccess: (_, { length }) => toastSuccess(submissionsTexts.quarantine.released(length)),
    onSettled: (_, __, submissions) => refreshSubmissions(queryClient, submissions),
  });
}
