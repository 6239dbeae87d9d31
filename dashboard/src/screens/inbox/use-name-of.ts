import { useInfiniteQuery } from '@tanstack/react-query';
import { useMay, useMe } from '../../api/session.ts';
import { userListQuery } from '../../api/users.ts';
import { inboxTexts as texts } from '../../texts/inbox.ts';

/** Says who an id is; not all roles may see the users. */
export function useNameOf(): (id: string) => string {
  const me = useMe();
  const users = useInfiniteQuery({ ...userListQuery, enabled: useMay('users:manage') });
  const known = users.data?.pages.flatMap(({ data }) => data) ?? [];
  return (id) => {
    if (id === me.id) return texts.you;
    if (id.startsWith('key_')) return texts.program;
    return known.find((user) => user.id === id)?.name ?? texts.somebody;
  };
}
