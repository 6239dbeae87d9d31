import type { UserIn, UserOut, UserPatch } from '@svcforms/contracts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { request, requestPage } from './client.ts';

export const userListQuery = infiniteQueryOptions({
  queryKey: ['users'],
  queryFn: ({ pageParam, signal }) =>
    requestPage<UserOut>('/api/users', { query: { cursor: pageParam, limit: 50 }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
});

export const createUser = (body: UserIn) => request<UserOut>('POST', '/api/users', { body });
export const updateUser = (userId: string, body: UserPatch) =>
  request<UserOut>('PATCH', `/api/users/${userId}`, { body });
export const deleteUser = (userId: string) => request<void>('DELETE', `/api/users/${userId}`);
