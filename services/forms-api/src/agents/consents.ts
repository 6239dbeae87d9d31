import {
  AppError,
  isAgentScope,
  newId,
  validationFailed,
  type AgentConsentIn,
  type AgentConsentOut,
  type AgentScope,
} from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { changesBetween, type PathRequest, type Reply, type SessionCaller } from '@svcforms/http';
import { hasScope, type AccountRecord, type AgentRecord, type OAuthClientRecord } from '@svcforms/identity';
import { isoTime, type Clock } from '@svcforms/primitives';
import { cookieValues } from '../cookies.ts';
import { subjectOf, type Requests, type StoredRequest } from './artifacts.ts';
import { REQUEST_COOKIE } from './authorization-server.ts';
import { clientHost } from './client-documents.ts';
import { CONSENTS, mcpUrl } from './metadata.ts';
import { redirectHost } from './registration.ts';

/** An agent whose browser never came back ends with its request. */
const UNCLAIMED_MS = 15 * 60_000;

interface ConsentsDeps {
  requests: Requests;
  clients: Pick<Collection<OAuthClientRecord>, 'findOne'>;
  agents: Pick<Collection<AgentRecord>, 'insertOne' | 'deleteOne'>;
  accounts: Pick<Collection<AccountRecord>, 'findOne'>;
  baseUrl: string;
  now: Clock;
}

type Request<Body = unknown> = PathRequest<'consentId', unknown, Body, SessionCaller>;

/**
 * The user's side of a request for authorization: what an agent requests, and the decision. Only
 * the browser that the agent opened can see and decide it. docs/reference/mcp.md#connect-an-agent
 */
export function createConsents(deps: ConsentsDeps) {
  const { requests, clients, agents, accounts, baseUrl, now } = deps;

  /** @throws AppError `NOT_FOUND`, including for the request of another browser */
  async function find({ params, headers }: Pick<Request, 'params' | 'headers'>) {
    // Without the cookie, a stranger could send somebody the link to a request of their own
    // program.
    const isOwn = cookieValues(headers, REQUEST_COOKIE).includes(params.consentId);
    const request = isOwn ? await requests.find(params.consentId) : null;
    const client = request && (await clients.findOne({ _id: request.params.client_id }));
    if (!client) {
      throw new AppError(
        'NOT_FOUND',
        'The request has expired, or was approved or denied. Start again in the agent.',
      );
    }
    const { client_name: name } = JSON.parse(client.metadata) as { client_name: string };
    return { request, client, name, redirectHost: redirectHost(request.params.redirect_uri) };
  }

  return {
    /** Opens the page for the user. The authorization server sends the browser here. */
    page: async ({ params }: PathRequest<'consentId', unknown, unknown, null>): Promise<Reply> => ({
      headers: { Location: `/connect/${encodeURIComponent(params.consentId)}`, 'Cache-Control': 'no-store' },
      content: { type: 'text/plain; charset=utf-8', body: '' },
    }),

    get: async (request: Request): Promise<Reply> => {
      const { caller } = request;
      const found = await find(request);
      const account = await accounts.findOne({ _id: caller.accountId });
      const requested = requestedScopes(found.request);
      const data: AgentConsentOut = {
        name: found.name,
        redirectHost: found.redirectHost,
        clientHost: clientHost(found.client._id) ?? null,
        account: { id: caller.accountId, name: account?.name ?? '' },
        scopes: requested.filter((scope) => hasScope(caller, scope)),
        missingScopes: requested.filter((scope) => !hasScope(caller, scope)),
        expiresAt: isoTime(found.request.exp * 1000),
      };
      return { data };
    },

    approve: async (request: Request<AgentConsentIn>): Promise<Reply> => {
      const { params, body, caller, note, audit } = request;
      const found = await find(request);
      const requested = requestedScopes(found.request);
      const issues = body.scopes.flatMap((scope, index) => {
        if (!requested.includes(scope)) return [{ pointer: `/scopes/${index}`, message: 'wasn’t requested' }];
        if (hasScope(caller, scope)) return [];
        return [{ pointer: `/scopes/${index}`, message: 'is a scope that you lack' }];
      });
      if (issues.length > 0) throw validationFailed(issues);
      const agent: AgentRecord = {
        _id: newId('agt'),
        accountId: caller.accountId,
        userId: caller.id,
        clientId: found.client._id,
        name: found.name,
        redirectHost: found.redirectHost,
        scopes: body.scopes,
        resource: mcpUrl(baseUrl),
        createdAt: isoTime(now()),
        expireAt: isoTime(now() + UNCLAIMED_MS),
      };
      await agents.insertOne(agent);
      const isDecided = await requests.decide(params.consentId, found.request, {
        login: { accountId: subjectOf(caller.accountId, caller.id), remember: false },
        consent: { grantId: agent._id },
      });
      if (!isDecided) {
        await agents.deleteOne({ _id: agent._id });
        throw new AppError(
          'CONFLICT',
          'The request was already approved or denied. Start again in the agent.',
        );
      }
      note({ event: 'agent.connected', agentId: agent._id });
      const { name, scopes } = agent;
      audit({
        target: { type: 'agent', id: agent._id, name },
        changes: changesBetween({}, { scopes, host: agent.redirectHost }, { names: ['scopes', 'host'] }),
      });
      return { data: { redirectTo: pathOf(found.request) } };
    },

    deny: async (request: Request): Promise<Reply> => {
      const found = await find(request);
      await requests.decide(request.params.consentId, found.request, {
        error: 'access_denied',
        error_description: 'the user denied the request',
      });
      return { data: { redirectTo: pathOf(found.request) } };
    },
  };
}

/** In the order of the request. The authorization server has refused all other scopes. */
function requestedScopes({ params }: StoredRequest): AgentScope[] {
  return [...new Set((params.scope ?? '').split(' '))].filter(isAgentScope);
}

function pathOf({ returnTo }: StoredRequest): string {
  return new URL(returnTo).pathname;
}

/** The path of the consents, for the routes. */
export const CONSENT_PATH = `${CONSENTS}/:consentId` as const;
