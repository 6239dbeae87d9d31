import { useInfiniteQuery } from '@tanstack/react-query';
import { useHasScope, useMe } from '../../api/session.ts';
import { userListQuery } from '../../api/users.ts';
import { inboxTexts as texts } from '../../texts/inbox.ts';

/** Returns a function from user id to name. Not all roles may list users. */
export function useUserName(): (id: string) => string {
  const me = useMe();
  const users = useInfiniteQuery({ ...userListQuery, enabled: useHasScope('users:manage') });
  const known = users.data?.pages.flatMap(({ data }) => data) ?? [];
  return (id) => {
    if (id === me.id) return texts.you;
    if (id.startsWith('key_')) return texts.apiKey;
    return known.find((user) => user.id === id)?.name ?? texts.otherUser;
  };
}
