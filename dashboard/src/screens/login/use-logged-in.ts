import type { MeOut } from '@svcforms/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { sessionEnded } from '../../api/session-ended.ts';
import { meQuery } from '../../api/session.ts';

/** Returns what to do after a login: open a page of ours as that user. */
export function useLoggedIn(): (me: MeOut, to?: string) => void {
  const queryClient = useQueryClient();
  const router = useRouter();
  return (me, to = '/') => {
    // The cache may contain data of another user.
    queryClient.clear();
    queryClient.setQueryData(meQuery.queryKey, me);
    sessionEnded.end({ isSameUser: false });
    router.history.replace(to);
  };
}
