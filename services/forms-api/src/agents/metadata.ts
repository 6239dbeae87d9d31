import { AGENT_SCOPES } from '@svcforms/contracts';

/** The paths of the authorization server. */
export const OAUTH_PATHS = {
  authorization: '/api/oauth/authorize',
  token: '/api/oauth/token',
  registration: '/api/oauth/register',
  revocation: '/api/oauth/revoke',
} as const;

/** The path of a request that waits for the user. Its cookie is limited to this path. */
export const CONSENTS = '/api/oauth/consents';

/** The URL of the MCP server: the resource that every token is for. */
export const mcpUrl = (baseUrl: string): string => `${baseUrl}/api/mcp`;

/** Describes the MCP server to clients (RFC 9728). */
export function resourceMetadata(baseUrl: string) {
  return {
    resource: mcpUrl(baseUrl),
    resource_name: 'SvcForms',
    authorization_servers: [baseUrl],
    scopes_supported: AGENT_SCOPES,
    bearer_methods_supported: ['header'],
    resource_documentation: `${baseUrl}/docs`,
  };
}

/** Describes the authorization server to clients (RFC 8414). */
export function serverMetadata(baseUrl: string) {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}${OAUTH_PATHS.authorization}`,
    token_endpoint: `${baseUrl}${OAUTH_PATHS.token}`,
    registration_endpoint: `${baseUrl}${OAUTH_PATHS.registration}`,
    revocation_endpoint: `${baseUrl}${OAUTH_PATHS.revocation}`,
    scopes_supported: AGENT_SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${baseUrl}/docs`,
  };
}
