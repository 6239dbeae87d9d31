import type { SubmissionOut } from '@svcforms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { deleteSubmission, refreshSubmissions, releaseSubmission } from '../../api/submissions.ts';
import { toastSuccess } from '../../components/toast.tsx';
import { submissionsTexts } from '../../texts/submissions.ts';

/** The number of requests at the same time. */
const PARALLEL = 4;

/** Releases submissions from quarantine. */
export const useRelease = () => useEach(releaseSubmission, submissionsTexts.quarantine.released);

/** Deletes submissions. */
export const useDelete = () => useEach(deleteSubmission, submissionsTexts.quarantine.deleted);

/** Calls `change` for each submission. After the first failure, no other call starts. */
function useEach(change: (submissionId: string) => Promise<unknown>, done: (count: number) => string) {
  const queryClient = useQueryClient();
  return useMutation({
    async mutationFn(submissions: readonly SubmissionOut[]) {
      const left = [...submissions];
      const work = async () => {
        for (let next = left.shift(); next; next = left.shift()) await change(next.id);
      };
      const stop = (error: unknown) => {
        left.length = 0;
        throw error;
      };
      await Promise.all(Array.from({ length: PARALLEL }, () => work().catch(stop)));
    },
    meta: { showsError: true },
    onSuccess: (_, { length }) => toastSuccess(done(length)),
    onSettled: (_, __, submissions) => refreshSubmissions(queryClient, submissions),
  });
}
