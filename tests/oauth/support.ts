import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { AgentConsentOut, AgentConsentResultOut, AgentOut, Role, UserOut } from '@svcforms/contracts';
import {
  atEnd,
  createClient,
  freePort,
  newApiKey,
  runToEnd,
  startProcess,
  testSettings,
  tempFolder,
  type Client,
} from '@svcforms/test-kit';
import { createHash, randomBytes } from 'node:crypto';

export const REDIRECT_URI = 'http://127.0.0.1:7777/callback';
export const OWNER = { email: 'owner@example.com', password: 'owner password' };

/** A running product whose public origin is its address, as clients of OAuth require it. */
export interface AgentProduct {
  baseUrl: string;
  apiKey: string;
  client: Client;
  /** Runs the admin command and returns its output. */
  admin: (...args: string[]) => Promise<string>;
}

/** Starts the standalone, on the embedded pair unless `settings` name other backends. */
export async function startProduct(
  settings: Readonly<Record<string, string>> = {},
  apiKey = newApiKey(),
): Promise<AgentProduct> {
  const port = await freePort();
  const baseUrl = settings['SVC_BASE_URL'] ?? `http://127.0.0.1:${port}`;
  const env = {
    ...testSettings({ apiKey }),
    SVC_DATA_DIR: tempFolder(),
    SVC_PORT: String(port),
    ...settings,
    SVC_BASE_URL: baseUrl,
  };
  const started = await startProcess('standalone', { env });
  const { url } = started;
  atEnd(() => {
    // A failed scenario needs the log of the product, too.
    const output = started.output();
    if (output.includes('"level":"error"')) process.stderr.write(output);
  });
  return {
    baseUrl: url,
    apiKey,
    client: createClient({ baseUrl: url, token: apiKey }),
    async admin(...args) {
      const { code, stdout, stderr } = await runToEnd('admin', { args, env });
      if (code !== 0) throw new Error(`admin ${args.join(' ')} exited with ${code}: ${stderr}`);
      return stdout;
    },
  };
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  scope: string;
  token_type: string;
}

/** A response of the protocol. */
export interface OAuthReply<T = Tokens> {
  status: number;
  body: T & { error?: string; error_description?: string };
}

async function readReply<T>(response: Response): Promise<OAuthReply<T>> {
  const text = await response.text();
  return { status: response.status, body: (text ? JSON.parse(text) : {}) as OAuthReply<T>['body'] };
}

export async function register(
  baseUrl: string,
  metadata: object = { client_name: 'Test agent', redirect_uris: [REDIRECT_URI] },
): Promise<OAuthReply<{ client_id: string; client_name: string; redirect_uris: string[] }>> {
  const headers = { 'content-type': 'application/json' };
  return readReply(
    await fetch(`${baseUrl}/api/oauth/register`, { method: 'POST', headers, body: JSON.stringify(metadata) }),
  );
}

/** The cookies of one browser, by name and path. */
function createCookies() {
  const jar: { name: string; value: string; path: string }[] = [];
  return {
    store(response: Response) {
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        const [, path = '/'] = /; path=([^;]+)/i.exec(line) ?? [];
        jar.push({ name, value, path });
      }
    },
    header: (path: string) =>
      jar
        .filter((cookie) => path === cookie.path || path.startsWith(cookie.path.replace(/\/?$/, '/')))
        .map(({ name, value }) => `${name}=${value}`)
        .join('; '),
  };
}

