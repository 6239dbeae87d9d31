import { AppError, type AgentOut, type PageQuery } from '@svcforms/contracts';
import type { Collection, Filter } from '@svcforms/document-store';
import { findPage, type PathRequest, type Reply, type RouteRequest } from '@svcforms/http';
import { hasScope, type AgentRecord, type Caller, type UserRecord } from '@svcforms/identity';

interface AgentsDeps {
  agents: Collection<AgentRecord>;
  users: Pick<Collection<UserRecord>, 'find'>;
  /**
   * Deletes the agent, calls `onEnded`, and deletes its tokens; returns whether it was still
   * connected.
   */
  endAgent: (agentId: string, onEnded: () => void) => Promise<boolean>;
}

/** Users see and disconnect their own agents; callers who manage keys, those of the account. */
export function createAgents({ agents, users, endAgent }: AgentsDeps) {
  /** @throws AppError `INSUFFICIENT_SCOPE` for a key that may not manage keys */
  function visibleTo(caller: Caller): Filter<AgentRecord> {
    if (hasScope(caller, 'keys:manage')) return { accountId: caller.accountId };
    if (caller.session) return { accountId: caller.accountId, userId: caller.id };
    throw new AppError('INSUFFICIENT_SCOPE', 'This call requires the scope keys:manage', {
      members: { requiredScope: 'keys:manage' },
    });
  }

  return {
    list: async ({ query, caller }: RouteRequest<PageQuery>): Promise<Reply> => {
      const { items, pagination } = await findPage(agents, visibleTo(caller), { prefix: 'agt', ...query });
      const ids = [...new Set(items.map(({ userId }) => userId))];
      const found = ids.length === 0 ? [] : await users.find({ _id: { $in: ids } });
      const names = new Map(found.map(({ _id, name }) => [_id, name]));
      return { data: items.map((agent) => agentOut(agent, names.get(agent.userId) ?? null)), pagination };
    },

    disconnect: async ({ params, caller, note, audit }: PathRequest<'agentId'>): Promise<Reply> => {
      const agent = await agents.findOne({ ...visibleTo(caller), _id: params.agentId });
      if (!agent || !(await endAgent(agent._id, () => audit({ target: { name: agent.name } })))) {
        throw new AppError('NOT_FOUND', 'There is no such agent');
      }
      note({ event: 'agent.disconnected', agentId: agent._id });
      return {};
    },
  };
}

function agentOut(record: AgentRecord, userName: string | null): AgentOut {
  const { _id, name, redirectHost, scopes, userId, createdAt, expireAt, lastUsedAt = null } = record;
  const user = { id: userId, name: userName };
  return { id: _id, name, redirectHost, scopes, user, createdAt, expiresAt: expireAt, lastUsedAt };
}
