import type { UserIn, UserOut, UserPatch } from '@svcforms/contracts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { call, callPage } from './client.ts';

export const userListQuery = infiniteQueryOptions({
  queryKey: ['users'],
  queryFn: ({ pageParam, signal }) =>
    callPage<UserOut>('/api/users', { query: { cursor: pageParam, limit: 50 }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
});

export const createUser = (body: UserIn) => call<UserOut>('POST', '/api/users', { body });
export const changeUser = (userId: string, body: UserPatch) =>
  call<UserOut>('PATCH', `/api/users/${userId}`, { body });
export const deleteUser = (userId: string) => call<void>('DELETE', `/api/users/${userId}`);
