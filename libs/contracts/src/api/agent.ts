import { z } from 'zod';
import type { Scope } from './api-key.ts';
import { idOut, timeOrNullOut, timeOut } from './schema-parts.ts';

/**
 * The scopes that a user can grant to an agent: those of the tools of the MCP server. A list of
 * what is allowed, so a scope of a later version isn't grantable until somebody adds it here. No
 * agent can decide tasks, publish forms, or manage keys and users.
 * docs/reference/mcp.md#scopes-of-a-connected-agent
 */
export const AGENT_SCOPES = [
  'forms:read',
  'forms:draft',
  'tasks:create',
  'tasks:read',
  'tasks:manage',
  'submissions:read',
] as const satisfies readonly Scope[];
export type AgentScope = (typeof AGENT_SCOPES)[number];

/** Enough to read forms, and to create tasks, wait for them and cancel them. */
export const LEAST_AGENT_SCOPES: readonly AgentScope[] = ['forms:read', 'tasks:create', 'tasks:read'];

/** Whether a user can grant this scope to an agent. */
export function isAgentScope(scope: string): scope is AgentScope {
  return (AGENT_SCOPES as readonly string[]).includes(scope);
}

const clientName = z.string().meta({
  description: 'Name of the program, as it calls itself. Nobody has verified it.',
  example: 'Claude',
});
const scopes = (description: string) =>
  z.array(z.enum(AGENT_SCOPES)).meta({ description, example: ['forms:read', 'tasks:create', 'tasks:read'] });

/** An agent that a user has connected. See docs/reference/mcp.md#connect-an-agent. */
export const AgentOut = z
  .object({
    id: idOut('agt', 'Id of the connection.'),
    name: clientName,
    redirectHost: z.string().meta({
      description: 'Host that got the authorization; `localhost` for a program on the computer of the user.',
      example: 'claude.ai',
    }),
    scopes: scopes('Granted scopes. The agent can use those of them that its user has, too.'),
    user: z
      .object({
        id: idOut('usr', 'Id of the user.'),
        name: z.string().nullable().meta({ description: 'Name of the user.', example: 'Ada Lovelace' }),
      })
      .meta({ description: 'The user who connected the agent.' }),
    createdAt: timeOut('When the user connected it.'),
    expiresAt: timeOut('When the connection ends, unless the user connects the agent again.'),
    lastUsedAt: timeOrNullOut('When it was last used, accurate to the minute; null if it was never used.'),
  })
  .meta({ id: 'Agent', description: 'A connected agent.' });
export type AgentOut = z.output<typeof AgentOut>;

/** Response data of GET /api/oauth/consents/{consentId}/request. */
export const AgentConsentOut = z
  .object({
    name: clientName,
    redirectHost: z.string().meta({
      description: 'Host that gets the authorization; `localhost` for a program on the computer of the user.',
      example: 'claude.ai',
    }),
    clientHost: z.string().nullable().meta({
      description:
        'Host that serves the document of the agent, if its `client_id` is a URL. null: the agent registered itself, so nothing proves its name.',
      example: 'agent.example.com',
    }),
    account: z
      .object({
        id: idOut('acc', 'Id of the account.'),
        name: z.string().meta({ description: 'Name of the account.', example: 'Analytical Engines Ltd' }),
      })
      .meta({ description: 'The account that the agent will use.' }),
    scopes: scopes('Scopes that the agent requests and the user has.'),
    missingScopes: scopes("Scopes that the agent requests and the user lacks. They can't be granted."),
    expiresAt: timeOut('When the request expires.'),
  })
  .meta({ id: 'AgentConsent', description: 'What an agent requests.' });
export type AgentConsentOut = z.output<typeof AgentConsentOut>;

/**
 * What we read of the query of GET /api/oauth/authorize. The authorization server checks
 * everything, also a parameter that is repeated.
 */
export const AuthorizationQuery = z
  .looseObject({
    client_id: z
      .string()
      .optional()
      .catch(undefined)
      .meta({ description: 'The client’s id, or the URL of its document' }),
  })
  .meta({ description: 'The query of an authorization request' });

/** Request body of POST /api/oauth/consents/{consentId}/approve. */
export const AgentConsentIn = z
  .strictObject({
    scopes: z
      .array(z.enum(AGENT_SCOPES))
      .min(1)
      .overwrite((granted) => [...new Set(granted)])
      .meta({
        description: 'Scopes to grant: some or all of the requested ones that the user has.',
        example: ['forms:read', 'tasks:create', 'tasks:read'],
      }),
  })
  .meta({ id: 'AgentConsentIn', description: 'The scopes that the user grants.' });
export type AgentConsentIn = z.output<typeof AgentConsentIn>;

/** Response data of the two calls that end a request. */
export const AgentConsentResultOut = z
  .object({
    redirectTo: z.string().meta({
      description: 'Path to open next. It returns the browser to the agent.',
      example: '/api/oauth/authorize/V1StGXR8_Z5jdHi6B-myT',
    }),
  })
  .meta({ id: 'AgentConsentResult', description: 'Where the browser goes next.' });
export type AgentConsentResultOut = z.output<typeof AgentConsentResultOut>;
