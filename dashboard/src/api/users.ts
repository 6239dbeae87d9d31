import type { UserIn, UserOut, UserPatch } from '@svcforms/contracts';
import { request } from './client.ts';
import { pagedQuery } from './paged-query.ts';

export const userListQuery = pagedQuery<UserOut>(['users'], '/api/users', { limit: 50 });

export const createUser = (body: UserIn) => request<UserOut>('POST', '/api/users', { body });
export const updateUser = (userId: string, body: UserPatch) =>
  request<UserOut>('PATCH', `/api/users/${userId}`, { body });
export const deleteUser = (userId: string) => request<void>('DELETE', `/api/users/${userId}`);
