import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { logOut } from './session.ts';

/** Ends the session and opens the login screen, without anything that belongs to the user. */
export function useLogOut() {
  const queryClient = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: logOut,
    async onSuccess() {
      await router.navigate({ to: '/login' });
      queryClient.clear();
    },
  });
}
