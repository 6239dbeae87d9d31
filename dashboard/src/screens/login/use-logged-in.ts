import type { MeOut } from '@svcforms/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { meQuery } from '../../api/session.ts';
import { sessionEnded } from '../../shell/session-ended.ts';

/** Returns what to do after a login: open a page of ours as that user. */
export function useLoggedIn(): (me: MeOut, to?: string) => void {
  const queryClient = useQueryClient();
  const router = useRouter();
  return (me, to = '/') => {
    // The cache may contain data of another user.
    queryClient.clear();
    queryClient.setQueryData(meQuery.queryKey, me);
    sessionEnded.set(false);
    router.history.replace(to);
  };
}
