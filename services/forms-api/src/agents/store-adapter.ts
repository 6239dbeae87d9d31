import type { Collection } from '@svcforms/document-store';
import type {
  AgentRecord,
  AgentTokenRecord,
  OAuthArtifactRecord,
  OAuthClientRecord,
} from '@svcforms/identity';
import { DAY_MS, isoTime, type Clock } from '@svcforms/primitives';
import { hashToken } from '@svcforms/signing';
import { artifactId, readSubject, subjectOf } from './artifacts.ts';

/** A client that no user connects is forgotten after this time. */
const UNUSED_CLIENT_MS = 7 * DAY_MS;
/** How long an agent stays connected after it last got a refresh token. */
export const AGENT_IDLE_MS = 30 * DAY_MS;
/** A client outlives its agents, so that they can still say who they are. */
const CLIENT_MARGIN_MS = DAY_MS;

type Payload = Record<string, unknown> & {
  jti?: string;
  accountId?: string;
  clientId?: string;
  grantId?: string;
  scope?: string;
  aud?: string;
};

export interface AdapterDeps {
  agents: Collection<AgentRecord>;
  tokens: Collection<AgentTokenRecord>;
  clients: Collection<OAuthClientRecord>;
  artifacts: Collection<OAuthArtifactRecord>;
  /**
   * Cuts an agent off, because one of its codes or tokens was used twice or it revoked its token.
   */
  disconnect: (agentId: string) => Promise<void>;
  /** The error for a code or token that somebody else uses at the same time. */
  usedTwice: () => Error;
  now: Clock;
}

/** The part of an adapter that a kind of model needs; see the documentation of oidc-provider. */
interface Adapter {
  upsert(id: string, payload: Payload, expiresIn?: number): Promise<void>;
  find(id: string): Promise<Payload | undefined>;
  findByUid(): Promise<undefined>;
  findByUserCode(): Promise<undefined>;
  destroy(id: string): Promise<void>;
  consume(id: string): Promise<void>;
  revokeByGrantId(grantId: string): Promise<void>;
}

const ARTIFACTS = ['AuthorizationCode', 'RefreshToken', 'Interaction'];

const NO_OP_ADAPTER: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  destroy: async () => {},
  consume: async () => {},
  revokeByGrantId: async () => {},
};

const seconds = (iso: string) => Math.floor(Date.parse(iso) / 1000);

function clientAdapter({ clients, now }: AdapterDeps): Adapter {
  return {
    ...NO_OP_ADAPTER,
    async upsert(id, metadata) {
      const expireAt = isoTime(now() + UNUSED_CLIENT_MS);
      await clients.insertOne({
        _id: id,
        metadata: JSON.stringify(metadata),
        createdAt: isoTime(now()),
        expireAt,
      });
    },
    async find(id) {
      const found = await clients.findOne({ _id: id });
      return found && found.expireAt > isoTime(now()) ? (JSON.parse(found.metadata) as Payload) : undefined;
    },
  };
}

function grantAdapter({ agents, disconnect }: AdapterDeps): Adapter {
  return {
    ...NO_OP_ADAPTER,
    async find(id) {
      const agent = await agents.findOne({ _id: id });
      if (!agent) return undefined;
      const { accountId, userId, clientId, resource, scopes, createdAt, expireAt } = agent;
      return {
        kind: 'Grant',
        jti: id,
        accountId: subjectOf(accountId, userId),
        clientId,
        resources: { [resource]: scopes.join(' ') },
        iat: seconds(createdAt),
        exp: seconds(expireAt),
      };
    },
    destroy: disconnect,
  };
}

function accessTokenAdapter({ tokens, now }: AdapterDeps): Adapter {
  return {
    ...NO_OP_ADAPTER,
    async upsert(id, { jti: _token, ...payload }, expiresIn = 0) {
      const { accountId = '', grantId = '', aud = '', scope = '' } = payload;
      await tokens.insertOne({
        _id: hashToken(id),
        accountId: readSubject(accountId).accountId,
        agentId: grantId,
        audience: aud,
        scopes: scope.split(' ').filter(Boolean),
        payload: JSON.stringify(payload),
        expireAt: isoTime(now() + expiresIn * 1000),
      });
    },
    async find(id) {
      const found = await tokens.findOne({ _id: hashToken(id) });
      return found ? { ...(JSON.parse(found.payload) as Payload), jti: id } : undefined;
    },
    async destroy(id) {
      await tokens.deleteOne({ _id: hashToken(id) });
    },
    async revokeByGrantId(agentId) {
      await tokens.deleteMany({ agentId });
    },
  };
}

/** Codes, refresh tokens and requests in progress. */
function artifactAdapter(
  kind: string,
  { agents, clients, artifacts, disconnect, usedTwice, now }: AdapterDeps,
): Adapter {
  /** Postpones the expiry of the agent and its client. */
  async function extend({ grantId = '', clientId = '' }: Payload): Promise<void> {
    await agents.updateOne({ _id: grantId }, { $set: { expireAt: isoTime(now() + AGENT_IDLE_MS) } });
    const expireAt = isoTime(now() + AGENT_IDLE_MS + CLIENT_MARGIN_MS);
    await clients.updateOne({ _id: clientId }, { $set: { expireAt } });
  }

  return {
    ...NO_OP_ADAPTER,
    async upsert(id, { jti: _secret, ...payload }, expiresIn = 0) {
      const _id = artifactId(kind, id);
      const expireAt = isoTime(now() + expiresIn * 1000);
      const { accountId, grantId } = payload;
      if (kind === 'RefreshToken') await extend(payload);
      await artifacts.updateOne(
        { _id },
        {
          $set: {
            kind,
            payload: JSON.stringify(payload),
            expireAt,
            ...(accountId === undefined ? {} : { accountId: readSubject(accountId).accountId }),
            ...(grantId === undefined ? {} : { agentId: grantId }),
          },
        },
        { upsert: true },
      );
    },
    async find(id) {
      const found = await artifacts.findOne({ _id: artifactId(kind, id) });
      if (!found) return undefined;
      const consumed = found.consumedAt === undefined ? {} : { consumed: seconds(found.consumedAt) };
      return { ...(JSON.parse(found.payload) as Payload), ...consumed, jti: id };
    },
    async destroy(id) {
      await artifacts.deleteOne({ _id: artifactId(kind, id) });
    },
    /**
     * Of several concurrent uses of a code or token, one is the first; the others reveal a theft.
     */
    async consume(id) {
      const _id = artifactId(kind, id);
      if (await artifacts.updateOne({ _id, consumedAt: null }, { $set: { consumedAt: isoTime(now()) } }))
        return;
      const found = await artifacts.findOne({ _id });
      if (found?.agentId !== undefined) await disconnect(found.agentId);
      throw usedTwice();
    },
    async revokeByGrantId(agentId) {
      await artifacts.deleteMany({ kind, agentId });
    },
  };
}

/**
 * Stores what oidc-provider has to remember. Codes and tokens are stored as hashes. A grant is a
 * connected agent, and there are no sessions: who is logged in, our own sessions say.
 */
export function createStoreAdapter(deps: AdapterDeps): (kind: string) => Adapter {
  return (kind) => {
    if (kind === 'Session') return NO_OP_ADAPTER;
    if (kind === 'Client') return clientAdapter(deps);
    if (kind === 'Grant') return grantAdapter(deps);
    if (kind === 'AccessToken') return accessTokenAdapter(deps);
    if (ARTIFACTS.includes(kind)) return artifactAdapter(kind, deps);
    // The kinds are names of classes, which a bundler could change.
    throw new Error(`no storage adapter for ${kind}`);
  };
}
