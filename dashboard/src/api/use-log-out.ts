import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { mayLogOut } from './before-log-out.ts';
import { logOut } from './session.ts';

/**
 * Ends the session and opens the login screen, without anything that belongs to the user. Unsaved
 * changes are asked about first, because they can't be saved afterwards.
 */
export function useLogOut() {
  const queryClient = useQueryClient();
  const router = useRouter();
  return useMutation({
    async mutationFn() {
      if (!(await mayLogOut())) return;
      await logOut();
      await router.navigate({ to: '/login', ignoreBlocker: true });
      queryClient.clear();
    },
  });
}
