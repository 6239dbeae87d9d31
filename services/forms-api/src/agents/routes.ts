import {
  AgentConsentIn,
  AgentConsentOut,
  AgentConsentResultOut,
  AgentOut,
  AuthorizationQuery,
  newId,
  PageQuery,
} from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { clientSite, createAuditLog, route, type Reply, type Route, type RouteRequest } from '@svcforms/http';
import {
  AGENT_TOKENS,
  AGENTS,
  endAgent,
  OAUTH_ARTIFACTS,
  OAUTH_CLIENTS,
  type AgentRecord,
  type AgentTokenRecord,
  type OAuthArtifactRecord,
  type OAuthClientRecord,
} from '@svcforms/identity';
import type { GuardedClient } from '@svcforms/outbound';
import type { Clock, Logger } from '@svcforms/primitives';
import type { Collections } from '../collections.ts';
import { createAgents } from './agents.ts';
import { createRequests } from './artifacts.ts';
import { authorizationUrl, createAuthorizationServer } from './authorization-server.ts';
import { createClientDocuments, isClientUrl } from './client-documents.ts';
import { CONSENT_PATH, createConsents } from './consents.ts';
import { OAUTH_PATHS, resourceMetadata, serverMetadata } from './metadata.ts';
import { pageReply } from '../pages/message-page.ts';
import { publicJsonRoute } from '../public-json.ts';
import { refusedAgentPage } from './refused-agent-page.ts';
import { readRegistration } from './registration.ts';

interface AgentRoutesDeps {
  store: DocumentStore;
  collections: Pick<Collections, 'accounts' | 'users'>;
  baseUrl: string;
  auditRetentionDays: number;
  /** Fetches the documents of clients. */
  client: Pick<GuardedClient, 'get'>;
  log: Pick<Logger, 'error'>;
  now: Clock;
}

