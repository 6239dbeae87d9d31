import { isAgentScope, type Scope } from '@svcforms/contracts';
import { createCachedFinder, type DocumentStore } from '@svcforms/document-store';
import { isoTime, type Clock } from '@svcforms/primitives';
import { hashToken } from '@svcforms/signing';
import { hasScope, scopesOfRole, type Caller } from './caller.ts';
import { createKeyUse } from './key-use.ts';
import { AGENT_TOKENS, AGENTS, type AgentRecord, type AgentTokenRecord } from './records/agent.ts';
import { OAUTH_ARTIFACTS, type OAuthArtifactRecord } from './records/oauth.ts';
import { USERS, type UserRecord } from './records/user.ts';

/** How tokens of agents begin, so that scanners of leaked secrets recognize them. */
export const OAUTH_TOKEN_PREFIXES = { AccessToken: 'svc_oat_', RefreshToken: 'svc_ort_' } as const;
const TOKEN_PATTERN = /^svc_oat_[A-Za-z0-9_-]{43}$/;

/** Whether the bearer token is an access token of an agent, as its form says. */
export const isAgentToken = (token: string): boolean => token.startsWith(OAUTH_TOKEN_PREFIXES.AccessToken);

/**
 * Returns the caller of an access token; `null` for a token that is unknown, expired, revoked, or
 * for another resource. The agent has the granted scopes that its user still has. Whatever is
 * stored, it never has a scope that can't be granted. docs/reference/mcp.md#connect-an-agent
 */
export function createAgentAuthenticator(deps: {
  store: DocumentStore;
  /** The URL that tokens must be for. */
  resource: string;
  now?: Clock;
  /** Called when a `lastUsedAt` can't be stored; the request continues. */
  onError?: (error: unknown) => void;
}): (token: string) => Promise<Caller | null> {
  const { store, resource, now = Date.now } = deps;
  const agents = store.collection<AgentRecord>(AGENTS);
  const findToken = createCachedFinder(store.collection<AgentTokenRecord>(AGENT_TOKENS), '_id');
  const findAgent = createCachedFinder(agents, '_id');
  const findUser = createCachedFinder(store.collection<UserRecord>(USERS), '_id');
  const recordUse = createKeyUse({ credentials: agents, now, onError: deps.onError ?? (() => {}) });

  return async function authenticate(token) {
    if (!TOKEN_PATTERN.test(token)) return null;
    const found = await findToken(hashToken(token));
    const at = isoTime(now());
    if (!found || found.expireAt <= at || found.audience !== resource) return null;
    const agent = await findAgent(found.agentId);
    if (!agent || agent.expireAt <= at || agent.resource !== resource) return null;
    const user = await findUser(agent.userId);
    if (!user || user.accountId !== agent.accountId) return null;
    recordUse(agent);
    const scopes = scopesOfAgent(agent, user).filter((scope) => found.scopes.includes(scope));
    return {
      accountId: agent.accountId,
      id: agent._id,
      name: agent.name,
      scopes: new Set(scopes),
      agentOf: user._id,
      createdBy: user._id,
    };
  };
}

/** The granted scopes that the user of the agent still has, without those that can't be granted. */
export function scopesOfAgent(agent: AgentRecord, user: UserRecord): Scope[] {
  const ofUser = { scopes: new Set(scopesOfRole(user.role)) };
  return agent.scopes.filter((scope) => isAgentScope(scope) && hasScope(ofUser, scope));
}

/**
 * Cuts an agent off, on all replicas within a second, and deletes its tokens. `onEnded`: called if
 * it was still connected, before its tokens are deleted, which may fail.
 * @returns whether it was still connected
 */
export async function endAgent(
  store: DocumentStore,
  agentId: string,
  onEnded: () => void | Promise<void>,
): Promise<boolean> {
  // First, because tokens without their agent are worth nothing.
  const isEnded = await store.collection<AgentRecord>(AGENTS).deleteOne({ _id: agentId });
  if (isEnded) await onEnded();
  await store.collection<AgentTokenRecord>(AGENT_TOKENS).deleteMany({ agentId });
  await store.collection<OAuthArtifactRecord>(OAUTH_ARTIFACTS).deleteMany({ agentId });
  return isEnded;
}
