import type { AgentScope } from '@svcforms/contracts';
import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';

/**
 * An agent that a user has connected: the grant behind its tokens. Deleting it cuts the agent off.
 */
export interface AgentRecord extends StoredDocument {
  accountId: string;
  /** Who connected it. */
  userId: string;
  clientId: string;
  /** Copied, because the registration may expire. */
  name: string;
  redirectHost: string;
  scopes: AgentScope[];
  /** The resource that the tokens are for: the URL of the MCP server. */
  resource: string;
  createdAt: string;
  /** To the minute. Absent if it was never used. */
  lastUsedAt?: string;
  expireAt: string;
}

export const AGENTS: CollectionSpec<AgentRecord> = {
  name: 'agents',
  indexes: [{ keys: ['accountId', '-createdAt', '-_id'] }, { keys: ['userId', '-createdAt', '-_id'] }],
  expireAt: 'expireAt',
  cached: { by: ['_id'], volatile: ['lastUsedAt'] },
};

/** An access token of an agent. */
export interface AgentTokenRecord extends StoredDocument {
  /** SHA-256 of the token, hex. */
  _id: string;
  accountId: string;
  agentId: string;
  /** The resource that it is for. */
  audience: string;
  /** Of the token: some or all of the agent's. */
  scopes: string[];
  /** What the authorization server stores with it, as JSON without the token. */
  payload: string;
  expireAt: string;
}

export const AGENT_TOKENS: CollectionSpec<AgentTokenRecord> = {
  name: 'agent_tokens',
  indexes: [{ keys: ['agentId'] }],
  expireAt: 'expireAt',
  cached: { by: ['_id'], volatile: [] },
};
