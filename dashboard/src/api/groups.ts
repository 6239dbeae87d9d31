import type { GroupIn, GroupOut, GroupPatch } from '@svcforms/contracts';
import { queryOptions } from '@tanstack/react-query';
import { request } from './client.ts';
import { readAllPages } from './paged-query.ts';

/** All groups of the account; there are at most 200. */
export const allGroupsQuery = queryOptions({
  queryKey: ['groups'],
  queryFn: ({ signal }) => readAllPages<GroupOut>('/api/groups', { signal }),
});

export const readGroup = (groupId: string) => request<GroupOut>('GET', `/api/groups/${groupId}`);
export const createGroup = (body: GroupIn) => request<GroupOut>('POST', '/api/groups', { body });
export const updateGroup = (groupId: string, body: GroupPatch) =>
  request<GroupOut>('PATCH', `/api/groups/${groupId}`, { body });
export const deleteGroup = (groupId: string) => request<void>('DELETE', `/api/groups/${groupId}`);
