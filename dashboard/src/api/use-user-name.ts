import { useInfiniteQuery } from '@tanstack/react-query';
import { keyListQuery } from './keys.ts';
import { useHasScope, useMe } from './session.ts';
import { useAllPages } from './use-all-pages.ts';
import { userListQuery } from './users.ts';
import { inboxTexts as texts } from '../texts/inbox.ts';

/**
 * Loads all users of the account, if the user may list them. Returns them, and whether these are
 * all.
 */
export function useAllUsers() {
  return useAllPages(useInfiniteQuery({ ...userListQuery, enabled: useHasScope('users:manage') }));
}

/**
 * Returns a function from the id of a user or an API key to its name. Not all roles may list them;
 * only those that may learn that one was deleted.
 */
export function useUserName(): (id: string) => string {
  const me = useMe();
  const [users, hasAllUsers] = useAllUsers();
  const [keys, hasAllKeys] = useAllPages(
    useInfiniteQuery({ ...keyListQuery, enabled: useHasScope('keys:manage') }),
  );
  return (id) => {
    if (id === me.id) return texts.you;
    const name = [...users, ...keys].find((one) => one.id === id)?.name;
    if (name !== undefined) return name;
    if (id.startsWith('key_')) return hasAllKeys ? texts.deletedKey : texts.apiKey;
    return hasAllUsers && id.startsWith('usr_') ? texts.deletedUser : texts.otherUser;
  };
}