const ERROR_HEADERS = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/** Connected agents: the authorization server, the user's consent, and the list of agents. */
export function agentRoutes({
  store,
  collections,
  baseUrl,
  client,
  log,
  now,
  ...options
}: AgentRoutesDeps): Route[] {
  const { accounts, users } = collections;
  const agents = store.collection<AgentRecord>(AGENTS);
  const tokens = store.collection<AgentTokenRecord>(AGENT_TOKENS);
  const clients = store.collection<OAuthClientRecord>(OAUTH_CLIENTS);
  const artifacts = store.collection<OAuthArtifactRecord>(OAUTH_ARTIFACTS);
  const auditLog = createAuditLog({ store, log, now, retentionDays: options.auditRetentionDays });

  /** For an agent that gave up its own authorization, or showed a code or token that was used. */
  async function disconnect(agentId: string): Promise<void> {
    const agent = await agents.findOne({ _id: agentId });
    if (!agent) return;
    const { _id: id, accountId, name } = agent;
    const itself = { type: 'agent', id, name } as const;
    await endAgent(store, agentId, () =>
      auditLog.add(
        { accountId, actor: itself, ip: null, action: 'agent.disconnected', target: itself },
        newId('aud'),
      ),
    );
  }

  const server = createAuthorizationServer({
    agents,
    tokens,
    clients,
    artifacts,
    users,
    disconnect,
    baseUrl,
    log,
    now,
  });
  const consents = createConsents({
    requests: createRequests({ artifacts, now }),
    clients,
    agents,
    accounts,
    baseUrl,
    now,
  });
  const refusedClient = createRefusedClient(createClientDocuments({ clients, client, now }));
  const list = createAgents({
    agents,
    users,
    endAgent: (agentId, onEnded) => endAgent(store, agentId, onEnded),
  });

  /** Passes a request to the authorization server. */
  async function forward(given: { rewrite?: (url: string) => string; body: Buffer }): Promise<Reply> {
    await server.ready();
    return { connect: (connection) => server.respond(connection, given) };
  }
  const forwardBody = ({ rawBody }: RouteRequest<unknown, unknown, null>) => forward({ body: rawBody });

  /**
   * A call of the OAuth protocol. It has its own formats, which docs/reference/mcp.md describes.
   */
  const protocol = {
    access: 'public',
    takesRawBody: true,
    takesOver: true,
    isPage: true,
    audit: null,
  } as const;

  // prettier-ignore
  return [
    publicJsonRoute(resourceMetadata(baseUrl), { path: '/.well-known/oauth-protected-resource/api/mcp', summary: 'Describe the MCP server' }),
    publicJsonRoute(serverMetadata(baseUrl), { path: '/.well-known/oauth-authorization-server', summary: 'Describe the authorization server' }),

    route({ ...protocol, method: 'GET', path: OAUTH_PATHS.authorization, summary: 'Request authorization', limit: 'public', status: 303,
      query: AuthorizationQuery, handler: async ({ query, ip }) => (await refusedClient(query.client_id, clientSite(ip))) ?? forward({ rewrite: authorizationUrl, body: EMPTY_BODY }) }),
    route({ ...protocol, method: 'GET', path: `${OAUTH_PATHS.authorization}/:consentId`, summary: 'Return to the agent', limit: 'public', status: 303,
      handler: async () => forward({ body: EMPTY_BODY }) }),
    route({ ...protocol, method: 'POST', path: OAUTH_PATHS.token, summary: 'Get tokens', crossOrigin: true, status: 200, handler: forwardBody }),
    route({ ...protocol, method: 'POST', path: OAUTH_PATHS.revocation, summary: 'Revoke a token', crossOrigin: true, status: 200, handler: forwardBody }),
    route({ ...protocol, method: 'POST', path: OAUTH_PATHS.registration, summary: 'Register a client', crossOrigin: true, limit: 'public', status: 201,
      handler: async ({ rawBody }) => {
        const read = readRegistration(rawBody.toString());
        if ('metadata' in read) return forward({ body: Buffer.from(JSON.stringify(read.metadata)) });
        return { status: 400, headers: ERROR_HEADERS, content: { type: 'application/json; charset=utf-8', body: JSON.stringify(read) } };
      } }),

    route({ method: 'GET', path: CONSENT_PATH, summary: 'The page of a request', access: 'public', isPage: true, status: 303, handler: consents.page }),
    route({ method: 'GET', path: `${CONSENT_PATH}/request`, summary: 'Get what an agent requests', operationId: 'getAgentConsent', access: 'session',
      description: 'For the browser that the agent opened. Its cookie names the request.',
      status: 200, response: AgentConsentOut, errors: ['NOT_FOUND'], handler: consents.get }),
    route({ method: 'POST', path: `${CONSENT_PATH}/approve`, summary: 'Connect the agent', operationId: 'approveAgent', access: 'session', needsRecentLogin: true,
      body: AgentConsentIn, status: 200, response: AgentConsentResultOut, errors: ['NOT_FOUND', 'CONFLICT'], audit: 'agent.connected', handler: consents.approve }),
    route({ method: 'POST', path: `${CONSENT_PATH}/deny`, summary: 'Deny the request of an agent', operationId: 'denyAgent', access: 'session',
      status: 200, response: AgentConsentResultOut, errors: ['NOT_FOUND'], audit: null, handler: consents.deny }),

    route({ method: 'GET', path: '/api/agents', summary: 'List connected agents', operationId: 'listAgents', access: 'authenticated',
      description: 'Those of the user; with the scope `keys:manage`, those of the account.',
      query: PageQuery, status: 200, response: AgentOut, errors: ['INSUFFICIENT_SCOPE'], handler: list.list }),
    route({ method: 'DELETE', path: '/api/agents/:agentId', summary: 'Disconnect an agent', operationId: 'disconnectAgent', access: 'authenticated',
      description: 'Its tokens stop working within a second. Users disconnect their own agents; callers with the scope `keys:manage`, those of the account.',
      status: 204, errors: ['INSUFFICIENT_SCOPE', 'NOT_FOUND'], audit: 'agent.disconnected', handler: list.disconnect }),
  ];
}

const EMPTY_BODY = Buffer.alloc(0);

/**
 * Loads the document of a client whose id is a URL, and returns the page for the user if that
 * fails.
 */
function createRefusedClient(documents: ReturnType<typeof createClientDocuments>) {
  return async function refusedClient(id: string | undefined, site: string): Promise<Reply | undefined> {
    const problem = id !== undefined && isClientUrl(id) ? await documents.load(id, site) : undefined;
    if (problem === undefined) return undefined;
    return { status: 400, ...pageReply(refusedAgentPage(problem)) };
  };
}
