import type { KeyCreatedOut, KeyIn, KeyOut } from '@svcforms/contracts';
import { request } from './client.ts';
import { pagedQuery } from './paged-query.ts';

export const keyListQuery = pagedQuery<KeyOut>(['keys'], '/api/keys', { limit: 50 });

export const createKey = (body: KeyIn) => request<KeyCreatedOut>('POST', '/api/keys', { body });
export const deleteKey = (keyId: string) => request<void>('DELETE', `/api/keys/${keyId}`);
