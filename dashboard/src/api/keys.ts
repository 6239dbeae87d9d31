import type { KeyCreatedOut, KeyIn, KeyOut } from '@svcforms/contracts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { call, callPage } from './client.ts';

export const keyListQuery = infiniteQueryOptions({
  queryKey: ['keys'],
  queryFn: ({ pageParam, signal }) =>
    callPage<KeyOut>('/api/keys', { query: { cursor: pageParam, limit: 50 }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
});

export const createKey = (body: KeyIn) => call<KeyCreatedOut>('POST', '/api/keys', { body });
export const deleteKey = (keyId: string) => call<void>('DELETE', `/api/keys/${keyId}`);