/** A browser in which a user is logged in. */
export async function openBrowser(baseUrl: string, login: { email: string; password: string } = OWNER) {
  const cookies = createCookies();
  const go = async (path: string, init: { method?: string; body?: object; origin?: string } = {}) => {
    const { method = 'GET', body, origin = baseUrl } = init;
    const response = await fetch(new URL(path, baseUrl), {
      method,
      redirect: 'manual',
      headers: {
        cookie: cookies.header(new URL(path, baseUrl).pathname),
        ...(method === 'GET' ? {} : { origin }),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    cookies.store(response);
    return response;
  };
  const { email, password } = login;
  const { status } = await go('/api/auth/login', { method: 'POST', body: { email, password } });
  if (status !== 200) throw new Error(`${email} could not log in: ${status}`);
  return { cookies, go };
}

export type UserBrowser = Awaited<ReturnType<typeof openBrowser>>;

export interface AuthorizationRequest {
  url: string;
  verifier: string;
}

/**
 * The URL that an agent opens in the browser, with its PKCE verifier. `undefined` removes a
 * parameter.
 */
export function authorizationRequest(
  baseUrl: string,
  clientId: string,
  changes: Readonly<Record<string, string | undefined>> = {},
): AuthorizationRequest {
  const verifier = randomBytes(32).toString('base64url');
  const params = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'xyz',
    scope: 'forms:read tasks:create tasks:read',
    resource: `${baseUrl}/api/mcp`,
    ...changes,
  };
  const given = Object.entries(params).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return { url: `/api/oauth/authorize?${new URLSearchParams(given).toString()}`, verifier };
}

/** Opens the request in the browser and returns the path of the consent. */
export async function openRequest({ go }: UserBrowser, url: string): Promise<string> {
  const response = await go(url);
  const consent = response.headers.get('location') ?? '';
  if (!consent.startsWith('/api/oauth/consents/')) {
    throw new Error(`no request for consent: ${response.status} ${consent} ${await response.text()}`);
  }
  return consent;
}

export async function readConsent({ go }: UserBrowser, consent: string): Promise<AgentConsentOut> {
  const response = await go(`${consent}/request`);
  return ((await response.json()) as { data: AgentConsentOut }).data;
}

/** Approves the request and returns the URL with which the browser comes back to the agent. */
export async function approve(
  browser: UserBrowser,
  consent: string,
  scopes?: readonly string[],
): Promise<URL> {
  const granted = scopes ?? (await readConsent(browser, consent)).scopes;
  const response = await browser.go(`${consent}/approve`, { method: 'POST', body: { scopes: granted } });
  if (response.status !== 200) throw new Error(`not approved: ${response.status} ${await response.text()}`);
  const { data } = (await response.json()) as { data: AgentConsentResultOut };
  const back = await browser.go(data.redirectTo);
  return new URL(back.headers.get('location') ?? `error: ${back.status}`);
}

/** Sends a form to the token or revocation endpoint. */
export async function sendForm<T = Tokens>(
  baseUrl: string,
  path: 'token' | 'revoke',
  form: Readonly<Record<string, string>>,
): Promise<OAuthReply<T>> {
  const body = new URLSearchParams(form);
  return readReply<T>(await fetch(`${baseUrl}/api/oauth/${path}`, { method: 'POST', body }));
}

export const exchangeCode = (
  baseUrl: string,
  { clientId, code, verifier }: { clientId: string; code: string; verifier: string },
  changes: Readonly<Record<string, string>> = {},
): Promise<OAuthReply> =>
  sendForm(baseUrl, 'token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT_URI,
    ...changes,
  });

export const refresh = (
  baseUrl: string,
  { clientId, refreshToken }: { clientId: string; refreshToken: string },
  changes: Readonly<Record<string, string>> = {},
): Promise<OAuthReply> =>
  sendForm(baseUrl, 'token', {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: refreshToken,
    ...changes,
  });

/** Registers a client and takes the user of the browser through the whole authorization. */
export async function connectAgent(
  { baseUrl }: Pick<AgentProduct, 'baseUrl'>,
  options: {
    browser?: UserBrowser;
    scope?: string;
    name?: string;
    /** Default: the MCP server at `baseUrl`. `null` names none. */
    resource?: null;
  } = {},
): Promise<{ clientId: string; tokens: Tokens }> {
  const browser = options.browser ?? (await openBrowser(baseUrl));
  const metadata = { client_name: options.name ?? 'Test agent', redirect_uris: [REDIRECT_URI] };
  const { client_id: clientId } = (await register(baseUrl, metadata)).body;
  const changes = {
    ...(options.scope !== undefined && { scope: options.scope }),
    ...(options.resource === null && { resource: undefined }),
  };
  const { url, verifier } = authorizationRequest(baseUrl, clientId, changes);
  const back = await approve(browser, await openRequest(browser, url));
  const code = back.searchParams.get('code') ?? '';
  const { status, body } = await exchangeCode(baseUrl, { clientId, code, verifier });
  if (status !== 200) throw new Error(`no tokens: ${JSON.stringify(body)}`);
  return { clientId, tokens: body };
}

/** Calls the MCP server. `onProgress` is called for parts of the response that report progress. */
export async function callMcp(
  baseUrl: string,
  token: string | undefined,
  method: string,
  params: object = {},
  onProgress?: () => void,
): Promise<{ status: number; challenge: string | null; result: Record<string, unknown> | undefined }> {
  const response = await fetch(`${baseUrl}/api/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  let text = '';
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (part.includes('notifications/progress')) onProgress?.();
  }
  const json = text.startsWith('{') ? text : ([...text.matchAll(/^data: (.*)$/gm)].at(-1)?.[1] ?? '{}');
  return {
    status: response.status,
    challenge: response.headers.get('www-authenticate'),
    result: (JSON.parse(json) as { result?: Record<string, unknown> }).result,
  };
}

export async function toolNames(baseUrl: string, token: string): Promise<string[]> {
  const { result } = await callMcp(baseUrl, token, 'tools/list');
  return ((result?.['tools'] ?? []) as { name: string }[]).map(({ name }) => name).sort();
}

export async function listAgents(client: Client): Promise<AgentOut[]> {
  return (await client.get<AgentOut[]>('/api/agents', { expect: 200 })).body.data;
}

let users = 0;
export async function newUser(client: Client, role: Role): Promise<typeof OWNER & { id: string }> {
  const login = { email: `agent-${role}-${++users}@example.com`, password: 'correct horse battery' };
  const body = { ...login, name: `The ${role}`, role };
  const { data } = (await client.post<UserOut>('/api/users', { body, expect: 201 })).body;
  return { ...login, id: data.id };
}

/** What the agent of the SDK keeps between the steps of its authorization. */
export function createAgentProvider(
  openInBrowser: (url: URL) => void,
  options: Pick<OAuthClientProvider, 'clientMetadataUrl'> = {},
) {
  let information: OAuthClientInformationMixed | undefined;
  let tokens: OAuthTokens | undefined;
  let verifier = '';
  const provider: OAuthClientProvider = {
    ...options,
    redirectUrl: REDIRECT_URI,
    clientMetadata: { client_name: 'SDK agent', redirect_uris: [REDIRECT_URI] },
    clientInformation: () => information,
    saveClientInformation: (saved) => void (information = saved),
    tokens: () => tokens,
    saveTokens: (saved) => void (tokens = saved),
    redirectToAuthorization: openInBrowser,
    saveCodeVerifier: (saved) => void (verifier = saved),
    codeVerifier: () => verifier,
  };
  return { provider, tokens: () => tokens, clientId: () => information?.client_id };
}
