import { useInfiniteQuery } from '@tanstack/react-query';
import { keyListQuery } from '../../api/keys.ts';
import { useHasScope, useMe } from '../../api/session.ts';
import { userListQuery } from '../../api/users.ts';
import { inboxTexts as texts } from '../../texts/inbox.ts';

/** Returns a function from the id of a user or an API key to its name. Not all roles may list them. */
export function useUserName(): (id: string) => string {
  const me = useMe();
  const users = useInfiniteQuery({ ...userListQuery, enabled: useHasScope('users:manage') });
  const keys = useInfiniteQuery({ ...keyListQuery, enabled: useHasScope('keys:manage') });
  const known = [...(users.data?.pages ?? []), ...(keys.data?.pages ?? [])].flatMap(
    ({ data }): readonly { id: string; name: string }[] => data,
  );
  return (id) => {
    if (id === me.id) return texts.you;
    const name = known.find((one) => one.id === id)?.name;
    return name ?? (id.startsWith('key_') ? texts.apiKey : texts.otherUser);
  };
}
