import type { UseFormReturnType } from '@mantine/form';
import type { MePatch } from '@svcforms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formErrors } from '../../api/api-error.ts';
import { meQuery, updateMe } from '../../api/session.ts';
import { slackQuery } from '../../api/slack.ts';
import { toastSuccess } from '../../components/toast.tsx';

/**
 * Saves changes to the current user. Resets the form on success, and shows errors at its inputs.
 */
export function useUpdateMe<Values extends MePatch>(
  form: Pick<UseFormReturnType<Values>, 'reset' | 'setErrors'>,
  savedText: string,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (patch: MePatch) => updateMe(patch),
    onSuccess(me) {
      queryClient.setQueryData(meQuery.queryKey, me);
      // A new email disconnects the Slack user.
      void queryClient.invalidateQueries({ queryKey: slackQuery.queryKey });
      form.reset();
      toastSuccess(savedText);
    },
    onError: (error) => form.setErrors(formErrors(error)),
  });
}
