import { KeyCreatedOut, KeyIn, KeyOut, PageQuery } from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http';
import type { createKeys } from './keys.ts';

interface KeyRoutesDeps {
  keys: ReturnType<typeof createKeys>;
}

const manageKeys = { scope: 'keys:manage' } as const;

/** The API keys of the account. */
export function keyRoutes({ keys }: KeyRoutesDeps): Route[] {
  // prettier-ignore
  return [
    route({ method: 'POST', path: '/api/keys', summary: 'Create an API key', operationId: 'createKey', access: manageKeys, needsRecentLogin: true,
      body: KeyIn, status: 201, response: KeyCreatedOut, idempotent: true, replyHeaders: ['Location'], audit: 'key.created', handler: keys.create }),
    route({ method: 'GET', path: '/api/keys', summary: 'List API keys', operationId: 'listKeys', access: manageKeys,
      query: PageQuery, status: 200, response: KeyOut, handler: keys.list }),
    route({ method: 'DELETE', path: '/api/keys/:keyId', summary: 'Delete an API key', operationId: 'deleteKey', access: manageKeys,
      status: 204, audit: 'key.deleted', handler: keys.remove }),
  ];
}
