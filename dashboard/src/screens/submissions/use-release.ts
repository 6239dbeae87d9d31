import type { SubmissionOut } from '@svcforms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refreshSubmissions, releaseSubmission } from '../../api/submissions.ts';
import { toastSuccess } from '../../components/toast.tsx';
import { submissionsTexts } from '../../texts/submissions.ts';

/** The number of requests at the same time. */
const PARALLEL = 4;

/** Releases submissions from quarantine. After the first failure, no other request starts. */
export function useRelease() {
  const queryClient = useQueryClient();
  return useMutation({
    async mutationFn(submissions: readonly SubmissionOut[]) {
      const left = [...submissions];
      const work = async () => {
        for (let next = left.shift(); next; next = left.shift()) await releaseSubmission(next.id);
      };
      const stop = (error: unknown) => {
        left.length = 0;
        throw error;
      };
      await Promise.all(Array.from({ length: PARALLEL }, () => work().catch(stop)));
    },
    onSuccess: (_, { length }) => toastSuccess(submissionsTexts.quarantine.released(length)),
    onSettled: (_, __, submissions) => refreshSubmissions(queryClient, submissions),
  });
}
