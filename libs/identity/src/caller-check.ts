import { createFinder, type DocumentStore } from '@svcforms/document-store';
import type { Clock } from '@svcforms/primitives';
import { hasExpired, scopesOfKey } from './api-keys.ts';
import { hasScope, scopesOfRole, type Caller } from './caller.ts';
import {
  API_KEYS,
  SESSIONS,
  USERS,
  type ApiKeyRecord,
  type SessionRecord,
  type UserRecord,
} from './records.ts';
import { isSessionOpen } from './sessions.ts';
import type { Scope } from '@svcforms/contracts';

/**
 * Checks whether an authenticated caller still has a scope, for long responses such as event
 * streams. Concurrent checks share queries, so that a thousand streams can check every few seconds.
 *
 * @example
 * const mayStill = createCallerCheck({ store });
 * if (!(await mayStill(caller, 'events:read'))) stream.end();
 */
export function createCallerCheck({ store, now = Date.now }: { store: DocumentStore; now?: Clock }) {
  const findKey = createFinder(store.collection<ApiKeyRecord>(API_KEYS), '_id');
  const findSession = createFinder(store.collection<SessionRecord>(SESSIONS), '_id');
  const findUser = createFinder(store.collection<UserRecord>(USERS), '_id');

  return async function mayStill(
    { id, session }: Pick<Caller, 'id' | 'session'>,
    scope: Scope,
  ): Promise<boolean> {
    if (!session) {
      const key = await findKey(id);
      return (
        key !== null && !hasExpired(key, now()) && hasScope({ scopes: new Set(scopesOfKey(key)) }, scope)
      );
    }
    const [open, user] = await Promise.all([findSession(session.sessionId), findUser(id)]);
    return (
      open !== null &&
      isSessionOpen(open, now()) &&
      user !== null &&
      hasScope({ scopes: new Set(scopesOfRole(user.role)) }, scope)
    );
  };
}
