import type { Scope } from '@svcforms/contracts';
import { createFinder, type DocumentStore } from '@svcforms/document-store';
import { isoTime, type Clock } from '@svcforms/primitives';
import { scopesOfAgent } from './agents.ts';
import { hasExpired, scopesOfKey } from './api-keys.ts';
import { hasScope, type Caller } from './caller.ts';
import { ACCOUNTS, type AccountRecord } from './records/account.ts';
import { AGENTS, type AgentRecord } from './records/agent.ts';
import { API_KEYS, type ApiKeyRecord } from './records/api-key.ts';
import { SESSIONS, type SessionRecord } from './records/session.ts';
import { USERS, type UserRecord } from './records/user.ts';
import { isSessionAccepted, scopesOfSession } from './session-rights.ts';
import { isSessionOpen } from './sessions.ts';

/**
 * Checks whether an authenticated caller still has a scope, for long responses such as event
 * streams and requests that wait for a task. Concurrent checks share queries, so that a thousand
 * streams can check every few seconds.
 *
 * @example
 * const mayStill = createCallerCheck({ store });
 * if (!(await mayStill(caller, 'events:read'))) stream.end();
 */
export function createCallerCheck({ store, now = Date.now }: { store: DocumentStore; now?: Clock }) {
  const findKey = createFinder(store.collection<ApiKeyRecord>(API_KEYS), '_id');
  const findAgent = createFinder(store.collection<AgentRecord>(AGENTS), '_id');
  const findSession = createFinder(store.collection<SessionRecord>(SESSIONS), '_id');
  const findUser = createFinder(store.collection<UserRecord>(USERS), '_id');
  const findAccount = createFinder(store.collection<AccountRecord>(ACCOUNTS), '_id');

  async function agentMayStill(id: string, scope: Scope): Promise<boolean> {
    const agent = await findAgent(id);
    if (!agent || agent.expireAt <= isoTime(now())) return false;
    const user = await findUser(agent.userId);
    return user?.accountId === agent.accountId && scopesOfAgent(agent, user).includes(scope);
  }

  return async function mayStill(
    { id, session, agentOf }: Pick<Caller, 'id' | 'session' | 'agentOf'>,
    scope: Scope,
  ): Promise<boolean> {
    if (agentOf !== undefined) return agentMayStill(id, scope);
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
