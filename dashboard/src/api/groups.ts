import type { GroupIn, GroupOut, GroupPatch } from '@svcforms/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request, requestPage } from './client.ts';

const PAGE_SIZE = 100;

/** All groups of the account; there are at most 200. */
export const allGroupsQuery = queryOptions({
  queryKey: ['groups'],
  async queryFn({ signal }) {
    const groups: GroupOut[] = [];
    let cursor: string | undefined;
    do {
      const page = await requestPage<GroupOut>('/api/groups', {
        query: { cursor, limit: PAGE_SIZE },
        signal,
      });
      groups.push(...page.data);
      cursor = page.pagination.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return groups;
  },
});

export const readGroup = (groupId: string) => request<GroupOut>('GET', `/api/groups/${groupId}`);
export const createGroup = (body: GroupIn) => request<GroupOut>('POST', '/api/groups', { body });
export const updateGroup = (groupId: string, body: GroupPatch) =>
  request<GroupOut>('PATCH', `/api/groups/${groupId}`, { body });
export const deleteGroup = (groupId: string) => request<void>('DELETE', `/api/groups/${groupId}`);
