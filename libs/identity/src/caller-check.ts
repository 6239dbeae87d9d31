import { createFinder, type DocumentStore } from '@svcforms/document-store';
import type { Clock } from '@svcforms/primitives';
import { hasExpired, scopesOfKey } from './api-keys.ts';
import { hasScope, type Caller } from './caller.ts';
import {
  ACCOUNTS,
  API_KEYS,
  SESSIONS,
  USERS,
  type AccountRecord,
  type ApiKeyRecord,
  type SessionRecord,
  type UserRecord,
} from './records.ts';
import { isSessionAccepted, scopesOfSession } from './session-rights.ts';
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
  const findAccount = createFinder(store.collection<AccountRecord>(ACCOUNTS), '_id');

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
    if (!open || !isSessionOpen(open, now()) || !user) return false;
    const account = await findAccount(user.accountId);
    if (!isSessionAccepted(account, open)) return false;
    return hasScope({ scopes: new Set(scopesOfSession(user, account, open)) }, scope);
  };
}
