import type { Role, Scope } from '@svcforms/contracts';
import { newId } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { openTestStore } from '@svcforms/document-store/testing';
import { TEST_TIMEOUT_MS } from '@svcforms/test-kit';
import { newApiKey } from './api-keys.ts';
import { createCallerCheck } from './caller-check.ts';
import { AGENTS, type AgentRecord } from './records/agent.ts';
import { API_KEYS, type ApiKeyRecord } from './records/api-key.ts';
import { USERS, type UserRecord } from './records/user.ts';
import { createSessions, SESSION_SECONDS } from './sessions.ts';

jest.setTimeout(2 * TEST_TIMEOUT_MS);

const NOW = Date.parse('2026-03-14T09:26:53.589Z');
const ACCOUNT = 'acc_01J9ZC3V6M8K2Q4R5S7T9W1X3Y';

let store: DocumentStore;
beforeAll(() => {
  store = openTestStore();
});

const mayStill = (caller: { id: string; session?: { sessionId: string; role: Role } }, afterMs = 0) =>
  createCallerCheck({ store, now: () => NOW + afterMs })(caller, 'events:read');

async function keyWith(scopes: Scope[], expiresAt: string | null = null) {
  const { record } = newApiKey({ accountId: ACCOUNT, name: 'x', scopes, expiresAt, now: NOW });
  await store.collection<ApiKeyRecord>(API_KEYS).insertOne(record);
  return { id: record._id };
}

async function session() {
  const user: UserRecord = {
    _id: newId('usr'),
    accountId: ACCOUNT,
    email: newId('usr'),
    name: 'Ada',
    role: 'reviewer',
    passwordHash: 'none',
    createdAt: new Date(NOW).toISOString(),
  };
  await store.collection<UserRecord>(USERS).insertOne(user);
  const { sessionId } = await createSessions({ store, now: () => NOW }).open(user);
  return { id: user._id, session: { sessionId, role: user.role } };
}

describe('an authenticated caller', () => {
  it('with a key is accepted until the key is deleted, expires or loses the scope', async () => {
    const key = await keyWith(['events:read'], new Date(NOW + 1000).toISOString());
    expect(await mayStill(key)).toBe(true);
    expect(await mayStill(key, 1000)).toBe(false);
    expect(await mayStill(await keyWith(['tasks:read']))).toBe(false);
    await store.collection(API_KEYS).deleteOne({ _id: key.id });
    expect(await mayStill(key)).toBe(false);
  });

  it('with a session is accepted until the session ends or the user is deleted', async () => {
    const [one, two] = [await session(), await session()];
    expect(await mayStill(one)).toBe(true);
    expect(await mayStill(one, SESSION_SECONDS * 1000)).toBe(false);
    await createSessions({ store }).end(one.session.sessionId);
    expect(await mayStill(one)).toBe(false);
    await store.collection(USERS).deleteOne({ _id: two.id });
    expect(await mayStill(two)).toBe(false);
  });

  it('with an agent is accepted until the agent is disconnected or expires, or its user loses the scope', async () => {
    const { id: userId } = await session();
    const agents = store.collection<AgentRecord>(AGENTS);
    const _id = newId('agt');
    await agents.insertOne({
      _id,
      accountId: ACCOUNT,
      userId,
      clientId: 'svc_cli_x',
      name: 'Agent',
      redirectHost: 'localhost',
      scopes: ['tasks:read', 'tasks:manage'],
      resource: 'https://forms.example/api/mcp',
      createdAt: new Date(NOW).toISOString(),
      expireAt: new Date(NOW + 1000).toISOString(),
    });
    const agent = { id: _id, agentOf: userId };
    const may = (scope: Scope, afterMs = 0) =>
      createCallerCheck({ store, now: () => NOW + afterMs })(agent, scope);
    expect(await may('tasks:read')).toBe(true);
    expect(await may('tasks:read', 1000)).toBe(false);
    expect(await may('forms:read')).toBe(false);
    // The user is a reviewer.
    expect(await may('tasks:manage')).toBe(false);
    await agents.deleteOne({ _id });
    expect(await may('tasks:read')).toBe(false);
  });
});
