import type { KeyCreatedOut, KeyIn, KeyOut } from '@svcforms/contracts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { request, requestPage } from './client.ts';

export const keyListQuery = infiniteQueryOptions({
  queryKey: ['keys'],
  queryFn: ({ pageParam, signal }) =>
    requestPage<KeyOut>('/api/keys', { query: { cursor: pageParam, limit: 50 }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
});

export const createKey = (body: KeyIn) => request<KeyCreatedOut>('POST', '/api/keys', { body });
export const deleteKey = (keyId: string) => request<void>('DELETE', `/api/keys/${keyId}`);
